import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { ListSource } from '../queries/list.ts'

/** How many rows a statement reads. With fewer, PostgreSQL takes longer for all rows (docs/decisions/0009). */
const read = 600
/** How many of them are handed over at once: other requests are answered between two batches. */
const batch = 150

/**
 * All rows of a list, newest first, in batches that never hold a connection between them. The next rows are asked for before these
 * are used, so that PostgreSQL works meanwhile.
 */
export async function* batches<Row extends { id: number }>(
  db: Kysely<Database>,
  { table, rows }: Pick<ListSource<Row, unknown>, 'table' | 'rows'>,
): AsyncGenerator<Row[]> {
  const ask = (before: number) => {
    const next = sql<number>`(select id from ${sql.table(table)} where id < ${before} order by id desc limit ${read})`
    const answer = rows.all(db, next)
    // If the export ends early, nobody waits for this answer any more.
    answer.catch(() => undefined)
    return answer
  }
  for (let next = ask(Number.MAX_SAFE_INTEGER); ;) {
    const found = await next
    const last = found.sort((a, b) => b.id - a.id).at(-1)
    if (!last) return
    next = ask(last.id)
    for (let at = 0; at < found.length; at += batch) yield found.slice(at, at + batch)
  }
}
