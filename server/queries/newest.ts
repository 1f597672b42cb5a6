import type { Expression, RawBuilder, SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { Engine } from '../db/engine.ts'
import type { Database } from '../db/schema.ts'

export type Condition = Expression<SqlBool>

/** One question about a row, asked in several ways. */
export interface Match {
  /** Compares row by row, without an index. */
  scan: Condition
  /** Is answered by an index, for the newest so many matches or, without a number, for all; null where no index can. */
  where: ((newest?: number) => Condition) | null
}

/** Where this many of the newest rows hold too few matches, matches are rare enough to be collected from an index. */
const recent = 2000

/**
 * The newest ids of the table that match. An index that does not answer the newest rows first has to collect all matches,
 * which takes long for frequent ones; those are found among the newest rows. Without an index, older rows are not looked at.
 */
export async function newest(
  engine: Engine,
  table: keyof Database,
  { scan, where }: Match,
  filter: Condition[],
  limit: number,
): Promise<number[]> {
  const name = sql.table(table)
  const all = sql`order by id desc limit ${limit}`
  const scanned = sql`select id from (select * from ${name} order by id desc limit ${recent}) as ${name}
    where ${every([scan, ...filter])} ${all}`
  if (!where) return idsOf(engine, scanned)
  if (!engine.newestFirst) {
    const rest = every([where(), ...filter, sql`(select count(*) from scanned) < ${limit}`])
    return idsOf(
      engine,
      sql`with scanned as materialized (${scanned}),
        found as materialized (select id from ${name} where ${rest})
        select id from scanned union select id from found ${all}`,
    )
  }
  const found = await ids(engine, name, [where(recent), ...filter], limit)
  if (found.length >= limit || filter.length === 0) return found
  return indexed(engine, table, [where(), ...filter], limit)
}

/** The newest ids of the table for which all conditions hold. They are collected first and then sorted. */
export function indexed(
  engine: Engine,
  table: keyof Database,
  conditions: Condition[],
  limit: number,
): Promise<number[]> {
  return idsOf(
    engine,
    sql`with found as materialized (select id from ${sql.table(table)} where ${every(conditions)})
      select id from found order by id desc limit ${limit}`,
  )
}

/** The newest ids of the table, for conditions that hold for many rows or that have an index ordered by id. */
export function ids(
  engine: Engine,
  table: Expression<unknown>,
  conditions: Condition[],
  limit: number,
): Promise<number[]> {
  return idsOf(
    engine,
    sql`select id from ${table} where ${every(conditions)} order by id desc limit ${limit}`,
  )
}

const every = (conditions: Condition[]) => sql<SqlBool>`${sql.join(conditions, sql` and `)}`

async function idsOf(engine: Engine, query: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${query}`.execute(engine.db)
  return rows.map(({ id }) => id)
}
