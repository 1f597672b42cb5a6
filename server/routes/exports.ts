import type { FastifyReply } from 'fastify'
import type { Readable } from 'node:stream'
import type { Deps, TypedApp } from '../deps.ts'
import { batches } from '../export/batches.ts'
import { nairobiDays } from '../export/cells.ts'
import type { SheetColumn } from '../export/sheet.ts'
import { sheet } from '../export/sheet.ts'
import { Problem } from '../problem.ts'
import type { CustomerRow } from '../queries/customers.ts'
import { customers } from '../queries/customers.ts'
import type { DriverRow } from '../queries/drivers.ts'
import { drivers } from '../queries/drivers.ts'
import { ksh } from '../queries/wire.ts'

/** Exports under way at once; one more is asked to come back. */
const most = 2
/** In milliseconds: whoever takes no byte for so long gives up their place. */
const patience = 60_000
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const person: SheetColumn<CustomerRow>[] = [
  { header: 'ID #', kind: 'number', width: 10, value: (row) => row.id },
  { header: 'Name', kind: 'text', width: 32, value: (row) => row.fullname },
  { header: 'Phone No', kind: 'phone', width: 16, value: (row) => row.phone_number },
  { header: 'Date joined', kind: 'date', width: 14, value: (row) => nairobiDays(row.date_joined) },
  { header: 'Completed Trips', kind: 'number', width: 16, value: (row) => row.total_completed_trips },
  { header: 'Failed Trips', kind: 'number', width: 12, value: (row) => row.total_failed_trips },
  { header: 'Wallet(Ksh)', kind: 'money', width: 14, value: (row) => ksh(row.wallet_balance) },
]

const driverColumns: SheetColumn<DriverRow>[] = [
  ...person,
  { header: 'Total earnings (KSh)', kind: 'money', width: 20, value: (row) => ksh(row.total_earnings) },
  { header: 'Registration', kind: 'text', width: 14, value: (row) => row.registration },
  {
    header: 'Status',
    kind: 'text',
    width: 14,
    value: ({ online, busy }) => `${online ? 'Online' : 'Offline'}${busy ? ' / Busy' : ''}`,
  },
  { header: 'Suspended', kind: 'text', width: 11, value: ({ deleted }) => (deleted ? 'Yes' : 'No') },
]

/** S7.9, S7.10 */
export function registerExports(app: TypedApp, { engine }: Deps): void {
  let running = 0
  const send = (reply: FastifyReply, fileName: string, makeFile: () => Readable) => {
    if (running >= most) throw new Problem(503, 'Too many exports are under way.', { retryAfter: 10 })
    running++
    const file = makeFile().once('close', () => running--)
    reply.raw.setTimeout(patience, () => reply.raw.destroy())
    return reply
      .type(xlsx)
      .header('content-disposition', `attachment; filename="${fileName}"; filename*=UTF-8''${fileName}`)
      .send(file)
  }

  // A HEAD would make the whole file to throw it away.
  const whole = { exposeHeadRoute: false }
  app.get('/api/v1/oms/drivers-export-excel/', whole, (_request, reply) =>
    send(reply, 'drivers_data.xlsx', () => sheet('Drivers', driverColumns, batches(engine.db, drivers))),
  )
  app.get('/api/v1/oms/customers-export-excel/', whole, (_request, reply) =>
    send(reply, 'customers_data.xlsx', () => sheet('Customers', person, batches(engine.db, customers))),
  )
}
