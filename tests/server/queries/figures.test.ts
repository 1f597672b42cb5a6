import fc from 'fast-check'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { Analytics, Page, PreBooking } from '../../../src/api/contract.ts'
import type { Engine } from '../../../server/db/engine.ts'
import { engines } from '../../support/engines.ts'
import { buildBooking, buildCustomer, buildDriver, buildInvoice, buildTrip } from '../../support/factories.ts'
import { repeats } from '../../support/soak.ts'
import { read, useServer } from '../../support/server.ts'

/** Figures that count records: the list that the dashboard links to. */
const counts = [
  ['total_riders', 'drivers/', ''],
  ['total_suspended_riders', 'drivers/', 'suspended'],
  ['total_customers', 'customers/', ''],
  ['total_completed_trips', 'trips/', 'completed'],
  ['total_failed_trips', 'trips/', 'cancelled'],
  ['total_bookings', 'pre-bookings/', ''],
  ['total_ongoing_bookings', 'pre-bookings/', 'ongoing'],
  ['total_completed_bookings', 'pre-bookings/', 'completed'],
  ['total_pending_bookings', 'pre-bookings/', 'pending'],
] as const

const Amounts = Page(Type.Object({ amount: Type.Number() }))
const Costs = Page(Type.Object({ cost: Type.Number() }))
const Bookings = Page(PreBooking)
const Records = Page(Type.Object({ id: Type.Integer() }))

const flag = fc.constantFrom(0 as const, 1 as const)
const amount = fc.integer({ min: 0, max: 100_000_000 })
const status = fc.constantFrom(
  ...[
    'Requested',
    'Accepted',
    'Ongoing',
    'Completed',
    'Cancelled',
    'Pending',
    'Not Started',
    'completed',
    '',
  ],
)
const many = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 14 })
const records = fc.record({
  drivers: many(flag),
  customers: fc.integer({ min: 0, max: 6 }),
  trips: many(fc.record({ status, cost: amount })),
  bookings: many(fc.record({ status, amount, paid: flag })),
  invoices: many(fc.record({ amount, paid: flag })),
})
type Records = typeof records extends fc.Arbitrary<infer Value> ? Value : never

describe.each(engines)('the records that a figure of the dashboard links to, on %s', (name) => {
  const server = useServer(name, { scope: 'suite' })
  const page = (list: string, filter: string, number: number) =>
    server().get(`/api/v1/oms/${list}?page=${String(number)}&page_size=5${filter && `&filter=${filter}`}`)

  /** The cents of a field over all pages of a list. */
  async function sumOf(
    list: string,
    filter: string,
    centsIn: (answer: Awaited<ReturnType<typeof page>>) => number[],
  ) {
    let sum = 0
    for (let number = 1; ; number++) {
      const answer = await page(list, filter, number)
      sum += centsIn(answer).reduce((all, one) => all + one, 0)
      if (number >= read(answer, Records).total_pages) return sum
    }
  }
  const cents = (ksh: number) => Math.round(ksh * 100)
  const invoiced = (filter: string) =>
    sumOf('all-invoices/', filter, (one) => read(one, Amounts).results.map(({ amount }) => cents(amount)))

  test('make it up exactly, for random records (S3.1)', async () => {
    const { engine, get } = server()
    await fc.assert(
      fc.asyncProperty(records, async (given) => {
        await write(engine, given)
        const figures = read(await get('/api/v1/oms/analytics/'), Analytics)
        for (const [figure, list, filter] of counts) {
          let seen = 0
          const { count, total_pages } = read(await page(list, filter, 1), Records)
          for (let number = 1; number <= total_pages; number++)
            seen += read(await page(list, filter, number), Records).results.length
          expect([count, seen], figure).toEqual([figures[figure], figures[figure]])
        }
        expect(await invoiced('paid')).toBe(cents(figures.cash_in_hand))
        expect(await invoiced('unpaid')).toBe(cents(figures.pending_reconciliation))
        expect(await invoiced('')).toBe(cents(figures.total_revenue))
        const fares = await sumOf('trips/', 'completed', (one) =>
          read(one, Costs).results.map(({ cost }) => cents(cost)),
        )
        const booked = await sumOf('pre-bookings/', 'paid', (one) =>
          read(one, Bookings).results.map(({ slot }) => cents(slot.amount)),
        )
        expect(fares + booked).toBe(cents(figures.total_amount))
      }),
      { numRuns: repeats(8, 60), seed: 24, plugins: [fc.afterEach(() => empty(engine))] },
    )
  })
})

async function write(engine: Engine, { drivers, customers, trips, bookings, invoices }: Records) {
  for (const deleted of drivers) await buildDriver(engine, { deleted })
  for (let nth = 0; nth < customers; nth++) await buildCustomer(engine)
  for (const trip of trips) await buildTrip(engine, trip)
  for (const booking of bookings) await buildBooking(engine, booking)
  if (invoices.length === 0) return
  const { id: driver_id } = await buildDriver(engine)
  for (const invoice of invoices) await buildInvoice(engine, { driver_id, ...invoice })
}

async function empty({ db }: Engine): Promise<void> {
  for (const table of ['invoices', 'pre_bookings', 'trips', 'drivers', 'customers'] as const)
    await db.deleteFrom(table).execute()
}
