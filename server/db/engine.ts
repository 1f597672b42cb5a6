import type { Expression, Kysely, QueryExecutorProvider, SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { Database } from './schema.ts'

/** Where the two databases differ; everything else is one query in Kysely for both. */
export interface Engine {
  name: 'sqlite' | 'postgres'
  db: Kysely<Database>
  /** What a migration's placeholders stand for. */
  dialect: Dialect
  /** Statements at the start of a transaction that may take minutes: a migration, a rebuild. */
  withoutTimeout: string[]
  /**
   * Rows of `table` whose column contains every text, taken literally; texts must be folded as the column is. The column
   * `search` is compared in its plain form.
   */
  contains(table: string, column: string, ...texts: string[]): Expression<SqlBool>
  /** The SQL for the form of a folded text in which its words are compared (server/words.ts). */
  plain(text: string): string
  /** Rows of `table` whose column begins with these digits. */
  startsWith(table: string, column: string, digits: string): Expression<SqlBool>
  derived: Derived[]
  /** The HTTP status for an error of the database itself (unavailable, full); null for any other error. */
  statusOf(error: unknown): 503 | 507 | null
  close(): Promise<void>
}

/** How one engine writes the parts of a migration in which the two differ; `table_end` follows `create table (…)`. */
export type Dialect = Record<'id' | 'integer' | 'real' | 'table_end', string>

/** Parts of the schema that are computed from definitions in the code, and that can be rebuilt from the rows. */
export interface Derived {
  /** `numbers`: counters, buckets and totals with their triggers. `trigrams`: the search indexes. */
  name: 'numbers' | 'trigrams'
  /** Statements that create the triggers or indexes, and that drop them; one line each. */
  create: string[]
  drop: string[]
  /** Statements that compute the stored values from the rows, to be run while the triggers are dropped. */
  compute: string[]
}

export async function runAll(db: QueryExecutorProvider, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** `%`, `_` and `\` are ordinary characters in a search (rulings, lists). For `like … escape '\'`. */
export function likePattern(text: string): string {
  return `%${escapeLike(text)}%`
}

export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
