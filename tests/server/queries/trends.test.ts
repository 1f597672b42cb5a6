import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Trends } from '../../../src/api/contract.ts'
import type { Engine } from '../../../server/db/engine.ts'
import { engines } from '../../support/engines.ts'
import {
  buildBooking,
  buildCustomer,
  buildDriver,
  buildInvoice,
  buildSos,
  buildTrip,
} from '../../support/factories.ts'
import { keptNumbers, recount } from '../../support/recount.ts'
import { read, someTime, useServer } from '../../support/server.ts'
import { repeats } from '../../support/soak.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour
const nothing = { trips: 0, fares: 0, commission: 0, cash: 0, drivers: 0, customers: 0, sos: 0 }
const periods = [1, 14, 90]

describe.each(engines)('the trends on %s', (name) => {
  const server = useServer(name)
  const trends = async (query = '') => read(await server().get(`/api/v1/oms/trends/${query}`), Trends)

  test.each([
    ['', 14],
    ['?days=90', 90],
    ['?days=1', 1],
    ['?days=15', 14],
    ['?days=x&days=90', 90],
    ['?days=__proto__', 14],
  ])('%j asks for %i days', async (query, days) => {
    expect((await trends(query)).days).toBe(days)
  })

  test('have a point for each day in Nairobi up to today, or for each hour up to now', async () => {
    // 23:30 on 3 March in UTC is 02:30 on 4 March in Nairobi.
    server().clock.now = Date.UTC(2026, 2, 3, 23, 30)
    const { as_of, points, before } = await trends()
    expect(as_of).toBe('2026-03-03T23:30:00.000Z')
    expect(points).toHaveLength(14)
    expect(points[0]).toEqual({ at: '2026-02-18T21:00:00.000Z', ...nothing })
    expect(points.at(-1)?.at).toBe('2026-03-03T21:00:00.000Z')
    expect(before).toEqual(nothing)
    expect((await trends('?days=1')).points.map(({ at }) => at)).toEqual([
      '2026-03-03T21:00:00.000Z',
      '2026-03-03T22:00:00.000Z',
      '2026-03-03T23:00:00.000Z',
    ])
  })

  test('count completed trips, paid bookings and invoices, sign-ups and SOS logs when they happened', async () => {
    const { engine, clock } = server()
    clock.now = someTime
    const at = someTime - 2 * day
    const driver = await buildDriver(engine, { date_joined: at })
    const customer = await buildCustomer(engine, { date_joined: at })
    const customer_id = customer.id
    const trip = await buildTrip(engine, { created_at: at, cost: 100_050 })
    await buildTrip(engine, { created_at: at, cost: 7_777, status: 'Cancelled' })
    await buildBooking(engine, { created_at: at, customer_id, amount: 50_000, paid: 1 })
    await buildBooking(engine, { created_at: at, customer_id, amount: 90_000 })
    await buildInvoice(engine, { driver_id: driver.id, amount: 3_000, paid: 1, date_paid: at })
    await buildInvoice(engine, { driver_id: driver.id, amount: 4_000 })
    await buildSos(engine, { trip_id: trip.id, created_at: at })
    const { points } = await trends()
    expect(points.at(-3)).toMatchObject({
      ...{ trips: 1, fares: 1_000.5, commission: 270.09, cash: 30 },
      ...{ drivers: 1, customers: 1, sos: 1 },
    })
    expect(points.filter(({ trips }) => trips > 0)).toHaveLength(1)
  })

  test('count the completed trips of the days by the town of the place where they began, most trips first', async () => {
    const { engine, clock } = server()
    clock.now = someTime
    const begin = (start_name: string, days = 0, status = 'Completed') =>
      buildTrip(engine, { start_name, created_at: someTime - days * day, status, cost: 20_050 })
    await begin('Sarit Centre')
    await begin('Westgate Shopping Mall', 13)
    await begin('Nairobi', 13)
    await begin('Fort Jesus', 1)
    await begin("Somebody's house", 1)
    await begin("Somebody's house", 1)
    await begin('Sarit Centre', 14)
    await begin('Sarit Centre', -1)
    await begin('Sarit Centre', 1, 'Cancelled')
    expect((await trends()).areas).toEqual([
      { area: 'Nairobi', trips: 3, fares: 601.5 },
      { area: null, trips: 2, fares: 401 },
      { area: 'Mombasa', trips: 1, fares: 200.5 },
    ])
    expect((await trends('?days=1')).areas).toEqual([{ area: 'Nairobi', trips: 1, fares: 200.5 }])
  })

  test('count a trip in another town once its place is another one, also a place with an apostrophe', async () => {
    const { engine, clock } = server()
    clock.now = someTime
    const { id } = await buildTrip(engine, { start_name: 'Sarit Centre', created_at: someTime, cost: 20_050 })
    await engine.db.updateTable('trips').set({ start_name: "Chanler's Falls" }).where('id', '=', id).execute()
    expect((await trends()).areas).toEqual([{ area: 'Archers Post', trips: 1, fares: 200.5 }])
  })

  test('clearing an invoice adds its amount to the cash of this hour (S4.6)', async () => {
    const { engine, clock, send } = server()
    clock.now = someTime
    const driver = await buildDriver(engine)
    const { id: invoice_id } = await buildInvoice(engine, { driver_id: driver.id, amount: 123_456 })
    await send('/api/v1/oms/invoice/update/', { invoice_id })
    await send('/api/v1/oms/invoice/update/', { invoice_id })
    expect((await trends('?days=1')).points.at(-1)?.cash).toBe(1_234.56)
  })

  test('the sums before are of as many days before, up to the same hour', async () => {
    const { engine, clock } = server()
    clock.now = someTime
    const ago = (days: number, hours: number) =>
      buildTrip(engine, { created_at: someTime - days * day + hours * hour })
    for (const hours of [-1, 0, 1]) await ago(14, hours)
    expect((await trends()).before.trips).toBe(2)
    await ago(1, 0)
    expect((await trends('?days=1')).before.trips).toBe(1)
  })

  test('equal plain queries after random inserts, updates and deletes', async () => {
    const { engine, clock } = server()
    clock.now = someTime
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 40 }), async (operations) => {
        await prepare(engine)
        for (const one of operations) await run(engine, one)
        const { hours, areas: kept } = await keptNumbers(engine.db)
        const { hours: countedHours, areas: counted } = await recount(engine)
        expect([hours, kept]).toEqual([countedHours, counted])
        for (const days of periods) {
          const { points, before, areas } = await trends(`?days=${String(days)}`)
          const length = days === 1 ? hour : day
          for (const { at, ...figures } of points) {
            const from = Date.parse(at)
            const to = Math.min(from + length, endOfHour(clock.now))
            expect(figures, at).toEqual(await plain(engine, from, to))
          }
          const from = Date.parse(points[0]?.at ?? '') - days * day
          expect(byName(areas)).toEqual(byName(await plainAreas(engine, days)))
          expect(before).toEqual(await plain(engine, from, endOfHour(clock.now) - days * day))
        }
      }),
      { numRuns: repeats(6, 60), seed: 24, plugins: [fc.afterEach(() => empty(engine))] },
    )
  })
})

