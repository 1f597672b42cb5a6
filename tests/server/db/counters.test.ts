import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Engine } from '../../../server/db/engine.ts'
import { runAll } from '../../../server/db/engine.ts'
import { wrongNumbers } from '../../../server/db/wrong-numbers.ts'
import { loadDemo } from '../../../server/demo/load.ts'
import { nouns } from '../../../server/nouns.ts'
import { engines, openTestEngine } from '../../support/engines.ts'
import {
  buildBlog,
  buildBooking,
  buildCustomer,
  buildDriver,
  buildInvoice,
  buildTrip,
} from '../../support/factories.ts'
import { keptNumbers, recount } from '../../support/recount.ts'
import { someTime, useServer } from '../../support/server.ts'

const flag = fc.constantFrom(0 as const, 1 as const)
const status = fc.constantFrom('Completed', 'Cancelled', 'Ongoing', 'Pending', 'Not Started', 'Else')
const amount = fc.integer({ min: 0, max: 1_000_000 })
/** A few ids from several buckets. */
const id = fc.constantFrom(1, 2, 3, 4095, 4096, 9000)
const maybeId = fc.option(id)
const table = fc.constantFrom(
  ...(['drivers', 'customers', 'trips', 'pre_bookings', 'invoices', 'blogs'] as const),
)

/** One change of one row. A change that is not possible, for example of a missing row, is skipped. */
const operation = fc.record({
  table,
  verb: fc.constantFrom('insert', 'insert', 'update', 'delete'),
  id,
  driver_id: id,
  maybe_driver_id: maybeId,
  customer_id: id,
  maybe_customer_id: maybeId,
  status,
  amount,
  paid: flag,
  deleted: flag,
  online: flag,
})
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never

describe.each(engines)('counters, buckets and totals on %s', (name) => {
  const server = useServer(name, { scope: 'suite' })

  test('equal a recount after random inserts, updates and deletes (S3.1, S3.2)', async () => {
    const { engine } = server()
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 60 }), async (operations) => {
        for (const one of operations) await run(engine, one)
        expect(await keptNumbers(engine.db)).toEqual(await recount(engine))
      }),
      { numRuns: 40, seed: 331, plugins: [fc.afterEach(() => empty(engine))] },
    )
    const { counters, buckets } = await keptNumbers(engine.db)
    expect(counters.filter(({ value }) => value !== 0)).toEqual([])
    expect(buckets.map(({ entity }) => entity)).not.toContain('drivers')
  })

  test('a trip counts for its new driver when its driver changes (S3.2)', async () => {
    const { engine } = server()
    const [from, to] = [await buildDriver(engine), await buildDriver(engine)]
    const trip = await buildTrip(engine, { driver_id: from.id, cost: 5_000 })
    await engine.db.updateTable('trips').set({ driver_id: to.id }).where('id', '=', trip.id).execute()
    const totals = (await keptNumbers(engine.db)).drivers.filter((row) => [from.id, to.id].includes(row.id))
    expect(totals).toMatchObject([
      { id: from.id, total_trips: 0, total_completed_trips: 0, total_failed_trips: 0, total_earnings: 0 },
      { id: to.id, total_trips: 1, total_completed_trips: 1, total_failed_trips: 0, total_earnings: 5_000 },
    ])
  })
})

test.each(engines)(
  'stored numbers are right after each column of each list was set alone, on %s',
  async (name) => {
    const engine = await openTestEngine(name)
    await loadDemo(engine, { drivers: 60, trips: 200, now: someTime, passwordHash: '' })
    const tables = await engine.db.introspection.getTables()
    const set: string[] = []
    const stored = new Set(
      nouns.flatMap(({ totals }) =>
        totals.flatMap(({ of, columns }) => Object.keys(columns).map((column) => `${of}.${column}`)),
      ),
    )
    for (const { table } of nouns)
      for (const column of tables.find((one) => one.name === table)?.columns ?? []) {
        const { name: own } = column
        if (own === 'id' || stored.has(`${table}.${own}`)) continue
        const other = `(select o.${own} from ${table} o where o.id > ${table}.id order by o.id limit 1)`
        // Flags are turned over; other columns get the value of the next row. Values that the database refuses are left out.
        for (const value of [`1 - ${own}`, `coalesce(${other}, ${own})`]) {
          const isSet = await runAll(engine.db, [`update ${table} set ${own} = ${value}`]).then(
            () => true,
            () => false,
          )
          if (!isSet) continue
          set.push(`${table}.${own}`)
          break
        }
      }
    expect(set).toEqual(expect.arrayContaining(['drivers.busy', 'trips.start_name', 'invoices.driver_id']))
    const wrong: unknown[] = []
    for (const query of wrongNumbers()) wrong.push(...(await sql.raw(query).execute(engine.db)).rows)
    expect(wrong).toEqual([])
    await engine.close()
  },
)

