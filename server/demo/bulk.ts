import { CompiledQuery } from 'kysely'
import { bulkOf, inTransaction } from '../db/bulk.ts'
import type { Rows } from '../db/bulk-dialect.ts'
import type { Engine } from '../db/engine.ts'
import { send } from '../db/engine.ts'
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
  /** Begins to write the buffered rows in one transaction, after the rows before them. On SQLite they are written when it resolves. */
  flush: () => Promise<void>
  /** Resolves when all rows are written. */
  flushed: () => Promise<void>
}

export async function createBuffer(engine: Engine): Promise<Buffer> {
  const insert = await bulkOf(engine).insert(engine.db)
  let rowsOf = new Map<string, Rows>()
  let waiting = 0
  let writing = Promise.resolve()
  const store = (rowsOf: Map<string, Rows>) =>
    inTransaction(engine, async (trx) => {
      for (const table of domainTables) {
        const rows = rowsOf.get(table) ?? []
        for (const { text, parameters } of insert(table, Object.keys(rows[0] ?? {}), rows))
          await send(trx, [CompiledQuery.raw(text, parameters)])
      }
    })
  return {
    write: (table, row) => {
      const rows = rowsOf.get(table)
      if (rows) rows.push(row)
      else rowsOf.set(table, [row])
      waiting++
    },
    waiting: () => waiting,
    flush: async () => {
      const rows = rowsOf
      rowsOf = new Map()
      waiting = 0
      await writing
      writing = store(rows)
      // `flushed`, or the next `flush`, has the error.
      writing.catch(() => undefined)
      if (!engine.remote) await writing
    },
    flushed: () => writing,
  }
}
