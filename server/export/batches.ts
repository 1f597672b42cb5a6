import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { ListSource } from '../queries/list.ts'

/**
 * Small batches: other requests are answered between them, and rows that are referenced during a garbage collection make the heap
 * grow. Smaller ones take longer in all (docs/decisions/0009).
 */
const size = 150

/** All rows of a list, newest first, in batches that never hold a connection between them. */
export async function* batches<Row extends { id: number }>(
  db: Kysely<Database>,
  { table, rows }: Pick<ListSource<Row, unknown>, 'table' | 'rows'>,
): AsyncGenerator<Row[]> {
  let before = Number.MAX_SAFE_INTEGER
  for (;;) {
    const next = sql<number>`(select id from ${sql.table(table)} where id < ${before} order by id desc limit ${size})`
    const batch = await rows(db, next)
    const last = batch.sort((a, b) => b.id - a.id).at(-1)
    if (!last) return
    yield batch
    before = last.id
  }
}
