import type { Kysely } from 'kysely'
import { bulkOf } from '../db/bulk.ts'
import type { Engine } from '../db/engine.ts'
import { runAll } from '../db/engine.ts'
import type { Database } from '../db/schema.ts'
import { domainTables } from './bulk.ts'

/**
 * Prefixes of the entries in meta that hold the statements to create what was removed: an index by its name, a foreign key
 * by `table.name`.
 */
const removedIndex = 'demo.index.'
const removedKey = 'demo.key.'

/** Drops triggers, indexes and foreign keys, because rows are written many times faster without them. */
export async function takeApart(engine: Engine, db: Kysely<Database>): Promise<void> {
  await runAll(
    db,
    engine.derived.flatMap(({ drop }) => drop),
  )
  const dialect = bulkOf(engine)
  const indexes = await dialect.plainIndexes(db, domainTables)
  const keys = await dialect.foreignKeys(db, domainTables)
  const entries = [
    ...indexes.map(({ name, definition }) => ({ name: removedIndex + name, value: definition })),
    ...keys.map(({ table, name, definition }) => ({
      name: `${removedKey}${table}.${name}`,
      value: `alter table ${table} add constraint ${name} ${definition}`,
    })),
  ]
  if (entries.length === 0) return
  await db.insertInto('meta').values(entries).execute()
  await runAll(
    db,
    entries.map(({ name }) => dropOf(name)),
  )
}

/**
 * The statements that create again what `takeApart` dropped, even if an interrupted run has created some of it. The plain
 * indexes come last: SQLite would read the texts from them, in order of the text, and a full-text index takes three times
 * as long to build if its rows do not come in order of id.
 */
export async function rebuilding(engine: Engine): Promise<string[]> {
  const { drop, create } = await removed(engine)
  return [
    ...drop,
    ...engine.derived.flatMap(({ drop, create }) => [...drop, ...bulkOf(engine).derive(create)]),
    ...create,
    forget,
  ]
}

/** The statements for the plain indexes and foreign keys that `takeApart` dropped. */
export async function removed(engine: Engine): Promise<{ drop: string[]; create: string[] }> {
  const entries = await engine.db
    .selectFrom('meta')
    .selectAll()
    .where((is) => is.or([is('name', 'like', `${removedIndex}%`), is('name', 'like', `${removedKey}%`)]))
    .orderBy('name')
    .execute()
  return { drop: entries.map(({ name }) => dropOf(name)), create: entries.map(({ value }) => value) }
}

/** Deletes these statements, after all of them were run. */
export const forget = `delete from meta where name like '${removedIndex}%' or name like '${removedKey}%'`

/** The statement that drops what an entry in meta defines. */
function dropOf(entry: string): string {
  if (entry.startsWith(removedIndex)) return `drop index if exists ${entry.slice(removedIndex.length)}`
  const [table, name] = entry.slice(removedKey.length).split('.')
  return `alter table ${table} drop constraint if exists ${name}`
}
