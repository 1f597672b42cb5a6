import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import type { Engine } from '../../server/db/engine.ts'
import { migrate, runAll } from '../../server/db/engine.ts'
import { openPostgres } from '../../server/db/postgres.ts'
import { openSqlite } from '../../server/db/sqlite.ts'
import { templateDatabase } from './global-setup.ts'
import { runOn } from './postgres.ts'

/** Every server test runs on both: `describe.each(engines)('… on %s', (name) => …)`. */
export const engines = ['sqlite', 'postgres'] as const

/** A freshly migrated, empty database of its own; closing it removes it. */
export async function openTestEngine(name: (typeof engines)[number]): Promise<Engine> {
  if (name === 'postgres') return openCopyOfTemplate()
  const engine = openSqlite(':memory:')
  await migrate(engine)
  return engine
}

/** Leaves the schema as a migration does: no rows, numbering from 1, kept numbers 0. */
export async function emptyTables({ name, db }: Engine): Promise<void> {
  const [before, numbering] =
    name === 'sqlite'
      ? ['pragma defer_foreign_keys = on', 'select 1']
      : [
          'set local session_replication_role = replica',
          `select setval(oid::regclass, 1, false) from pg_class where relkind = 'S'`,
        ]
  const tables = (await db.introspection.getTables()).filter(
    (table) => !/_trigrams|^(counters|id_buckets)$/.test(table.name),
  )
  await db
    .transaction()
    .execute((trx) =>
      runAll(trx, [
        before,
        ...tables.map((table) => `delete from ${table.name}`),
        'update counters set value = 0',
        'delete from id_buckets',
        numbering,
      ]),
    )
}

async function openCopyOfTemplate(): Promise<Engine> {
  const admin = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await runOn(admin, `create database ${name} template ${templateDatabase} strategy file_copy`)
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
