import { CompiledQuery } from 'kysely'
import { bulkOf, inTransaction } from '../db/bulk.ts'
import type { Rows } from '../db/bulk-dialect.ts'
import type { Engine } from '../db/engine.ts'
import type { Database } from '../db/schema.ts'
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
