import type { Expression, Selectable, SqlBool, Transaction } from 'kysely'
import { sql } from 'kysely'
import type { Driver, DriverTransaction } from '../../src/api/contract.ts'
import type { Engine } from '../db/engine.ts'
import type { Database } from '../db/schema.ts'
import { Problem } from '../problem.ts'
import { changeRecord } from './change.ts'
import type { ListSource } from './list.ts'
import { readOne } from './list.ts'
import type { MutationResult } from './mutation.ts'
import { peopleFilters } from './people.ts'
import { iso, ksh } from './wire.ts'

export const drivers: ListSource<DriverRow, Driver> = {
  table: 'drivers',
  orderings: {
    id: 'id',
    fullname: 'search',
    date_joined: 'date_joined',
    total_completed_trips: 'total_completed_trips',
    total_failed_trips: 'total_failed_trips',
    wallet_balance: 'wallet_balance',
  },
  filters: (engine, query) => peopleFilters(engine, 'drivers', query),
  rows: (db, ids) =>
    db
      .selectFrom('drivers')
      .leftJoin('vehicles', 'vehicles.driver_id', 'drivers.id')
      .selectAll('drivers')
      .select('vehicles.registration')
      .where('drivers.id', 'in', ids)
      .execute(),
  answer: (row) => ({
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
    version: row.version,
  }),
}

export type DriverRow = Selectable<Database['drivers']> & { registration: string | null }

export const driverTransactions: ListSource<
  Selectable<Database['driver_transactions']>,
  DriverTransaction
> = {
  table: 'driver_transactions',
  orderings: {},
  filters: () => [],
  rows: (db, ids) => db.selectFrom('driver_transactions').selectAll().where('id', 'in', ids).execute(),
  answer: (row) => ({ transaction_id: row.id, amount: ksh(row.amount), created_at: iso(row.created_at) }),
}

export const ofDriver = (id: number): Expression<SqlBool>[] => [sql<SqlBool>`driver_id = ${id}`]

/** Throws Problem 404. */
export async function findDriver(engine: Engine, id: number): Promise<Driver> {
  const driver = await readOne(engine.db, drivers, id)
  if (!driver) throw noDriver()
  return driver
}

/** Throws Problem 404. */
export async function requireDriver(engine: Engine, id: number): Promise<void> {
  const driver = await engine.db.selectFrom('drivers').select('id').where('id', '=', id).executeTakeFirst()
  if (!driver) throw noDriver()
}

/**
 * Suspends (`suspended` true) or unsuspends a driver. For a driver who is that already it answers the same message and
 * changes nothing. Throws Problem 404.
 */
export async function setSuspended(
  trx: Transaction<Database>,
  id: number,
  suspended: boolean,
): Promise<MutationResult<{ message: string }>> {
  const { row, audit } = await changeRecord(
    trx,
    { noun: 'driver', label: 'driver', table: 'drivers', source: drivers },
    id,
    () => ({ deleted: suspended ? 1 : 0 }),
    () => (suspended ? 'suspend' : 'unsuspend'),
  )
  return { body: { message: `${row.fullname} has been ${suspended ? 'suspended' : 'unsuspended'}.` }, audit }
}

const noDriver = () => new Problem(404, 'There is no such driver.')
