import { Trip } from '../../src/api/contract.ts'
import type { Id } from '../db/columns.ts'
import type { Engine } from '../db/engine.ts'
import { anyIndexed } from '../db/ids.ts'
import { days, idIn, statuses } from '../queries/filter.ts'
import { namesOf, phoneOfAny } from '../queries/people.ts'
import { iso, ksh, namedOrNull } from '../queries/wire.ts'
import { containsWords } from '../queries/words.ts'
import { defineNoun } from './noun.ts'
import { foundByPeople } from './person.ts'

declare module '../db/schema.ts' {
  interface Database {
    trips: {
      id: Id
      driver_id: number | null
      customer_id: number | null
      start_name: string
      destination_name: string
      created_at: number
      status: string
      cost: number
      distance: number
      notes: string
      search: string
    }
  }
}

const people = { drivers: 'driver_id', customers: 'customer_id' }

const completed = `case when R.status = 'Completed' then 1 else 0 end`
const failed = `case when R.status = 'Cancelled' then 1 else 0 end`
const fare = `case when R.status = 'Completed' then R.cost else 0 end`
const personTotals = { total_trips: '1', total_completed_trips: completed, total_failed_trips: failed }

/** Nothing would use the indexes of places and of names if these were alternatives in one condition. */
const placeOrName = async (engine: Engine, text: string) =>
  anyIndexed(
    'trips',
    [await containsWords(engine, 'trips', text), ...(await namesOf(engine, people, text))],
    engine.whileAsked('trips.id'),
  )

/** S3.6; `s` searches places, notes and names. */
export const trip = defineNoun({
  name: 'trip',
  plural: 'trips',
  table: 'trips',
  list: { path: 'trips/', shape: Trip }, // S7.14
  orderings: { id: 'id' },
  search: { columns: ['start_name', 'destination_name', 'notes'] },
  vocabulary: true,
  filters: (engine, { s, phone }) => [
    ...(s ? [placeOrName(engine, s)] : []),
    ...phoneOfAny(engine, 'trips', people, phone),
  ],
  terms: {
    ...statuses('Requested', 'Accepted', 'Ongoing', 'Completed', 'Cancelled'),
    ...days('created_at'),
    'driver:': idIn('driver_id'),
    'customer:': idIn('customer_id'),
  },
  found: foundByPeople('drivers', 'customers'),
  rows: (db, ids) =>
    db
      .selectFrom('trips')
      .leftJoin('drivers', 'drivers.id', 'trips.driver_id')
      .leftJoin('customers', 'customers.id', 'trips.customer_id')
      .selectAll('trips')
      .select(['drivers.fullname as driver', 'customers.fullname as customer'])
      .where('trips.id', 'in', ids),
  answer: (row): Trip => ({
    id: row.id,
    start_name: row.start_name,
    destination_name: row.destination_name,
    created_at: iso(row.created_at),
    customer: namedOrNull(row.customer_id, row.customer),
    driver: namedOrNull(row.driver_id, row.driver),
    status: row.status,
    cost: ksh(row.cost),
    distance: row.distance,
    notes: row.notes,
  }),
  counters: { 'trips.completed': completed, 'trips.failed': failed, 'trips.fares': fare },
  perHour: { at: 'R.created_at', n: completed, amount: fare, place: 'R.start_name' },
  totals: [
    { of: 'drivers', by: 'driver_id', columns: { ...personTotals, total_earnings: fare } },
    { of: 'customers', by: 'customer_id', columns: personTotals },
  ],
})
