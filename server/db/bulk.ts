import type { Transaction } from 'kysely'
import { CompiledQuery } from 'kysely'
import type { BulkDialect } from './bulk-dialect.ts'
import { postgresBulk } from './bulk-postgres.ts'
import { sqliteBulk } from './bulk-sqlite.ts'
import type { Engine } from './engine.ts'
import { runAll, send } from './engine.ts'
import type { Database } from './schema.ts'

/** How many rows are written fast: the demo data, a backup that is restored. */
export function bulkOf(engine: Engine): BulkDialect {
  return engine.name === 'sqlite' ? sqliteBulk : postgresBulk
}

/** A transaction without the timeouts of the server's queries. */
export async function inTransaction(
  engine: Engine,
  task: (trx: Transaction<Database>) => Promise<void>,
): Promise<void> {
  await engine.db.transaction().execute(async (trx) => {
    await send(
      trx,
      bulkOf(engine).begin.map((statement) => CompiledQuery.raw(statement)),
    )
    await task(trx)
  })
}

/** Runs statements outside a transaction: those that a transaction cannot contain, or that change connection settings. */
export async function onConnection(engine: Engine, statements: readonly string[]): Promise<void> {
  await engine.db.connection().execute((db) => runAll(db, statements))
}

/** What speeds up reads after a complete load of these tables. */
export async function tidy(engine: Engine, tables: readonly string[]): Promise<void> {
  await Promise.all(
    bulkOf(engine)
      .tidy(tables)
      .map((script) => onConnection(engine, script)),
  )
}
