import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { ListSource } from '../queries/list.ts'

/**
 * Small batches: other requests are answered between them, and rows that are referenced during a garbage collection make the heap
 * grow. Smaller ones take longer in all (docs/decisions/0009).
 */
const size = 150

/**
 * All rows of a list, newest first, in batches that never hold a connection between them. Each one is asked for before the one before it
 * is used, so that PostgreSQL works meanwhile.
 */
export async function* batches<Row extends { id: number }>(
  db: Kysely<Database>,
  { table, rows }: Pick<ListSource<Row, unknown>, 'table' | 'rows'>,
): AsyncGenerator<Row[]> {
  const read = (before: number) => {
    const next = sql<number>`(select id from ${sql.table(table)} where id < ${before} order by id desc limit ${size})`
    const batch = rows(db, next)
    // If the export ends early, nobody waits for this batch any more.
    batch.catch(() => undefined)
    return batch
  }
  for (let next = read(Number.MAX_SAFE_INTEGER); ;) {
    const batch = await next
    const last = batch.sort((a, b) => b.id - a.id).at(-1)
    if (!last) return
    next = read(last.id)
    yield batch
  }
}
