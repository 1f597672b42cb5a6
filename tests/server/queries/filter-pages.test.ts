import fc from 'fast-check'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import type { Engine } from '../../../server/db/engine.ts'
import { nouns } from '../../../server/nouns.ts'
import { Page } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import {
  buildBooking,
  buildCoupon,
  buildCustomer,
  buildDriver,
  buildInvite,
  buildInvoice,
  buildPromoCode,
  buildSos,
  buildTrip,
  buildVehicle,
} from '../../support/factories.ts'
import { keptNumbers, recount } from '../../support/recount.ts'
import { read, someTime, useServer } from '../../support/server.ts'
import { repeats } from '../../support/soak.ts'

const Rows = Page(Type.Object({ id: Type.Integer() }))
const hour = 60 * 60_000
/** `someTime` is on this day in Nairobi. */
const today = '2026-03-04'

/** What decides whether a term applies, of every table. */
interface Row {
  id: number
  driver_id?: number | null
  customer_id?: number | null
  trip_id?: number | null
  status?: string
  paid?: number
  deleted?: number
  online?: number
  busy?: number
  redemeed?: number
  handled_at?: number | null
  grace_end_date?: number
  valid_till?: string | null
  date_joined?: number
  created_at?: number
  appointment_date?: number
  invoice_date_added?: number
}
interface Tables {
  row: Row
  invoices: Row[]
  trips: Row[]
}

const inNairobi = (time: number) => new Date(time + 3 * hour).toISOString().slice(0, 10)
const tripOf = ({ row, trips }: Tables) => trips.find(({ id }) => id === row.trip_id)
const statuses = ['Requested', 'Pending', 'Accepted', 'Not Started', 'Ongoing', 'Completed', 'Cancelled']

/** Each term without a value, in plain words over the rows; a list's own meaning stands after its name. */
const plain: Record<string, (given: Tables) => boolean> = {
  ...Object.fromEntries(
    statuses.map((status) => [
      status.toLowerCase().replace(' ', '-'),
      ({ row }: Tables) => row.status === status,
    ]),
  ),
  paid: ({ row }) => row.paid === 1,
  unpaid: ({ row }) => row.paid === 0,
  'drivers unpaid': ({ row, invoices }) =>
    invoices.some(({ driver_id, paid }) => driver_id === row.id && paid === 0),
  overdue: ({ row }) => row.paid === 0 && (row.grace_end_date ?? 0) < someTime,
  suspended: ({ row }) => row.deleted === 1,
  active: ({ row }) => row.deleted === 0,
  online: ({ row }) => row.online === 1,
  offline: ({ row }) => row.online === 0,
  busy: ({ row }) => row.busy === 1,
  redeemed: ({ row }) => row.redemeed === 1,
  expired: ({ row }) => typeof row.valid_till === 'string' && row.valid_till < today,
  running: ({ row }) => !(typeof row.valid_till === 'string' && row.valid_till < today),
  new: ({ row }) => row.handled_at === null,
  handled: ({ row }) => row.handled_at !== null,
}

/** The column with the time that the days of a list are about. */
const times: Record<string, keyof Row> = {
  drivers: 'date_joined',
  customers: 'date_joined',
  pre_bookings: 'appointment_date',
  invoices: 'invoice_date_added',
}

function holds(table: string, term: string, given: Tables): boolean {
  const [name = '', value = ''] = term.split(':')
  const { row } = given
  const day = inNairobi(Number(row[times[table] ?? 'created_at'] ?? 0))
  if (name === 'id') return row.id === Number(value)
  if (name === 'driver') return (tripOf(given) ?? row).driver_id === Number(value)
  if (name === 'customer') return (tripOf(given) ?? row).customer_id === Number(value)
  if (name === 'from') return day >= value
  if (name === 'to') return day <= value
  const dates: Record<string, boolean> = {
    today: day === today,
    yesterday: day === '2026-03-03',
    tomorrow: day === '2026-03-05',
    'this-week': day >= '2026-03-02' && day <= '2026-03-08',
    'this-month': day.startsWith('2026-03'),
  }
  return dates[term] ?? (plain[`${table} ${term}`] ?? plain[term])?.(given) ?? false
}

