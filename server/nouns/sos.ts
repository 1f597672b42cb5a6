import type { Generated, SqlBool } from 'kysely'
import { sql } from 'kysely'
import { SosLog } from '../../src/api/contract.ts'
import type { Id } from '../db/columns.ts'
import { idsWhere } from '../db/ids.ts'
import { nearestPlace } from '../nearest-place.ts'
import { days, where } from '../queries/filter.ts'
import { nameOfAny, phoneOfAny } from '../queries/people.ts'
import { iso, isoOrNull } from '../queries/wire.ts'
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
      handled_at: number | null
      handled_by: number | null
      version: Generated<number>
    }
  }
}

const people = { drivers: 'driver_id', customers: 'customer_id' }

/** S3.16, and acknowledging, which is ours (rulings, lists). `s` and `phone` search the driver and the customer of the trip. */
export const sos = defineNoun({
  name: 'sos',
  plural: 'sos',
  label: 'SOS log',
  table: 'sos_logs',
  list: { path: 'sos-lists/', shape: SosLog }, // S7.35
  orderings: { id: 'id' },
  filters: (engine, { s, phone }) =>
    [
      ...(s ? [nameOfAny(engine, 'trips', people, s)] : []),
      ...phoneOfAny(engine, 'trips', people, phone),
    ].map(async (condition) => sql<boolean>`trip_id in (${idsWhere('trips', await condition)})`),
  terms: {
    new: where('R.handled_at is null'),
    handled: where('R.handled_at is not null'),
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
      .leftJoin('staff', 'staff.id', 'sos_logs.handled_by')
      .selectAll('sos_logs')
      .select([
        'trips.driver_id',
        'trips.customer_id',
        'trips.start_name',
        'trips.destination_name',
        'drivers.fullname as driver',
        'drivers.phone_number as driver_phone',
        'customers.fullname as customer',
        'customers.phone_number as customer_phone',
        'staff.email as handled_by_email',
      ])
      .where('sos_logs.id', 'in', ids),
  perHour: { at: 'R.created_at', n: '1' },
  answer: (row): SosLog => ({
    id: row.id,
    raised_by: row.raised_by,
    latitude: row.latitude,
    longitude: row.longitude,
    created_at: iso(row.created_at),
    handled_at: isoOrNull(row.handled_at),
    handled_by: row.handled_by_email,
    version: row.version,
    near: nearestPlace(row.latitude, row.longitude),
    trip: {
      id: row.trip_id,
      driver: party(row.driver_id, row.driver, row.driver_phone),
      customer: party(row.customer_id, row.customer, row.customer_phone),
      start_name: row.start_name,
      destination_name: row.destination_name,
    },
  }),
  actions: [
    {
      command: 'acknowledge',
      path: 'sos/:id/acknowledge/',
      // The first acknowledgement stays.
      columns: ({ handled_at }, { now, staffId }) =>
        handled_at === null ? { handled_at: now, handled_by: staffId } : {},
      message: ({ id, handled_by_email }) =>
        `SOS log ${id} was acknowledged by ${handled_by_email ?? 'nobody'}.`,
    },
    {
      command: 'reopen',
      path: 'sos/:id/reopen/',
      columns: () => ({ handled_at: null, handled_by: null }),
      message: ({ id }) => `SOS log ${id} is new again.`,
    },
  ],
})

const party = (id: number | null, fullname: string | null, phone_number: string | null) =>
  id === null || fullname === null ? null : { id, user: { fullname, phone_number: phone_number ?? '' } }
