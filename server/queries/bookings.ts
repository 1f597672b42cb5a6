import type { Selectable } from 'kysely'
import type { PreBooking } from '../../src/api/contract.ts'
import type { Database } from '../db/schema.ts'
import type { ListSource } from './list.ts'
import { nameOfAny, phoneOfAny } from './people.ts'
import { iso, isoOrNull, ksh, named, namedOrNull } from './wire.ts'

const people = { drivers: 'driver_id', customers: 'customer_id' }

export const preBookings: ListSource<BookingRow, PreBooking> = {
  table: 'pre_bookings',
  orderings: { id: 'id' },
  filters: (engine, { s, phone }) => [
    ...(s ? [nameOfAny(engine, people, s)] : []),
    ...phoneOfAny(engine, people, phone),
  ],
  rows: (db, ids) =>
    db
      .selectFrom('pre_bookings')
      .innerJoin('customers', 'customers.id', 'pre_bookings.customer_id')
      .leftJoin('drivers', 'drivers.id', 'pre_bookings.driver_id')
      .innerJoin('slots', 'slots.id', 'pre_bookings.slot_id')
      .selectAll('pre_bookings')
      .select(['customers.fullname as customer', 'drivers.fullname as driver', 'slots.name as slot'])
      .where('pre_bookings.id', 'in', ids)
      .execute(),
  answer: (row) => ({
    id: row.id,
    start_lat: row.start_lat,
    start_lng: row.start_lng,
    created_at: iso(row.created_at),
    appointment_date: iso(row.appointment_date),
    customer: named(row.customer),
    driver: namedOrNull(row.driver),
    slot: { name: row.slot, amount: ksh(row.amount) },
    status: row.status,
    pickup_time: isoOrNull(row.pickup_time),
    dropoff_time: isoOrNull(row.dropoff_time),
    paid: row.paid === 1,
  }),
}

type BookingRow = Selectable<Database['pre_bookings']> & {
  customer: string
  driver: string | null
  slot: string
}
