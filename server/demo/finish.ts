import { bulkOf, inTransaction } from '../db/bulk.ts'
import { recountRows, recountTables } from '../db/numbers.ts'
import type { SecondConnection } from '../db/bulk-dialect.ts'
import type { Engine } from '../db/engine.ts'
import { runAll } from '../db/engine.ts'
import { domainTables } from './bulk.ts'
import { forget, removed } from './schema-parts.ts'

/** Computes the totals and creates the triggers and indexes again. `part` is the progress, from 0 to 1. */
export async function finish(
  engine: Engine,
  second: SecondConnection,
  report: (part: number, what: string) => void,
): Promise<void> {
  await second.filled(domainTables)
  const withIds = domainTables.filter((table) => table !== 'coupon_users')
  const numbers = engine.derived.filter(({ name }) => name === 'numbers').flatMap(({ create }) => create)
  const run = (what: string, statements: readonly string[]): Step[] =>
    statements.map((statement) => ({
      what,
      run: () => inTransaction(engine, (trx) => runAll(trx, [statement])),
    }))
  const totals = [walletBalances, ...recountRows()]
  const updated = new Set([...totals, driverStates, newestSos].map(tableOf))
  /** What is counted in rows with totals has to wait for these, and an index of such rows would make writing the totals slow. */
  const partOf = (tables: (string | undefined)[]) =>
    tables.some((table) => updated.has(table)) ? 'ofUpdated' : 'ofOthers'
  const counts = Object.groupBy(recountTables(engine.counterParts), (statement) =>
    partOf(tablesReadBy(statement)),
  )
  const indexes = Object.groupBy((await removed(engine)).create, (statement) => partOf([tableOf(statement)]))
  const steps = [
    { what: 'totals', run: () => second.summed(totals) },
    { what: 'totals', run: () => second.counted(counts.ofOthers ?? []) },
    ...run('totals', [driverStates, newestSos]),
    ...run('indexes', indexes.ofOthers ?? []),
    { what: 'totals', run: () => second.updated() },
    { what: 'totals', run: () => second.counted(counts.ofUpdated ?? []) },
    ...run('indexes', indexes.ofUpdated ?? []),
    { what: 'indexes', run: () => second.done() },
    ...second.steps.map((step) => ({ what: 'indexes', run: step })),
    ...run('indexes', [...numbers, forget]),
    ...run('ids', bulkOf(engine).resumeIds(withIds)),
  ]
  for (const [index, { what, run }] of steps.entries()) {
    report(index / steps.length, what)
    await run()
  }
  report(1, 'ids')
}

/** The table that a statement writes to, or on which it creates an index or a foreign key. */
const tableOf = (statement: string) =>
  /\b(?:update|insert into|delete from|on|table) (?:\w+\.)?(\w+)/i.exec(statement)?.[1]

const tablesReadBy = (query: string) => [...query.matchAll(/\bfrom (\w+)/g)].map(([, table]) => table)

interface Step {
  what: string
  run: () => Promise<unknown>
}

const newestSos = `update sos_logs set handled_at = null, handled_by = null
  where id in (select id from sos_logs order by id desc limit 3)`

const walletBalances = `update drivers set wallet_balance = moved.amount
  from (select driver_id, sum(amount) as amount from driver_transactions group by driver_id) moved
  where drivers.id = moved.driver_id`

const driverStates = `update drivers set online = 1, busy = 1 where id in (
  select driver_id from trips where status in ('Accepted', 'Ongoing')
  union select driver_id from pre_bookings where status = 'Ongoing')`