const byName = (areas: Trends['areas']) =>
  areas.toSorted((a, b) => String(a.area).localeCompare(String(b.area)))

const endOfHour = (time: number) => (Math.floor(time / hour) + 1) * hour

const tables = ['trips', 'pre_bookings', 'invoices', 'drivers', 'customers', 'sos_logs'] as const
/** Near the limits of hours, days and periods, and between them. */
const time = fc
  .tuple(
    fc.constantFrom(0, 0, 1, 13, 14, 27, 28, 89, 90, 179, 180),
    fc.integer({ min: -25, max: 25 }),
    fc.constantFrom(-1, 0, 1, 1_000_000),
  )
  .map(([days, hours, more]) => Math.floor(someTime / hour) * hour - days * day + hours * hour + more)
const operation = fc.record({
  table: fc.constantFrom(...tables),
  verb: fc.constantFrom('insert', 'insert', 'update', 'delete'),
  id: fc.integer({ min: 1, max: 5 }),
  time,
  status: fc.constantFrom('Completed', 'Completed', 'Cancelled', 'Ongoing'),
  amount: fc.integer({ min: 0, max: 1_000_000 }),
  place: fc.constantFrom('Sarit Centre', 'Nairobi', 'Fort Jesus', 'Nowhere', ''),
  paid: fc.constantFrom(0 as const, 1 as const),
})
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never

/** What the records refer to; no operation touches it. */
const fixed = 100

async function prepare(engine: Engine): Promise<void> {
  await buildDriver(engine, { id: fixed, date_joined: 1 })
  await buildCustomer(engine, { id: fixed, date_joined: 1 })
  await buildTrip(engine, { id: fixed, created_at: 1 })
}

/** A change that is not possible, for example of a missing row, is skipped. */
async function run(engine: Engine, one: Operation): Promise<void> {
  const { table, verb, id } = one
  const row = await engine.db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()
  if (verb === 'delete') await engine.db.deleteFrom(table).where('id', '=', id).execute()
  else if (verb === 'insert' && !row) await insert(engine, one)
  else if (verb === 'update') await update(engine, one)
}

