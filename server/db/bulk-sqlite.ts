import { sql } from 'kysely'
import type { BulkDialect, Insert, PlainIndex, Rows } from './bulk-dialect.ts'
import { mostValues } from './prepared-values.ts'

export const sqliteBulk: BulkDialect = {
  // No foreign key checks: the generator refers only to rows that it wrote, and a restore checks all rows at its end.
  // `temp_store = file`: sorting a million rows takes too much memory. A sort takes as much memory as the cache, 16 MiB instead of 32.
  // Two threads help to sort what goes into an index.
  open: [
    'pragma foreign_keys = off',
    'pragma temp_store = file',
    'pragma cache_size = -16384',
    'pragma threads = 2',
  ],
  close: [
    'pragma threads = 0',
    'pragma cache_size = -32768',
    'pragma temp_store = memory',
    'pragma foreign_keys = on',
  ],
  tidy: () => ['pragma wal_checkpoint(truncate)'],
  begin: [],
  derive: (statements) => statements.flatMap((statement) => [statement, ...withLargerHash(statement)]),
  insert: async () => Promise.resolve(inserts),
  plainIndexes: async (db, tables) => {
    const { rows } = await sql<PlainIndex>`
      select name, sql as definition from sqlite_master
      where type = 'index' and sql like 'create index %' and tbl_name in (${sql.join(tables)})`.execute(db)
    return rows
  },
  foreignKeys: () => Promise.resolve([]),
  empty: (tables) => tables.map((table) => `delete from ${table}`),
  resumeIds: () => [],
}

/**
 * FTS5 collects terms in memory before it writes them: by default 1 MiB of them, so that it merges what it wrote four times
 * as often. The setting stays in the index, where it only concerns transactions with as many terms.
 */
function withLargerHash(statement: string): string[] {
  const [, index] = /^create virtual table (\w+) using fts5\(/.exec(statement) ?? []
  return index ? [`insert into ${index} (${index}, rank) values ('hashsize', ${4 * 1024 ** 2})`] : []
}

/** As many rows in each statement as one that is kept prepared may have. */
function* inserts(table: string, columns: string[], rows: Rows): Generator<Insert> {
  if (rows.length === 0) return
  const batch = Math.max(1, Math.floor(mostValues / columns.length))
  const whole = rows.length - (rows.length % batch)
  const many = insertText(table, columns, batch)
  const one = insertText(table, columns, 1)
  for (let from = 0; from < rows.length;) {
    const to = from < whole ? from + batch : from + 1
    const parameters: unknown[] = []
    for (; from < to; from++) for (const column of columns) parameters.push(rows[from]?.[column] ?? null)
    yield { text: parameters.length > columns.length ? many : one, parameters }
  }
}

function insertText(table: string, columns: string[], count: number): string {
  const row = `(${columns.map(() => '?').join(', ')})`
  return `insert into ${table} (${columns.join(', ')}) values ${Array.from({ length: count }, () => row).join(', ')}`
}
