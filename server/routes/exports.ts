import type { FastifyReply } from 'fastify'
import type { Readable } from 'node:stream'
import type { Customer, Driver } from '../../src/api/contract.ts'
import type { Deps, TypedApp } from '../deps.ts'
import { batches } from '../export/batches.ts'
import type { SheetColumn } from '../export/sheet.ts'
import { dateFormat, moneyFormat, nairobi, plainText, sheet } from '../export/sheet.ts'
import { Problem } from '../problem.ts'
import { customers } from '../queries/customers.ts'
import { drivers } from '../queries/drivers.ts'

/** Exports under way at once; one more is asked to come back. */
const most = 2
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const person: SheetColumn<Driver | Customer>[] = [
  { header: 'ID #', width: 10, value: ({ id }) => id },
  { header: 'Name', width: 32, value: ({ user }) => plainText(user.fullname) },
  { header: 'Phone No', width: 16, value: ({ user }) => `+${user.phone_number.replace(/^\++/, '')}` },
  {
    header: 'Date joined',
    width: 14,
    value: ({ user }) => nairobi(Date.parse(user.date_joined)),
    format: dateFormat,
  },
  { header: 'Completed Trips', width: 16, value: (row) => row.total_completed_trips },
  { header: 'Failed Trips', width: 12, value: (row) => row.total_failed_trips },
  { header: 'Wallet(Ksh)', width: 14, value: (row) => row.wallet_balance, format: moneyFormat },
]

const driverColumns: SheetColumn<Driver>[] = [
  ...person,
  { header: 'Total earnings (KSh)', width: 20, value: (row) => row.total_earnings, format: moneyFormat },
  { header: 'Registration', width: 14, value: (row) => plainText(row.vehicle?.registration ?? '') },
  {
    header: 'Status',
    width: 14,
    value: ({ online, busy }) => `${online ? 'Online' : 'Offline'}${busy ? ' / Busy' : ''}`,
  },
  { header: 'Suspended', width: 11, value: ({ deleted }) => (deleted ? 'Yes' : 'No') },
]

/** S7.9, S7.10 */
export function registerExports(app: TypedApp, { engine }: Deps): void {
  let running = 0
  const send = (reply: FastifyReply, fileName: string, stream: Readable) => {
    running++
    stream.once('close', () => running--)
    return reply
      .type(xlsx)
      .header('content-disposition', `attachment; filename="${fileName}"; filename*=UTF-8''${fileName}`)
      .send(stream)
  }
  const free = () => {
    if (running >= most) throw new Problem(503, 'Too many exports are under way.', { retryAfter: 10 })
  }

  // A HEAD would make the whole file to throw it away.
  const whole = { exposeHeadRoute: false }
  app.get('/api/v1/oms/drivers-export-excel/', whole, (_request, reply) => {
    free()
    const answers = answered(batches(engine, 'drivers', drivers.rows), drivers.answer)
    return send(reply, 'drivers_data.xlsx', sheet('Drivers', driverColumns, answers))
  })
  app.get('/api/v1/oms/customers-export-excel/', whole, (_request, reply) => {
    free()
    const answers = answered(batches(engine, 'customers', customers.rows), customers.answer)
    return send(reply, 'customers_data.xlsx', sheet('Customers', person, answers))
  })
}

async function* answered<Row, Wire>(source: AsyncIterable<Row[]>, answer: (row: Row) => Wire) {
  for await (const rows of source) yield rows.map(answer)
}
