import type { Engine } from '../db/engine.ts'
import type { Condition } from '../db/ids.ts'
import type { Database } from '../db/schema.ts'
import { inTurn } from './in-turn.ts'
import type { Found, Way } from './ways.ts'

/** A record and the way in which it is found. */
interface Hit {
  id: number
  way: Way
}

/** The records that the ways find, best first, until there are enough. */
export async function find(
  engine: Engine,
  { table, found: { text } }: { table: keyof Database; found: Found },
  ways: Way[],
  filter: Condition[],
  limit: number,
): Promise<Hit[]> {
  const of = text === undefined ? null : { table, text }
  const hits = new Map<number, Hit>()
  for (const some of engine.remote ? [ways] : ways.map((way) => [way])) {
    if (some.length === 0 || hits.size >= limit) break
    const { rows } = await inTurn(of, some, filter, limit).execute(engine.db)
    for (const { id, way: nth } of rows) {
      const way = some[nth]
      if (way && !hits.has(id) && hits.size < limit) hits.set(id, { id, way })
    }
  }
  return [...hits.values()]
}
