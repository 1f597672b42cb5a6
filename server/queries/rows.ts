import type { Compilable, Expression, Kysely } from 'kysely'
import { sql } from 'kysely'
import { compiledOnce } from '../db/compiled-once.ts'
import type { Database } from '../db/schema.ts'

/** A list of ids, or a subquery that selects them. */
type Ids = number[] | Expression<number>

/**
 * How a list declares its rows: the statement that reads those with some ids, with joined columns, in any order. If the rows take several
 * statements, `read` runs them.
 */
export type RowsQuery<Row> =
  | ((db: Kysely<Database>, ids: Ids) => Compilable<Row>)
  | { read: (db: Kysely<Database>, ids: Ids) => Promise<Row[]> }

/** Reads the rows of a list, with joined columns. */
export interface Rows<Row> {
  /** Those with these ids, in any order. */
  all: (db: Kysely<Database>, ids: Ids) => Promise<Row[]>
  /** The one with this id, if there is one. */
  one: (db: Kysely<Database>, id: number) => Promise<Row | undefined>
}

/** Reads rows as their list declares them. The statement for a single row is compiled once. */
export function rowsOf<Row>(query: RowsQuery<Row>): Rows<Row> {
  if (typeof query !== 'function')
    return { all: query.read, one: async (db, id) => (await query.read(db, [id]))[0] }
  const one = compiledOnce((db, place) => query(db, sql<number>`(${place('id')})`))
  return {
    all: async (db, ids) => (await db.executeQuery(query(db, ids).compile())).rows,
    one: async (db, id) => (await db.executeQuery(one(db, { id }))).rows[0],
  }
}
