import { PreBooking } from '../../src/api/contract.ts'
import type { Flag, Id } from '../db/columns.ts'
import { days, idIn, statuses, tomorrow, where } from '../queries/filter.ts'
import { nameOfAny, phoneOfAny } from '../queries/people.ts'
import { iso, isoOrNull, ksh, named, namedOrNull } from '../queries/wire.ts'
import { defineNoun } from './noun.ts'
import { foundByPeople } from './person.ts'

declare module '../db/schema.ts' {
  interface Database {
    slots: { id: Id; name: string; amount: number }
    pre_bookings: {
      id: Id
      start_lat: number
      start_lng: number
      created_at: number
      appointment_date: number
      customer_id: number
      driver_id: number | null
      slot_id: number
      status: string
      pickup_time: number | null
      dropoff_time: number | null
      paid: Flag
      amount: number
    }
  }
}

const people = { drivers: 'driver_id', customers: 'customer_id' }
const withStatus = (status: string) => `case when R.status = '${status}' then 1 else 0 end`

/** S3.8 */
export const booking = defineNoun({
  name: 'booking',
  plural: 'bookings',
  table: 'pre_bookings',
  list: { path: 'pre-bookings/', shape: PreBooking }, // S7.15
  orderings: { id: 'id' },
  filters: (engine, { s, phone }) => [
    ...(s ? [nameOfAny(engine, 'pre_bookings', people, s)] : []),
    ...phoneOfAny(engine, 'pre_bookings', people, phone),
  ],
  terms: {
    ...statuses('Pending', 'Accepted', 'Not Started', 'Ongoing', 'Completed', 'Cancelled'),
    paid: where('R.paid = 1'),
    unpaid: where('R.paid = 0'),
    ...tomorrow('appointment_date'),
    ...days('appointment_date'),
    'driver:': idIn('driver_id'),
    'customer:': idIn('customer_id'),
  },
  found: foundByPeople('drivers', 'customers'),
  rows: (db, ids) =>
    db
      .selectFrom('pre_bookings')
      .innerJoin('customers', 'customers.id', 'pre_bookings.customer_id')
      .leftJoin('drivers', 'drivers.id', 'pre_bookings.driver_id')
      .innerJoin('slots', 'slots.id', 'pre_bookings.slot_id')
      .selectAll('pre_bookings')
      .select(['customers.fullname as customer', 'drivers.fullname as driver', 'slots.name as slot'])
      .where('pre_bookings.id', 'in', ids),
  answer: (row): PreBooking => ({
    id: row.id,
    start_lat: row.start_lat,
    start_lng: row.start_lng,
    created_at: iso(row.created_at),
    appointment_date: iso(row.appointment_date),
    customer: named(row.customer_id, row.customer),
    driver: namedOrNull(row.driver_id, row.driver),
    slot: { name: row.slot, amount: ksh(row.amount) },
    status: row.status,
    pickup_time: isoOrNull(row.pickup_time),
    dropoff_time: isoOrNull(row.dropoff_time),
    paid: row.paid === 1,
  }),
  counters: {
    bookings: '1',
    'bookings.ongoing': withStatus('Ongoing'),
    'bookings.completed': withStatus('Completed'),
    'bookings.pending': withStatus('Pending'),
    'bookings.paid_amount': 'R.amount * R.paid',
  },
  perHour: { at: 'R.created_at', n: 'R.paid', amount: 'R.amount * R.paid' },
})
