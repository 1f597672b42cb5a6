import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Engine } from '../db/engine.ts'
import type { Database } from '../db/schema.ts'
import { tablesOf } from '../db/tables.ts'
import { unfinishedTable } from '../db/unfinished.ts'

export type StoredValue = string | number | null

export interface Table {
  name: string
  columns: string[]
}

/**
 * Not in a backup: what is computed from other tables when it is restored, and what should not outlive it. Sessions end, so
 * that nobody is signed in who signed out after the backup, and failed logins are counted anew.
 */
const leftOut = [
  ...['area_days', 'counters', 'daily', 'hourly', 'id_buckets', 'place_areas'],
  ...['sessions', 'login_attempts', unfinishedTable],
]

/** The tables of a database that a backup holds, with their columns. */
export async function storedTables(engine: Engine, db: Kysely<Database> = engine.db): Promise<Table[]> {
  const derived = engine.derived.flatMap(({ create }) =>
    create.flatMap((statement) => /^create (?:virtual )?table (\w+)/.exec(statement)?.[1] ?? []),
  )
  const tables = await tablesOf({ name: engine.name, db })
  return (
    tables
      .filter(({ name, isView }) => !isView && !leftOut.includes(name))
      // A full-text index of SQLite has tables of its own: drivers_words_data.
      .filter(({ name }) => !derived.some((one) => name === one || name.startsWith(`${one}_`)))
      .map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  )
}

/** Rows of one batch. PostgreSQL answers no more of them at once. */
const batch = 500

/** All rows of a table as arrays, in the order of its columns, for a transaction that reads one snapshot. */
export async function* rowsOf(
  engine: Engine,
  trx: Kysely<Database>,
  { name, columns }: Table,
): AsyncGenerator<StoredValue[]> {
  const rows = engine.name === 'sqlite' ? streamed(trx, name) : fetched(trx, name)
  for await (const row of rows) {
    if (name === 'meta' && String(row['name']).startsWith('derived.')) continue
    yield columns.map((column) => storable(row[column], `${name}.${column}`))
  }
}

type Row = Record<string, unknown>

function streamed(trx: Kysely<Database>, table: string): AsyncIterable<Row> {
  return trx
    .selectFrom(sql<Row>`${sql.table(table)}`.as('t'))
    .selectAll()
    .stream(batch)
}

async function* fetched(trx: Kysely<Database>, table: string): AsyncGenerator<Row> {
  await sql`declare backup_rows no scroll cursor for select * from ${sql.table(table)}`.execute(trx)
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(batch)} from backup_rows`.execute(trx)
    if (rows.length === 0) break
    yield* rows
  }
  await sql`close backup_rows`.execute(trx)
}

/** JSON keeps texts, null, and numbers that are exact in JavaScript. Throws for anything else: it would be lost unnoticed. */
function storable(value: unknown, where: string): StoredValue {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'number' && Number.isFinite(value))
    if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value
  throw new Error(`A value of ${where} cannot be stored in a backup.`)
}
