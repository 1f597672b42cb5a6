import type { Expression, SqlBool, Transaction } from 'kysely'
import { sql } from 'kysely'
import type { Driver, DriverTransaction, Trip } from '../../src/api/contract.ts'
import type { Engine } from '../db/engine.ts'
import type { Database } from '../db/schema.ts'
import { digitsOf, fold } from '../fold.ts'
import { Problem } from '../problem.ts'
import type { ListSource } from './list.ts'
import type { Outcome } from './mutation.ts'

export const drivers: ListSource<Driver> = {
  table: 'drivers',
  orderings: {
    id: 'id',
    fullname: 'search',
    date_joined: 'date_joined',
    total_completed_trips: 'total_completed_trips',
    total_failed_trips: 'total_failed_trips',
    wallet_balance: 'wallet_balance',
  },
  filters: (engine, query) => [
    ...(query.s ? [engine.contains('drivers', 'search', fold(query.s))] : []),
    ...phoneFilter(engine, 'drivers', query.phone),
  ],
  read: async (engine, ids) => {
    if (ids.length === 0) return new Map()
    const rows = await engine.db
      .selectFrom('drivers')
      .leftJoin('vehicles', 'vehicles.driver_id', 'drivers.id')
      .selectAll('drivers')
      .select('vehicles.registration')
      .where('drivers.id', 'in', ids)
      .execute()
    return new Map(
      rows.map((row) => [
        row.id,
        {
          id: row.id,
          user: { fullname: row.fullname, phone_number: row.phone_number, date_joined: iso(row.date_joined) },
          image: row.image,
          id_front: row.id_front,
          id_back: row.id_back,
          license: row.license,
          vehicle: row.registration === null ? null : { registration: row.registration },
          online: row.online === 1,
          busy: row.busy === 1,
          deleted: row.deleted === 1,
          wallet_balance: ksh(row.wallet_balance),
          total_trips: row.total_trips,
          total_earnings: ksh(row.total_earnings),
          total_completed_trips: row.total_completed_trips,
          total_failed_trips: row.total_failed_trips,
        },
      ]),
    )
  },
}

export const trips: ListSource<Trip> = {
  table: 'trips',
  orderings: {},
  filters: () => [],
  read: async (engine, ids) => {
    if (ids.length === 0) return new Map()
    const rows = await engine.db
      .selectFrom('trips')
      .leftJoin('drivers', 'drivers.id', 'trips.driver_id')
      .leftJoin('customers', 'customers.id', 'trips.customer_id')
      .selectAll('trips')
      .select(['drivers.fullname as driver', 'customers.fullname as customer'])
      .where('trips.id', 'in', ids)
      .execute()
    return new Map(
      rows.map((row) => [
        row.id,
        {
          id: row.id,
          start_name: row.start_name,
          destination_name: row.destination_name,
          created_at: iso(row.created_at),
          customer: row.customer === null ? null : { user: { fullname: row.customer } },
          driver: row.driver === null ? null : { user: { fullname: row.driver } },
          status: row.status,
          cost: ksh(row.cost),
          distance: row.distance,
          notes: row.notes,
        },
      ]),
    )
  },
}

export const driverTransactions: ListSource<DriverTransaction> = {
  table: 'driver_transactions',
  orderings: {},
  filters: () => [],
  read: async (engine, ids) => {
    if (ids.length === 0) return new Map()
    const rows = await engine.db
      .selectFrom('driver_transactions')
      .selectAll()
      .where('id', 'in', ids)
      .execute()
    return new Map(
      rows.map((row) => [
        row.id,
        { transaction_id: row.id, amount: ksh(row.amount), created_at: iso(row.created_at) },
      ]),
    )
  },
}

export const ofDriver = (id: number): Expression<SqlBool>[] => [sql<SqlBool>`driver_id = ${id}`]

/** Throws Problem 404. */
export async function findDriver(engine: Engine, id: number): Promise<Driver> {
  const driver = (await drivers.read(engine, [id])).get(id)
  if (!driver) throw noDriver()
  return driver
}

/** Throws Problem 404. */
export async function requireDriver(engine: Engine, id: number): Promise<void> {
  const driver = await engine.db.selectFrom('drivers').select('id').where('id', '=', id).executeTakeFirst()
  if (!driver) throw noDriver()
}

/**
 * Suspends (`suspended` true) or unfreezes a driver. Asked for what is already so, it answers the same message and
 * changes nothing. Throws Problem 404.
 */
export async function setSuspended(
  trx: Transaction<Database>,
  id: number,
  suspended: boolean,
): Promise<Outcome<{ message: string }>> {
  const changed = await trx
    .updateTable('drivers')
    .set({ deleted: suspended ? 1 : 0 })
    .where('id', '=', id)
    .where('deleted', '=', suspended ? 0 : 1)
    .executeTakeFirst()
  const driver = await trx.selectFrom('drivers').select('fullname').where('id', '=', id).executeTakeFirst()
  if (!driver) throw noDriver()
  const message = `${driver.fullname} has been ${suspended ? 'suspended' : 'unsuspended'}.`
  if (!changed.numUpdatedRows) return { body: { message } }
  return {
    body: { message },
    audit: { action: suspended ? 'suspend' : 'unfreeze', entity: 'driver', entityId: id },
  }
}

/**
 * Digits anywhere in the number; from the country code on they are its beginning, and a local number (07…, 01…) is found
 * under its international form too. Text without any digit finds nothing.
 */
function phoneFilter(engine: Engine, table: 'drivers' | 'customers', phone: string): Expression<SqlBool>[] {
  if (!phone.trim()) return []
  const digits = digitsOf(phone)
  if (!digits) return [sql<SqlBool>`1 = 0`]
  if (digits.startsWith('254')) return [engine.startsWith(table, 'phone_number', digits)]
  const anywhere = engine.contains(table, 'phone_number', digits)
  if (!digits.startsWith('0')) return [anywhere]
  const international = engine.startsWith(table, 'phone_number', `254${digits.slice(1)}`)
  const here = digits.length < 3 ? engine.startsWith(table, 'phone_number', digits) : anywhere
  return [sql<SqlBool>`(${here} or ${international})`]
}

const noDriver = () => new Problem(404, 'There is no such driver.')

const iso = (time: number) => new Date(time).toISOString()
export const ksh = (cents: number) => cents / 100
