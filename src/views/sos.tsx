import type { SosLog } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import { callHref, isNew, mapHref, sos as noun } from '../commands/nouns/sos.ts'
import { partyName, partyNameAndPhone } from '../commands/party.ts'
import { coordinate, dayAndTime, text } from '../format.ts'
import { listScreen } from './screen.tsx'
import type { SosCellProps } from './sos-cell.tsx'
import type { Column } from './table/column.ts'
import { idColumn, textColumn } from './table/columns.tsx'
import { deferred } from './ui/deferred.tsx'

type Log = Row<SosLog>

/** Its code is loaded with the first SOS log that has more to show than the specified texts. */
export const sosCell = deferred(() => import('./sos-cell.tsx'), {
  fallback: ({ plain }: SosCellProps) => plain,
})

/** S2.r */
export const sos = listScreen<SosLog>({
  noun,
  title: 'SOS logs',
  empty: 'No SOS logs to display',
  isTall: true,
  columns: [
    idColumn(3, (log) => log.id),
    column('raised', 'raised-by', 'Raised by', 7.5, (log) => partyName(log.raised_by), {
      card: 'name',
      control: isNew,
      exact: ({ handled_at, handled_by }) =>
        [text(handled_by), dayAndTime(handled_at)].filter(Boolean).join(', '),
    }),
    party('driver', 'Driver'),
    party('customer', 'Customer'),
    textColumn('from-location', 'From location', 6.75, (log) => log.trip?.start_name),
    textColumn('destination-location', 'Destination location', 6.75, (log) => log.trip?.destination_name),
    degrees('latitude', 8),
    degrees('longitude', 5.25),
    column('date', 'sos-date', 'SOS date', 7, (log) => dayAndTime(log.created_at), { card: 'end' }),
  ],
})

/** The specified text alone, if the server does not offer acknowledging (rulings, lists). */
function column(
  part: SosCellProps['part'],
  id: string,
  header: string,
  width: number,
  plain: (log: Log) => string,
  { control, exact, ...rest }: Pick<Column<Log>, 'card' | 'exact'> & { control?: (log: Log) => boolean },
): Column<Log> {
  const isRich = ({ handled_at }: Log) => handled_at !== undefined
  return {
    id,
    header,
    width,
    cell: (log) =>
      isRich(log) ? <sosCell.Component part={part} log={log} plain={plain(log)} /> : plain(log),
    copy: plain,
    exact: (log) => exact?.(log) || plain(log),
    ...rest,
    ...(control && { control: (log) => isRich(log) && control(log) }),
  }
}

function party(part: 'driver' | 'customer', header: string): Column<Log> {
  return column(part, part, header, 7.5, ({ trip }) => partyNameAndPhone(trip?.[part]), {
    control: ({ trip }) => callHref(trip?.[part]) !== '',
  })
}

function degrees(part: 'latitude' | 'longitude', width: number): Column<Log> {
  return column(part, `sos-${part}`, `SOS ${part}`, width, (log) => coordinate(log[part]), {
    control: (log) => mapHref(log) !== '',
    // R4, and the credit that the licence of the place asks for.
    exact: (log) =>
      coordinate(log[part]) &&
      [text(log[part]), text(log.near?.text), text(log.near?.credit)].filter(Boolean).join(' · '),
  })
}
