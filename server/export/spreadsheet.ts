import type { Kysely } from 'kysely'
import type { Readable } from 'node:stream'
import type { Database } from '../db/schema.ts'
import type { RowsQuery } from '../queries/rows.ts'
import { rowsOf } from '../queries/rows.ts'
import { batches } from './batches.ts'
import type { SheetColumn } from './sheet.ts'
import { sheet } from './sheet.ts'

/** A list as a file. `path` is below `/api/v1/oms/`. */
export interface ListFile {
  path: string
  name: string
  content(db: Kysely<Database>): Readable
}

/** The list as a spreadsheet. `rows` reads only what its columns show. */
export function spreadsheet<Row extends { id: number }>({
  path,
  name,
  sheet: title,
  table,
  columns,
  rows,
}: {
  path: string
  name: string
  sheet: string
  table: keyof Database
  columns: readonly SheetColumn<Row>[]
  rows: RowsQuery<Row>
}): ListFile {
  const source = { table, rows: rowsOf(rows) }
  return { path, name, content: (db) => sheet(title, columns, batches(db, source)) }
}