describe.each(engines)('filters on %s', (name) => {
  const server = useServer(name, { scope: 'suite' })

  test('every term of every list, alone and with days and owners, has the pages and the count of a plain comparison', async () => {
    const { engine } = server()
    await fill(engine, seeded(29))
    // What triggers count has to follow every change.
    await change(engine, seeded(31))
    expect(await keptNumbers(engine.db)).toEqual(await recount(engine))
    const [invoices, trips] = [await allRows(engine, 'invoices'), await allRows(engine, 'trips')]
    for (const { table, softDeleted, list } of nouns) {
      const rows = (await allRows(engine, table)).filter((row) => !softDeleted || row.deleted === 0)
      const given = (row: Row) => ({ row, invoices, trips })
      const value = {
        'id:': '7',
        'driver:': '2',
        'customer:': '3',
        'from:': '2026-02-27',
        'to:': '2026-03-05',
      }
      const terms = list.terms.map(
        (term) => term + (Object.entries(value).find(([of]) => of === term)?.[1] ?? ''),
      )
      const pairs = terms
        .flatMap((one, at) => terms.slice(at + 1).map((other) => [one, other]))
        .filter((_, at) => at % repeats(3, 1) === 0)
      for (const asked of [...terms.map((term) => [term]), ...pairs]) {
        const expected = rows
          .filter((row) => asked.every((term) => holds(table, term, given(row))))
          .map(({ id }) => id)
          .sort((one, other) => other - one)
        const first = await page(list.path, asked, 1)
        const last = await page(list.path, asked, 9)
        const pages = Math.max(Math.ceil(expected.length / 7), 1)
        const what = `${list.path} ${asked.join()}`
        expect([first.count, last.count], what).toEqual([expected.length, expected.length])
        expect(
          first.results.map(({ id }) => id),
          what,
        ).toEqual(expected.slice(0, 7))
        expect(
          last.results.map(({ id }) => id),
          what,
        ).toEqual(expected.slice((pages - 1) * 7, pages * 7))
      }
    }
  })

  const page = async (path: string, terms: string[], number: number) =>
    read(
      await server().get(`/api/v1/oms/${path}?filter=${terms.join(',')}&page=${String(number)}&page_size=7`),
      Rows,
    )
})

/** Answers of `fc.sample` in turn, the same in each run. */
function seeded(seed: number) {
  const numbers = fc.sample(fc.integer({ min: 0, max: 1_000_000 }), { seed, numRuns: 4_000 })
  let at = 0
  const next = (below: number) => (numbers[at++ % numbers.length] ?? 0) % below
  const flag = () => (next(3) === 0 ? (1 as const) : (0 as const))
  return {
    next,
    flag,
    one: <Item>(items: readonly [Item, ...Item[]]) => items[next(items.length)] ?? items[0],
  }
}
type Random = ReturnType<typeof seeded>

/** From five days before to two days after. */
const sometime = ({ next }: Random) => someTime + (next(7 * 48) - 5 * 48) * (hour / 2)
const state = ({ one }: Random) =>
  one(['Requested', 'Accepted', 'Ongoing', 'Completed', 'Cancelled'] as const)
const bookingState = ({ one }: Random) =>
  one(['Pending', 'Accepted', 'Not Started', 'Ongoing', 'Completed', 'Cancelled'] as const)
const validTill = ({ one }: Random) => one([null, '2026-03-03', today, '2026-04-01'] as const)

async function fill(engine: Engine, random: Random): Promise<void> {
  const { next, flag } = random
  const time = () => sometime(random)
  for (let id = 1; id <= 12; id++) {
    await buildDriver(engine, { id, date_joined: time(), online: flag(), busy: flag(), deleted: flag() })
    await buildCustomer(engine, { id, date_joined: time() })
    await buildVehicle(engine, { id, driver_id: id })
  }
  for (let id = 1; id <= 30; id++) {
    const [driver_id, customer_id] = [1 + next(4), 1 + next(4)]
    const created_at = time()
    await buildTrip(engine, { id, driver_id, customer_id, created_at, status: state(random) })
    await buildInvoice(engine, {
      id,
      driver_id,
      paid: flag(),
      invoice_date_added: time(),
      grace_end_date: time(),
    })
    const booking = { status: bookingState(random), appointment_date: time(), paid: flag() }
    await buildBooking(engine, { id, driver_id, customer_id, ...booking })
    await buildInvite(engine, { id, driver_id, customer_id, created_at: time() })
    await buildSos(engine, { id, trip_id: id, created_at: time() })
    await buildCoupon(engine, { id, valid_till: validTill(random), deleted: flag() })
    const code = { valid_till: validTill(random), redemeed: flag(), deleted: flag() }
    await buildPromoCode(engine, { id, customer_id, ...code })
  }
}

async function change({ db }: Engine, random: Random): Promise<void> {
  const { next, flag } = random
  const id = () => 1 + next(30)
  const change = (table: 'trips' | 'invoices' | 'pre_bookings' | 'drivers' | 'sos_logs' | 'promo_codes') =>
    db.updateTable(table).where('id', '=', id())
  for (let times = 0; times < 25; times++) {
    const time = sometime(random)
    await change('trips')
      .set({ status: state(random), created_at: time })
      .execute()
    await change('invoices')
      .set({ driver_id: 1 + next(4), invoice_date_added: time })
      .execute()
    await change('pre_bookings')
      .set({ status: bookingState(random), appointment_date: time })
      .execute()
    await change('drivers')
      .set({ online: flag(), busy: flag(), deleted: flag(), date_joined: time })
      .execute()
    await change('sos_logs')
      .set({ handled_at: flag() ? time : null, created_at: time })
      .execute()
    await change('promo_codes').set({ redemeed: flag(), deleted: flag() }).execute()
    await db.deleteFrom('pre_bookings').where('id', '=', id()).execute()
    await db.deleteFrom('driver_invites').where('id', '=', id()).execute()
  }
}

async function allRows({ db }: Engine, table: string): Promise<Row[]> {
  return (await sql<Row>`select * from ${sql.table(table)}`.execute(db)).rows
}
