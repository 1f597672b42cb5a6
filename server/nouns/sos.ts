import type { SqlBool } from 'kysely'
import { sql } from 'kysely'
import { SosLog } from '../../src/api/contract.ts'
import type { Id } from '../db/columns.ts'
import { days } from '../queries/filter.ts'
import { nameOfAny, phoneOfAny } from '../queries/people.ts'
import { iso } from '../queries/wire.ts'
import { defineNoun } from './noun.ts'

declare module '../db/schema.ts' {
  interface Database {
    sos_logs: {
      id: Id
      trip_id: number
      raised_by: string
      latitude: number
      longitude: number
      created_at: number
    }
  }
}

const people = { drivers: 'driver_id', customers: 'customer_id' }

/** S3.16; `s` and `phone` search the driver and the customer of the trip. */
export const sos = defineNoun({
  name: 'sos',
  plural: 'sos',
  table: 'sos_logs',
  list: { path: 'sos-lists/', shape: SosLog }, // S7.35
  orderings: { id: 'id' },
  filters: (engine, { s, phone }) =>
    [...(s ? [nameOfAny(engine, people, s)] : []), ...phoneOfAny(engine, people, phone)].map(
      async (condition) => sql<boolean>`trip_id in (select id from trips where ${await condition})`,
    ),
  terms: {
    ...days('created_at'),
    'driver:': ({ id }) => sql<SqlBool>`trip_id in (select id from trips where driver_id = ${id})`,
    'customer:': ({ id }) => sql<SqlBool>`trip_id in (select id from trips where customer_id = ${id})`,
  },
  found: {
    people: [
      { table: 'drivers', id: '(select driver_id from trips where trips.id = trip_id)' },
      { table: 'customers', id: '(select customer_id from trips where trips.id = trip_id)' },
    ],
  },
  rows: (db, ids) =>
    db
      .selectFrom('sos_logs')
      .innerJoin('trips', 'trips.id', 'sos_logs.trip_id')
      .leftJoin('drivers', 'drivers.id', 'trips.driver_id')
      .leftJoin('customers', 'customers.id', 'trips.customer_id')
      .selectAll('sos_logs')
      .select([
        'trips.start_name',
        'trips.destination_name',
        'drivers.fullname as driver',
        'drivers.phone_number as driver_phone',
        'customers.fullname as customer',
        'customers.phone_number as customer_phone',
      ])
      .where('sos_logs.id', 'in', ids)
      .execute(),
  answer: (row): SosLog => ({
    id: row.id,
    raised_by: row.raised_by,
    latitude: row.latitude,
    longitude: row.longitude,
    created_at: iso(row.created_at),
    trip: {
      driver: party(row.driver, row.driver_phone),
      customer: party(row.customer, row.customer_phone),
      start_name: row.start_name,
      destination_name: row.destination_name,
    },
  }),
})

const party = (fullname: string | null, phone_number: string | null) =>
  fullname === null ? null : { user: { fullname, phone_number: phone_number ?? '' } }
