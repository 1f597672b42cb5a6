import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { inject } from 'vitest'
import type { Engine } from '../../server/db/engine.ts'
import { runAll } from '../../server/db/engine.ts'
import { migrate } from '../../server/db/migrate.ts'
import { openPostgres } from '../../server/db/postgres.ts'
import { openSqlite } from '../../server/db/sqlite.ts'
import { tablesOf } from '../../server/db/tables.ts'
import { templateDatabase } from './global-setup.ts'
import { runOn } from './postgres.ts'

/** Every server test runs on both engines: `describe.each(engines)('… on %s', (name) => …)`. */
export const engines = ['sqlite', 'postgres'] as const

/** A new, migrated, empty database. `close` deletes it. */
export async function openTestEngine(name: (typeof engines)[number]): Promise<Engine> {
  if (name === 'postgres') return openPostgresCopy(templateDatabase)
  const engine = openSqlite(':memory:')
  await migrate(engine)
  return engine
}

/** A new database without tables. `close` deletes it. */
export async function openBareEngine(name: (typeof engines)[number]): Promise<Engine> {
  return name === 'postgres' ? openPostgresCopy('template0') : openSqlite(':memory:')
}

/** A new, migrated PostgreSQL database that orders texts as English does, not by their bytes. `close` deletes it. */
export async function openEnglishPostgres(): Promise<Engine> {
  const engine = await openPostgresCopy('template0', `locale_provider icu icu_locale 'en-US'`)
  await migrate(engine)
  return engine
}

const knownTables = new WeakMap<Engine['db'], string[]>()

/** Empties a database as after the migrations: no rows, ids from 1, counters 0. */
export async function emptyTables(engine: Engine): Promise<void> {
  const { name, db } = engine
  const [before, numbering] =
    name === 'sqlite'
      ? ['pragma defer_foreign_keys = on', 'select 1']
      : [
          'set local session_replication_role = replica',
          `select setval(oid::regclass, 1, false) from pg_class where relkind = 'S'`,
        ]
  // Read once for each database, because this takes as long as emptying it.
  const known = knownTables.get(db) ?? (await tableNames(engine))
  knownTables.set(db, known)
  const tables = known.filter(
    (table) => !/^(counters|hourly|daily|area_days|place_areas|id_buckets|meta)$/.test(table),
  )
  await db
    .transaction()
    .execute((trx) =>
      runAll(trx, [
        before,
        ...tables.map((table) => `delete from ${table}`),
        'update counters set value = 0',
        'delete from hourly',
        'delete from daily',
        'delete from area_days',
        'delete from id_buckets',
        `delete from meta where name not like 'derived.%'`,
        numbering,
      ]),
    )
}

/** All rows of all tables. */
export async function contentsOf(engine: Engine): Promise<Record<string, Record<string, unknown>[]>> {
  const { db } = engine
  const tables = (await tableNames(engine)).toSorted()
  const rows = tables.map(async (table) => {
    const answer = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db)
    return [table, answer.rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))] as const
  })
  return Object.fromEntries(await Promise.all(rows))
}

/** All tables except the search indexes, which are tables in SQLite. */
async function tableNames(engine: Engine): Promise<string[]> {
  return (await tablesOf(engine)).map(({ name }) => name).filter((name) => !/_(trigrams|words)/.test(name))
}

async function openPostgresCopy(template: string, settings = ''): Promise<Engine> {
  const admin = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await runOn(admin, `create database ${name} template ${template} strategy file_copy ${settings}`)
  const url = new URL(admin)
  url.pathname = `/${name}`
  const engine = openPostgres(url.href)
  return {
    ...engine,
    close: async () => {
      await engine.close()
      await runOn(admin, `drop database ${name} with (force)`)
    },
  }
}
