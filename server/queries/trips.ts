import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Trip } from '../../src/api/contract.ts'
import type { Database } from '../db/schema.ts'
import { fold } from '../fold.ts'
import type { ListSource } from './list.ts'
import { nameOfAny, phoneOfAny } from './people.ts'
import { iso, ksh, namedOrNull } from './wire.ts'

const people = { drivers: 'driver_id', customers: 'customer_id' }

/** `s` looks in places, notes and names. */
export const trips: ListSource<TripRow, Trip> = {
  table: 'trips',
  orderings: { id: 'id' },
  filters: (engine, { s, phone }) => [
    ...(s
      ? [sql<boolean>`(${engine.contains('trips', 'search', fold(s))} or ${nameOfAny(engine, people, s)})`]
      : []),
    ...phoneOfAny(engine, people, phone),
  ],
  rows: (db, ids) =>
    db
      .selectFrom('trips')
      .leftJoin('drivers', 'drivers.id', 'trips.driver_id')
      .leftJoin('customers', 'customers.id', 'trips.customer_id')
      .selectAll('trips')
      .select(['drivers.fullname as driver', 'customers.fullname as customer'])
      .where('trips.id', 'in', ids)
      .execute(),
  answer: (row) => ({
    id: row.id,
    start_name: row.start_name,
    destination_name: row.destination_name,
    created_at: iso(row.created_at),
    customer: namedOrNull(row.customer),
    driver: namedOrNull(row.driver),
    status: row.status,
    cost: ksh(row.cost),
    distance: row.distance,
    notes: row.notes,
  }),
}

type TripRow = Selectable<Database['trips']> & { driver: string | null; customer: string | null }
