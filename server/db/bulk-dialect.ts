import type { Kysely } from 'kysely'
import type { Engine } from './engine.ts'
import type { Database } from './schema.ts'

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
export interface ForeignKey {
  table: string
  name: string
  definition: string
}

/** A second connection, on which a load computes what is derived from its rows while it goes on. */
export interface SecondConnection {
  /** Begins with the indexes of texts of these tables, as far as their rows are written. These come in the order of ids. */
  written(tables: readonly string[]): Promise<void>
  /** The same for tables that have all their rows. */
  filled(tables: readonly string[]): Promise<void>
  /** Begins to compute what these statements write into rows. None of them reads what another one updates. */
  summed(statements: readonly string[]): Promise<void>
  /** Writes what `summed` computes. Nothing else may write until it resolves. */
  updated(): Promise<void>
  /** Begins with these numbers (`recountTables`), for which all is computed that they are computed from. */
  counted(statements: readonly string[]): Promise<void>
  /** Resolves when all that has begun is done. */
  done(): Promise<void>
  /** What is left to do then, while nothing else runs. */
  steps: (() => Promise<unknown>)[]
  /** Ends what has begun. */
  close(): Promise<void>
}

/** How each engine writes many rows fast. Each list holds SQL statements. */
export interface BulkDialect {
  /**
   * Run outside a transaction: `open` before a load, `close` after it (even a failed one), `tidy` after a complete one. The scripts of
   * `tidy` can run side by side.
   */
  open: string[]
  close: string[]
  tidy(tables: readonly string[]): string[][]
  /** Run at the start of every transaction. */
  begin: string[]
  /** The statements that build what is derived, as they are fast for many rows. */
  derive(statements: readonly string[]): string[]
  /** To be opened after `open` and closed before `close`. */
  second(engine: Engine): Promise<SecondConnection>
  insert(db: Kysely<Database>): Promise<(table: string, columns: string[], rows: Rows) => Iterable<Insert>>
  /** The indexes of the tables that only speed up reads, with the statements that create them again. */
  plainIndexes(db: Kysely<Database>, tables: readonly string[]): Promise<PlainIndex[]>
  /** The foreign keys of the tables that can be dropped, and checked for all rows at once when they are added again. */
  foreignKeys(db: Kysely<Database>, tables: readonly string[]): Promise<ForeignKey[]>
  empty(tables: readonly string[]): string[]
  /** Sets the sequences of ids, after rows were inserted with explicit ids, so that the next id is free. */
  resumeIds(tables: readonly string[]): string[]
}
