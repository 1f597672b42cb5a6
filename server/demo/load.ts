import type { Engine } from '../db/engine.ts'
import { runAll } from '../db/engine.ts'
import { recountStatements } from '../db/numbers.ts'
import { bulkOf, domainTables, inTransaction, onConnection } from './bulk.ts'
import { fill, workOf } from './fill.ts'
import { finish } from './finish.ts'
import { rebuilding, takeApart } from './schema-parts.ts'
import { sizeOf } from './size.ts'

export interface DemoOptions {
  /** 1 to 1,000,000 */
  drivers: number
  /** Up to 10,000,000; a number that fits the drivers when absent. */
  trips?: number
  now: number
  passwordHash: string
  onProgress?: (done: number, total: number, what: string) => void
}

/**
 * Fills an empty database with the demo data; the same options give the same rows, on both engines. Meta `demo` is
 * 'loading' until everything is there, then 'loaded': what was interrupted is recognised, and emptied by `clearDemo`.
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
    // Measured: what is computed from the rows takes about as long as writing them.
    const total = 2 * workOf(size)
    await fill(engine, size, options, (done, what) => report(done, total, what))
    await finish(engine, (part, what) => report(Math.round((total * (1 + part)) / 2), total, what))
    await inTransaction(engine, async (trx) => {
      await trx.updateTable('meta').set({ value: 'loaded' }).where('name', '=', 'demo').execute()
    })
    await onConnection(engine, dialect.tidy(domainTables))
  } finally {
    await onConnection(engine, dialect.close)
  }
}

/** Empties the domain, sessions and records of staff included, and leaves the schema as the migrations do. */
export async function clearDemo(engine: Engine): Promise<void> {
  const dialect = bulkOf(engine)
  await onConnection(engine, dialect.open)
  try {
    const statements = await rebuilding(engine)
    await inTransaction(engine, async (trx) => {
      await runAll(trx, [
        ...engine.derived.flatMap(({ drop }) => drop),
        ...dialect.empty(['sessions', 'idempotency', 'audit', ...domainTables.toReversed()]),
        ...recountStatements(),
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
    if (row) throw new Error(`The demo data needs an empty database; this one already holds ${table}.`)
  }
}
