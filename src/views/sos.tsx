import type { SosLog } from '../api/contract.ts'
import { listSosLogs } from '../api/sos.ts'
import { text } from '../format.ts'
import { listScreen } from './screen.tsx'
import { coordinateColumn, idColumn, momentColumn, textColumn } from './ui/columns.tsx'
import { partyName, partyNameAndPhone } from './ui/party.ts'

/** S2.r */
export const sos = listScreen<SosLog>({
  path: '/sos',
  title: 'SOS logs',
  load: listSosLogs,
  record: (log) => `sos:${text(log.id)}`,
  commands: [],
  empty: 'No SOS logs to display',
  columns: [
    idColumn(4, (log) => log.id),
    textColumn('Raised by', 5.5, (log) => partyName(log.raised_by)),
    textColumn('Driver', 13.5, (log) => partyNameAndPhone(log.trip?.driver)),
    textColumn('Customer', 13.5, (log) => partyNameAndPhone(log.trip?.customer)),
    textColumn('From location', 8.5, (log) => log.trip?.start_name),
    textColumn('Destination location', 8.5, (log) => log.trip?.destination_name),
    coordinateColumn('SOS latitude', (log) => log.latitude),
    coordinateColumn('SOS longitude', (log) => log.longitude),
    momentColumn('SOS date', (log) => log.created_at),
  ],
})