async function empty({ db }: Engine): Promise<void> {
  for (const each of ['invoices', 'pre_bookings', 'trips', 'drivers', 'customers', 'blogs'] as const)
    await db.deleteFrom(each).execute()
}

async function run(engine: Engine, operation: Operation): Promise<void> {
  if (!(await isPossible(engine, operation))) return
  if (operation.verb === 'insert') await insert(engine, operation)
  else if (operation.verb === 'update') await update(engine, operation)
  else await engine.db.deleteFrom(operation.table).where('id', '=', operation.id).execute()
}

/** Whether the database can accept the change: the id is free, and all referenced rows exist. */
async function isPossible(engine: Engine, one: Operation): Promise<boolean> {
  const has = async (from: Operation['table'], wanted: number | null) =>
    wanted === null ||
    (await engine.db.selectFrom(from).select('id').where('id', '=', wanted).executeTakeFirst()) !== undefined
  if (one.verb === 'delete')
    return !['drivers', 'customers'].includes(one.table) || !(await isUsed(engine, one))
  if (one.verb === 'insert' && (await has(one.table, one.id))) return false
  if (one.table === 'trips')
    return (await has('drivers', one.maybe_driver_id)) && has('customers', one.maybe_customer_id)
  if (one.table === 'pre_bookings') return has('customers', one.customer_id)
  return one.table !== 'invoices' || has('drivers', one.driver_id)
}

async function isUsed({ db }: Engine, { table: from, id: used }: Operation): Promise<boolean> {
  const column = from === 'drivers' ? 'driver_id' : 'customer_id'
  const rows = [
    await db.selectFrom('trips').select('id').where(column, '=', used).executeTakeFirst(),
    await db.selectFrom('pre_bookings').select('id').where(column, '=', used).executeTakeFirst(),
    await db.selectFrom('invoices').select('id').where('driver_id', '=', used).executeTakeFirst(),
  ]
  return rows.some((row) => row !== undefined)
}

async function insert(engine: Engine, one: Operation): Promise<void> {
  const { id: fresh, status: state, amount: cost, paid, deleted, online } = one
  if (one.table === 'drivers') await buildDriver(engine, { id: fresh, deleted, online })
  else if (one.table === 'customers') await buildCustomer(engine, { id: fresh })
  else if (one.table === 'blogs') await buildBlog(engine, { id: fresh, deleted })
  else if (one.table === 'invoices')
    await buildInvoice(engine, { id: fresh, driver_id: one.driver_id, amount: cost, paid })
  else if (one.table === 'pre_bookings')
    await buildBooking(engine, { id: fresh, customer_id: one.customer_id, status: state, amount: cost, paid })
  else
    await buildTrip(engine, {
      id: fresh,
      driver_id: one.maybe_driver_id,
      customer_id: one.maybe_customer_id,
      status: state,
      cost,
    })
}

async function update({ db }: Engine, one: Operation): Promise<void> {
  const { id: known, status: state, amount: cost, paid, deleted, online } = one
  if (one.table === 'drivers')
    await db.updateTable('drivers').set({ deleted, online }).where('id', '=', known).execute()
  else if (one.table === 'customers')
    await db.updateTable('customers').set({ wallet_balance: cost }).where('id', '=', known).execute()
  else if (one.table === 'blogs')
    await db.updateTable('blogs').set({ deleted }).where('id', '=', known).execute()
  else if (one.table === 'invoices')
    await db
      .updateTable('invoices')
      .set({ amount: cost, paid, date_paid: paid ? 1 : null, driver_id: one.driver_id })
      .where('id', '=', known)
      .execute()
  else if (one.table === 'pre_bookings')
    await db
      .updateTable('pre_bookings')
      .set({ status: state, amount: cost, paid, customer_id: one.customer_id })
      .where('id', '=', known)
      .execute()
  else
    await db
      .updateTable('trips')
      .set({
        driver_id: one.maybe_driver_id,
        customer_id: one.maybe_customer_id,
        status: state,
        cost,
      })
      .where('id', '=', known)
      .execute()
}
