import type { Kysely } from 'kysely'
import type { Engine } from '../db/engine.ts'
import { runAll } from '../db/engine.ts'
import type { Database } from '../db/schema.ts'
import { bulkOf, domainTables } from './bulk.ts'

/** In meta, an index that was removed is written down under this and its name, to be made again. */
const removedIndex = 'demo.index.'

/** Removes triggers and indexes: rows are written many times faster without them. */
export async function takeApart(engine: Engine, db: Kysely<Database>): Promise<void> {
  await runAll(
    db,
    engine.derived.flatMap(({ drop }) => drop),
  )
  const indexes = await bulkOf(engine).plainIndexes(db, domainTables)
  if (indexes.length === 0) return
  await db
    .insertInto('meta')
    .values(indexes.map(({ name, definition }) => ({ name: removedIndex + name, value: definition })))
    .execute()
  await runAll(
    db,
    indexes.map(({ name }) => `drop index ${name}`),
  )
}

/** The statements that bring back what `takeApart` removed, also where an interruption left some of it done. */
export async function rebuilding(engine: Engine): Promise<string[]> {
  const removed = await engine.db
    .selectFrom('meta')
    .selectAll()
    .where('name', 'like', `${removedIndex}%`)
    .orderBy('name')
    .execute()
  return [
    ...removed.flatMap(({ name, value }) => [
      `drop index if exists ${name.slice(removedIndex.length)}`,
      value,
    ]),
    ...engine.derived.flatMap(({ drop, create }) => [...drop, ...create]),
    `delete from meta where name like '${removedIndex}%'`,
  ]
}
