import type { Expression, Kysely, SqlBool } from 'kysely'
import { sql } from 'kysely'
import { termCounter } from '../db/buckets.ts'
import { dayLength, nairobiOffset } from '../db/hours.ts'
import type { Database } from '../db/schema.ts'
import { DayCondition, PastCondition, TermCondition } from './filter.ts'

/** How many records fulfil conditions. If these are about times, none of the records has an id below `low` or above `high`. */
export interface KeptCount {
  n: number
  low: number
  high: number
}

/**
 * From what triggers count: the records of a list that fulfil at most one term and belong to some days, or whose time is over.
 * Null if that is not what the conditions say.
 */
export async function keptCount(
  db: Kysely<Database>,
  table: string,
  conditions: readonly Expression<SqlBool>[],
): Promise<KeptCount | null> {
  const [only, ...others] = conditions
  if (only instanceof PastCondition && others.length === 0) return countPast(db, table, only)
  const terms = new Set(conditions.flatMap((one) => (one instanceof TermCondition ? one.term : [])))
  const days = conditions.filter((one) => one instanceof DayCondition)
  const isOther = conditions.some((one) => !(one instanceof TermCondition || one instanceof DayCondition))
  const [term = ''] = terms
  if (isOther || terms.size > 1) return null
  if (days.length > 0) {
    const within = days.flatMap(({ from, before }) => [
      ...(from === null ? [] : [sql<SqlBool>`day >= ${dayOf(from)}`]),
      ...(before === null ? [] : [sql<SqlBool>`day < ${dayOf(before)}`]),
    ])
    return sumOfDays(db, table, term, within)
  }
  if (!term) return null
  const { rows } = await sql<{ n: number }>`select coalesce(sum(value), 0) as n
    from counters where name = ${termCounter(table, term)}`.execute(db)
  return { n: rows[0]?.n ?? 0, low: 0, high: 0 }
}

/** The days before today are counted; those of today whose time is over are few. */
async function countPast(
  db: Kysely<Database>,
  table: string,
  { term, now, today }: PastCondition,
): Promise<KeptCount> {
  const day = Math.floor(dayOf(now))
  const before = sql`case when day < ${day} then n else 0 end`
  const { n, low, high } = await sumOfDays(db, table, term, [sql<SqlBool>`day <= ${day}`], before)
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from ${sql.table(table)} where ${today}`.execute(db)
  return { n: n + (rows[0]?.n ?? 0), low, high }
}

async function sumOfDays(
  db: Kysely<Database>,
  table: string,
  term: string,
  within: Expression<SqlBool>[],
  n: Expression<unknown> = sql`n`,
): Promise<KeptCount> {
  const { rows } = await sql<KeptCount>`
    select coalesce(sum(${n}), 0) as n, coalesce(min(low), 0) as low, coalesce(max(high), 0) as high
    from daily where entity = ${table} and term = ${term} and ${sql.join(within, sql` and `)}`.execute(db)
  return rows[0] ?? { n: 0, low: 0, high: 0 }
}

/** Days in Nairobi since 1970. */
const dayOf = (time: number) => (time + nairobiOffset) / dayLength
