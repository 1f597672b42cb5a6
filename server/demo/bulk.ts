import type { Transaction } from 'kysely'
import { CompiledQuery } from 'kysely'
import type { Engine } from '../db/engine.ts'
import { runAll } from '../db/engine.ts'
import type { Database } from '../db/schema.ts'
import type { BulkDialect, Rows } from './bulk-dialect.ts'
import { postgresBulk } from './bulk-postgres.ts'
import { sqliteBulk } from './bulk-sqlite.ts'
import type { Write } from './world.ts'

/** Every table of the domain, each one after the tables that it refers to. */
export const domainTables = [
  'staff',
  'customers',
  'drivers',
  'vehicles',
  'trips',
  'driver_transactions',
  'slots',
  'pre_bookings',
  'invoices',
  'driver_invites',
  'attractions',
  'blogs',
  'coupons',
  'coupon_users',
  'promo_codes',
  'sos_logs',
] as const satisfies (keyof Database)[]

export function bulkOf(engine: Engine): BulkDialect {
  return engine.name === 'sqlite' ? sqliteBulk : postgresBulk
}

interface Buffer {
  write: Write
  /** The number of buffered rows. */
  waiting: () => number
  /** Writes the buffered rows in one transaction. */
  flush: () => Promise<void>
}

export async function createBuffer(engine: Engine): Promise<Buffer> {
  const insert = await bulkOf(engine).insert(engine.db)
  const rowsOf = new Map<string, Rows>()
  let waiting = 0
  return {
    write: (table, row) => {
      const rows = rowsOf.get(table)
      if (rows) rows.push(row)
      else rowsOf.set(table, [row])
      waiting++
    },
    waiting: () => waiting,
    flush: async () => {
      await inTransaction(engine, async (trx) => {
        for (const table of domainTables) {
          const rows = rowsOf.get(table) ?? []
          for (const { text, parameters } of insert(table, Object.keys(rows[0] ?? {}), rows))
            await trx.executeQuery(CompiledQuery.raw(text, parameters))
        }
      })
      rowsOf.clear()
      waiting = 0
    },
  }
}

/** A transaction without the timeouts of the server's queries. */
export async function inTransaction(
  engine: Engine,
  task: (trx: Transaction<Database>) => Promise<void>,
): Promise<void> {
  await engine.db.transaction().execute(async (trx) => {
    await runAll(trx, bulkOf(engine).begin)
    await task(trx)
  })
}

/** Runs statements outside a transaction: those that a transaction cannot contain, or that change connection settings. */
export async function onConnection(engine: Engine, statements: readonly string[]): Promise<void> {
  await engine.db.connection().execute((db) => runAll(db, statements))
}
