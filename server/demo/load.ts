import { bulkOf, inTransaction, onConnection, tidy } from '../db/bulk.ts'
import type { Engine } from '../db/engine.ts'
import { runAll } from '../db/engine.ts'
import { recountStatements } from '../db/numbers.ts'
import { domainTables } from './bulk.ts'
import { fill, workOf } from './fill.ts'
import { finish } from './finish.ts'
import { rebuilding, takeApart } from './schema-parts.ts'
import { sizeOf } from './size.ts'

export interface DemoOptions {
  /** 1 to 1,000,000 */
  drivers: number
  /** Up to 10,000,000. By default it depends on the number of drivers (`sizeOf`). */
  trips?: number
  now: number
  passwordHash: string
  onProgress?: (done: number, total: number, what: string) => void
}

/**
 * Fills an empty database with the demo data. The same options give the same rows on both engines. The `demo` entry in meta
 * is 'loading' during the load and then 'loaded', so an interrupted load is recognised; `clearDemo` deletes it.
 */
export async function loadDemo(engine: Engine, options: DemoOptions): Promise<void> {
  await requireEmpty(engine)
  const dialect = bulkOf(engine)
  await onConnection(engine, dialect.open)
  try {
    await inTransaction(engine, async (trx) => {
      await trx.insertInto('meta').values({ name: 'demo', value: 'loading' }).execute()
      await takeApart(engine, trx)
    })
    const size = sizeOf(options.drivers, options.trips)
    const report = options.onProgress ?? (() => undefined)
    // The progress counts `finish` like `fill`. It takes half as long on SQLite, and twice as long on PostgreSQL.
    const total = 2 * workOf(size)
    const second = await dialect.second(engine)
    try {
      await fill(engine, size, options, (done, what) => report(done, total, what), second)
      // What it needed would stay in memory, because `finish` allocates next to nothing, and be added to what SQLite sorts in.
      globalThis.gc?.()
      await finish(engine, second, (part, what) => report(Math.round((total * (1 + part)) / 2), total, what))
    } finally {
      await second.close()
    }
    await inTransaction(engine, async (trx) => {
      await trx.updateTable('meta').set({ value: 'loaded' }).where('name', '=', 'demo').execute()
    })
    await tidy(engine, domainTables)
  } finally {
    await onConnection(engine, dialect.close)
  }
}

/**
 * Deletes all rows of the domain, sessions, saved views, audit rows and idempotency records, and restores the triggers and
 * indexes.
 */
export async function clearDemo(engine: Engine): Promise<void> {
  const dialect = bulkOf(engine)
  await onConnection(engine, dialect.open)
  try {
    const statements = await rebuilding(engine)
    await inTransaction(engine, async (trx) => {
      await runAll(trx, [
        ...engine.derived.flatMap(({ drop }) => drop),
        ...dialect.empty([
          'sessions',
          'idempotency',
          'audit',
          'audit_events',
          'audit_seals',
          'views',
          ...domainTables.toReversed(),
        ]),
        ...recountStatements(engine.counterParts),
        ...statements,
        `delete from meta where name = 'demo'`,
      ])
    })
  } finally {
    await onConnection(engine, dialect.close)
  }
}

async function requireEmpty(engine: Engine): Promise<void> {
  for (const table of ['drivers', 'customers', 'trips', 'staff'] as const) {
    const row = await engine.db.selectFrom(table).select('id').limit(1).executeTakeFirst()
    if (row) throw new Error(`The demo data needs an empty database, but this one already has ${table}.`)
  }
}
