import type { Expression, SqlBool } from 'kysely'
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
  const stopsEarly = engine.newestFirst && where !== null
  const rows = sql`(select * from ${sql.table(table)} order by id desc limit ${recent}) as ${sql.table(table)}`
  const found = stopsEarly
    ? await ids(engine, sql.table(table), [where(recent), ...filter], limit)
    : await ids(engine, rows, [scan, ...filter], limit)
  if (!where || found.length >= limit || (stopsEarly && filter.length === 0)) return found
  return indexed(engine, table, [where(), ...filter], limit)
}

/** The newest ids of the table for which all conditions hold. They are collected first and then sorted. */
export function indexed(
  engine: Engine,
  table: keyof Database,
  conditions: Condition[],
  limit: number,
): Promise<number[]> {
  const all = sql`select id from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}`
  return ids(engine, sql`(with found as materialized (${all}) select id from found) as found`, [], limit)
}

/** The newest ids of the table, for conditions that hold for many rows or that have an index ordered by id. */
export function ids(
  engine: Engine,
  from: Expression<unknown>,
  conditions: Condition[],
  limit: number,
): Promise<number[]> {
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``
  return sql<{ id: number }>`select id from ${from} ${where} order by id desc limit ${limit}`
    .execute(engine.db)
    .then(({ rows }) => rows.map(({ id }) => id))
}
