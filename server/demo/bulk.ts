import type { Transaction } from 'kysely'
import { CompiledQuery } from 'kysely'
import type { Engine } from '../db/engine.ts'
import { runAll } from '../db/engine.ts'
import type { Database } from '../db/schema.ts'
import type { BulkDialect, Rows } from './bulk-dialect.ts'
import { postgresBulk } from './bulk-postgres.ts'
import { sqliteBulk } from './bulk-sqlite.ts'
import type { Write } from './world.ts'

/** Every table of the domain, each behind those that it refers to. */
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

export interface Buffer {
  write: Write
  /** How many rows have gathered. */
  waiting(): number
  /** Starts to write them in one transaction, once those before are written: meanwhile, new ones can gather. */
  flush(): Promise<void>
  /** Writes what is left. */
  end(): Promise<void>
}

export async function createBuffer(engine: Engine): Promise<Buffer> {
  const insert = await bulkOf(engine).insert(engine.db)
  let rowsOf = new Map<string, Rows>()
  let waiting = 0
  let writing = Promise.resolve()

  const writeAll = (taken: Map<string, Rows>) =>
    inTransaction(engine, async (trx) => {
      for (const table of domainTables) {
        const rows = taken.get(table) ?? []
        for (const { text, parameters } of insert(table, Object.keys(rows[0] ?? {}), rows))
          await trx.executeQuery(CompiledQuery.raw(text, parameters))
      }
    })
  const flush = async () => {
    await writing
    writing = writeAll(rowsOf)
    // Whoever waits for it next gets the error.
    writing.catch(() => undefined)
    rowsOf = new Map()
    waiting = 0
  }
  return {
    write: (table, row) => {
      const rows = rowsOf.get(table)
      if (rows) rows.push(row)
      else rowsOf.set(table, [row])
      waiting++
    },
    waiting: () => waiting,
    flush,
    end: async () => {
      await flush()
      await writing
    },
  }
}

/** One transaction without the limits that guard the server's own queries. */
export async function inTransaction(
  engine: Engine,
  task: (trx: Transaction<Database>) => Promise<void>,
): Promise<void> {
  await engine.db.transaction().execute(async (trx) => {
    await runAll(trx, bulkOf(engine).begin)
    await task(trx)
  })
}

/** Statements that no transaction can hold, or that set up the connection they run on. */
export async function onConnection(engine: Engine, statements: readonly string[]): Promise<void> {
  await engine.db.connection().execute((db) => runAll(db, statements))
}
