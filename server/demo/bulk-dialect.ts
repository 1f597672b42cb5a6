import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'

type Value = string | number | null
export type Rows = Record<string, Value>[]
export interface Insert {
  text: string
  parameters: unknown[]
}
export interface PlainIndex {
  name: string
  definition: string
}

/** Where the two databases differ when very much is written at once. */
export interface BulkDialect {
  /** Before everything; and after it, even if it failed; and when it is complete. Outside a transaction. */
  open: string[]
  close: string[]
  tidy(tables: readonly string[]): string[]
  /** At the start of every transaction. */
  begin: string[]
  insert(db: Kysely<Database>): Promise<(table: string, columns: string[], rows: Rows) => Iterable<Insert>>
  /** The indexes of the tables that only make reading fast, in a form that makes them again. */
  plainIndexes(db: Kysely<Database>, tables: readonly string[]): Promise<PlainIndex[]>
  empty(tables: readonly string[]): string[]
  /** After rows with ids of their own: the next id is free. */
  resumeIds(tables: readonly string[]): string[]
}
