import type { Kysely } from 'kysely'
import type { Engine } from '../db/engine.ts'
import { runAll } from '../db/engine.ts'
import type { Database } from '../db/schema.ts'
import { bulkOf, domainTables } from './bulk.ts'

/** Prefix of the entries in meta that keep the definitions of removed indexes, by name. */
const removedIndex = 'demo.index.'

/** Drops triggers and indexes, because rows are written many times faster without them. */
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

/**
 * The statements that create again what `takeApart` dropped, even if an interrupted run has created some of it. The plain
 * indexes come last: SQLite would read the texts from them, in order of the text, and a full-text index takes three times
 * as long to build if its rows do not come in order of id.
 */
export async function rebuilding(engine: Engine): Promise<string[]> {
  const removed = await engine.db
    .selectFrom('meta')
    .selectAll()
    .where('name', 'like', `${removedIndex}%`)
    .orderBy('name')
    .execute()
  return [
    ...removed.map(({ name }) => `drop index if exists ${name.slice(removedIndex.length)}`),
    ...engine.derived.flatMap(({ drop, create }) => [...drop, ...create]),
    ...removed.map(({ value }) => value),
    `delete from meta where name like '${removedIndex}%'`,
  ]
}