async function insert(engine: Engine, { table, id, time: at, status, amount, paid, place }: Operation) {
  if (table === 'drivers') await buildDriver(engine, { id, date_joined: at })
  else if (table === 'customers') await buildCustomer(engine, { id, date_joined: at })
  else if (table === 'trips')
    await buildTrip(engine, { id, created_at: at, status, cost: amount, start_name: place })
  else if (table === 'invoices')
    await buildInvoice(engine, { id, driver_id: fixed, amount, paid, date_paid: paid ? at : null })
  else if (table === 'pre_bookings')
    await buildBooking(engine, { id, customer_id: fixed, created_at: at, amount, paid })
  else await buildSos(engine, { id, trip_id: fixed, created_at: at })
}

async function update({ db }: Engine, { table, id, time: at, status, amount, paid, place }: Operation) {
  const date_paid = paid ? at : null
  if (table === 'drivers')
    await db.updateTable(table).set({ date_joined: at, deleted: paid }).where('id', '=', id).execute()
  else if (table === 'customers')
    await db.updateTable(table).set({ date_joined: at }).where('id', '=', id).execute()
  else if (table === 'trips')
    await db
      .updateTable(table)
      .set({ created_at: at, status, cost: amount, start_name: place })
      .where('id', '=', id)
      .execute()
  else if (table === 'invoices')
    await db.updateTable(table).set({ amount, paid, date_paid }).where('id', '=', id).execute()
  else if (table === 'pre_bookings')
    await db.updateTable(table).set({ created_at: at, amount, paid }).where('id', '=', id).execute()
  else await db.updateTable(table).set({ created_at: at }).where('id', '=', id).execute()
}

/** The figures from `from` to before `to`, from the rows themselves. */
async function plain({ db }: Engine, from: number, to: number): Promise<Trends['before']> {
  const isIn = (at: number | null) => at !== null && at >= from && at < to
  const sum = (amounts: number[]) => amounts.reduce((all, one) => all + one, 0)
  const trips = (await db.selectFrom('trips').selectAll().execute()).filter(
    (one) => one.status === 'Completed' && isIn(one.created_at),
  )
  const bookings = await db.selectFrom('pre_bookings').selectAll().where('paid', '=', 1).execute()
  const invoices = await db.selectFrom('invoices').selectAll().where('paid', '=', 1).execute()
  const drivers = await db.selectFrom('drivers').select('date_joined').execute()
  const customers = await db.selectFrom('customers').select('date_joined').execute()
  const logs = await db.selectFrom('sos_logs').select('created_at').execute()
  const fares = sum(trips.map(({ cost }) => cost))
  const booked = sum(bookings.filter((one) => isIn(one.created_at)).map(({ amount }) => amount))
  return {
    trips: trips.length,
    fares: fares / 100,
    commission: Math.round((fares + booked) * 0.18) / 100,
    cash: sum(invoices.filter((one) => isIn(one.date_paid)).map(({ amount }) => amount)) / 100,
    drivers: drivers.filter((one) => isIn(one.date_joined)).length,
    customers: customers.filter((one) => isIn(one.date_joined)).length,
    sos: logs.filter((one) => isIn(one.created_at)).length,
  }
}

/** The areas of the days in Nairobi up to today, from the trips themselves. */
async function plainAreas({ db }: Engine, days: number): Promise<Trends['areas']> {
  const towns = new Map([
    ['Sarit Centre', 'Nairobi'],
    ['Nairobi', 'Nairobi'],
    ['Fort Jesus', 'Mombasa'],
  ])
  const dayOf = (at: number) => Math.floor((at + 3 * hour) / day)
  const today = dayOf(someTime)
  const trips = (await db.selectFrom('trips').selectAll().where('status', '=', 'Completed').execute()).filter(
    ({ created_at: at }) => dayOf(at) > today - days && dayOf(at) <= today,
  )
  const grouped = Map.groupBy(trips, ({ start_name }) => towns.get(start_name) ?? null)
  return [...grouped].map(([area, began]) => ({
    area,
    trips: began.length,
    fares: began.reduce((sum, { cost }) => sum + cost, 0) / 100,
  }))
}

async function empty({ db }: Engine): Promise<void> {
  for (const table of ['sos_logs', 'invoices', 'pre_bookings', 'trips', 'drivers', 'customers'] as const)
    await db.deleteFrom(table).execute()
}
