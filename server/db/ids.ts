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

/** A condition on `id` that an index answers without the rows of the table: the index has exactly these, as `rowid`. */
export class IndexedCondition implements Expression<SqlBool> {
  readonly #condition: Condition
  readonly index: Expression<unknown>
  readonly matches: Condition

  /** `id` is the column of the table with the ids. */
  constructor(id: Expression<unknown>, index: Expression<unknown>, matches: Condition) {
    this.#condition = sql<SqlBool>`${id} in (select rowid from ${index} where ${matches})`
    this.index = index
    this.matches = matches
  }

  get expressionType(): SqlBool | undefined {
    return undefined
  }

  toOperationNode() {
    return this.#condition.toOperationNode()
  }
}

/** Selects the ids of the rows for which the condition holds. */
export function idsWhere(table: string, condition: Condition): RawBuilder<{ id: number }> {
  return condition instanceof IndexedCondition
    ? sql`select rowid as id from ${condition.index} where ${condition.matches}`
    : sql`select id from ${sql.table(table)} where ${condition}`
}
