import type { SosLog } from '../api/contract.ts'
import { sos as noun } from '../commands/nouns/sos.ts'
import { listScreen } from './screen.tsx'
import { coordinateColumn, idColumn, momentColumn, textColumn } from './table/columns.tsx'
import { partyName, partyNameAndPhone } from '../commands/party.ts'

/** S2.r */
export const sos = listScreen<SosLog>({
  noun,
  title: 'SOS logs',
  empty: 'No SOS logs to display',
  columns: [
    idColumn(4, (log) => log.id),
    textColumn('raised-by', 'Raised by', 5.5, (log) => partyName(log.raised_by)),
    textColumn('driver', 'Driver', 13.5, (log) => partyNameAndPhone(log.trip?.driver)),
    textColumn('customer', 'Customer', 13.5, (log) => partyNameAndPhone(log.trip?.customer)),
    textColumn('from-location', 'From location', 8.5, (log) => log.trip?.start_name),
    textColumn('destination-location', 'Destination location', 8.5, (log) => log.trip?.destination_name),
    coordinateColumn('sos-latitude', 'SOS latitude', (log) => log.latitude),
    coordinateColumn('sos-longitude', 'SOS longitude', (log) => log.longitude),
    momentColumn('sos-date', 'SOS date', (log) => log.created_at),
  ],
})
