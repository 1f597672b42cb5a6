import type { Expression, RawBuilder, SqlBool } from 'kysely'
import { sql } from 'kysely'

export type Condition = Expression<SqlBool>

/** A statement for the newest ids, so many, of the records for which these conditions hold too. */
export type IdQuery = (also: Condition[], limit: number) => RawBuilder<{ id: number }>

/** Reads the rows newest first until there are enough: for conditions that hold for many of them. */
export const ids =
  (rows: Expression<unknown>, conditions: Condition[]): IdQuery =>
  (also, limit) =>
    sql`select id from ${rows} where ${every([...conditions, ...also])} order by id desc limit ${limit}`

export const every = (conditions: Condition[]): Condition =>
  sql<SqlBool>`(${sql.join(conditions, sql` and `)})`

export const any = (conditions: Condition[]): Condition => sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
