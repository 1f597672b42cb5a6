import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Engine } from '../db/engine.ts'
import type { Database, ListedTable } from '../db/schema.ts'

const size = 500

/** All rows of a table, newest first, in batches that never hold a connection between them. */
export async function* batches<Row extends { id: number }>(
  engine: Engine,
  table: ListedTable,
  read: (db: Kysely<Database>, ids: number[]) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let before = Number.MAX_SAFE_INTEGER
  for (;;) {
    const found = await sql<{ id: number }>`select id from ${sql.table(table)} where id < ${before}
      order by id desc limit ${size}`.execute(engine.db)
    const ids = found.rows.map(({ id }) => id)
    before = ids.at(-1) ?? 0
    if (ids.length === 0) return
    const rows = await read(engine.db, ids)
    yield rows.toSorted((a, b) => b.id - a.id)
  }
}
