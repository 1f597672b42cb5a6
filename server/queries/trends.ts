import { sql } from 'kysely'
import type { Trends } from '../../src/api/contract.ts'
import type { Engine } from '../db/engine.ts'
import { hourLength, nairobiOffset } from '../db/hours.ts'
import { commissionOf } from './analytics.ts'
import { iso, ksh } from './wire.ts'

/** The periods that can be asked for, in days that end with today. Today alone is told by the hour. */
export const periods = [1, 14, 90] as const

/** From the counters that triggers maintain for each hour. docs/figures.md defines each figure. */
export async function readTrends(
  engine: Engine,
  days: (typeof periods)[number],
  now: number,
): Promise<Trends> {
  const last = Math.floor((now + nairobiOffset) / hourLength)
  const first = last - (last % 24) - (days - 1) * 24
  const step = days === 1 ? 1 : 24
  const points = await sums(engine, first, last, step)
  const before = await sums(engine, first - days * 24, last - days * 24, days * 24)
  const starts = Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, nth) => first + nth * step)
  return {
    as_of: iso(now),
    days,
    points: starts.map((start) => ({
      at: iso(start * hourLength - nairobiOffset),
      ...figuresOf(points.filter((one) => one.from === start)),
    })),
    before: figuresOf(before),
    areas: await areas(engine, Math.floor(first / 24), Math.floor(last / 24)),
  }
}

interface Sum {
  entity: string
  /** The first hour that it adds up. */
  from: number
  n: number
  amount: number
}

/** By table, the sums of the hours from `first` to `last`, for each `step` hours. */
async function sums({ db }: Engine, first: number, last: number, step: number): Promise<Sum[]> {
  const tables = ['trips', 'pre_bookings', 'invoices', 'drivers', 'customers', 'sos_logs']
  const { rows } = await sql<{ entity: string; nth: number; n: number; amount: number }>`
    select entity, (hour - ${sql.lit(first)}) / ${sql.lit(step)} as nth, sum(n) as n, sum(amount) as amount from hourly
    where entity in (${sql.join(tables)}) and hour between ${first} and ${last} group by 1, 2`.execute(db)
  return rows.map(({ nth, ...row }) => ({ ...row, from: first + nth * step }))
}

/** The days are counted from 1970 in Nairobi. */
async function areas({ db }: Engine, first: number, last: number): Promise<Trends['areas']> {
  const sums = await db
    .selectFrom('area_days')
    .select(({ fn }) => ['area', fn.sum<number>('n').as('trips'), fn.sum<number>('amount').as('fares')])
    .where('day', '>=', first)
    .where('day', '<=', last)
    .groupBy('area')
    .having(({ fn }) => fn.sum('n'), '>', 0)
    .orderBy('trips', 'desc')
    .orderBy('area')
    .execute()
  return sums.map(({ area, trips, fares }) => ({ area: area || null, trips, fares: ksh(fares) }))
}

function figuresOf(sums: Sum[]): Trends['before'] {
  const of = (table: string) => sums.find(({ entity }) => entity === table) ?? { n: 0, amount: 0 }
  const fares = of('trips').amount
  return {
    trips: of('trips').n,
    fares: ksh(fares),
    commission: ksh(commissionOf(fares + of('pre_bookings').amount)),
    cash: ksh(of('invoices').amount),
    drivers: of('drivers').n,
    customers: of('customers').n,
    sos: of('sos_logs').n,
  }
}
