import { sql } from 'kysely'
import { bulkOf, inTransaction } from '../db/bulk.ts'
import { recountStatements } from '../db/numbers.ts'
import type { Engine } from '../db/engine.ts'
import { domainTables } from './bulk.ts'
import { rebuilding } from './schema-parts.ts'

/** Computes the totals and creates the triggers and indexes again. `part` is the progress, from 0 to 1. */
export async function finish(engine: Engine, report: (part: number, what: string) => void): Promise<void> {
  const withIds = domainTables.filter((table) => table !== 'coupon_users')
  const steps = [
    ...[...driverStates, newestSos, ...recountStatements(engine.counterParts)].map((statement) => ({
      what: 'totals',
      statement,
    })),
    ...(await rebuilding(engine)).map((statement) => ({ what: 'indexes', statement })),
    ...bulkOf(engine)
      .resumeIds(withIds)
      .map((statement) => ({ what: 'ids', statement })),
  ]
  for (const [index, { what, statement }] of steps.entries()) {
    report(index / steps.length, what)
    await inTransaction(engine, async (trx) => {
      await sql.raw(statement).execute(trx)
    })
  }
  report(1, 'ids')
}

const newestSos = `update sos_logs set handled_at = null, handled_by = null
  where id in (select id from sos_logs order by id desc limit 3)`

const driverStates = [
  `update drivers set wallet_balance = moved.amount
   from (select driver_id, sum(amount) as amount from driver_transactions group by driver_id) moved
   where drivers.id = moved.driver_id`,
  `update drivers set online = 1, busy = 1 where id in (
     select driver_id from trips where status in ('Accepted', 'Ongoing')
     union select driver_id from pre_bookings where status = 'Ongoing')`,
]
