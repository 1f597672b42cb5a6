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

/** A condition on `id` that indexes answer without the rows of the table. */
export class IndexedCondition implements Expression<SqlBool> {
  readonly #condition: Condition
  /** Selects exactly the ids of the rows for which the condition holds, as `id`. */
  readonly ids: RawBuilder<{ id: number }>
  /** Whether all ids are read even if only the newest are wanted: it may take long, and to count them costs nothing more. */
  readonly readsAll: boolean
  /** The same ids, for a statement with no other condition, which takes milliseconds and need not be ended early. */
  readonly alone: RawBuilder<{ id: number }>
  /** Selects the number of the ids as `n`; without a row if there are none. */
  readonly counted: RawBuilder<{ n: number }>

  /** `id` is the column of the table with the ids. */
  constructor(
    id: Expression<unknown>,
    ids: RawBuilder<{ id: number }>,
    given: Partial<Pick<IndexedCondition, 'readsAll' | 'alone' | 'counted'>> = {},
  ) {
    this.#condition = sql<SqlBool>`${id} in (${ids})`
    this.ids = ids
    this.readsAll = given.readsAll ?? false
    this.alone = given.alone ?? ids
    this.counted = given.counted ?? sql`select count(*) as n from (${this.alone}) as found`
  }

  get expressionType(): SqlBool | undefined {
    return undefined
  }

  toOperationNode() {
    return this.#condition.toOperationNode()
  }
}

/** Selects the ids of the rows for which the condition holds. `always` holds for every row. */
export function idsWhere(
  table: string,
  condition: Condition,
  always: Condition[] = [],
): RawBuilder<{ id: number }> {
  return condition instanceof IndexedCondition
    ? condition.ids
    : sql`select id from ${sql.table(table)} where ${every([...always, condition])}`
}

/**
 * Rows of the table for which one of the conditions holds, each of which an index answers: every index is asked once. `always` holds
 * for every row.
 */
export function anyIndexed(table: string, conditions: Condition[], always: Condition[]): IndexedCondition {
  const lists = conditions.map((condition) => idsWhere(table, condition, always))
  return new IndexedCondition(sql.ref(`${table}.id`), sql`${sql.join(lists, sql` union `)}`, {
    readsAll: true,
  })
}
