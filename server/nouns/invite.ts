import { DriverInvite } from '../../src/api/contract.ts'
import type { Id } from '../db/columns.ts'
import { days, idIn } from '../queries/filter.ts'
import { nameOrPhoneOfAny, phoneOfAny } from '../queries/people.ts'
import { iso, named } from '../queries/wire.ts'
import { defineNoun } from './noun.ts'
import { foundByPeople } from './person.ts'

declare module '../db/schema.ts' {
  interface Database {
    driver_invites: { id: Id; driver_id: number; customer_id: number; created_at: number }
  }
}

const people = { drivers: 'driver_id', customers: 'customer_id' }

/** S3.10 */
export const invite = defineNoun({
  name: 'invite',
  plural: 'invites',
  table: 'driver_invites',
  list: { path: 'driver-invites/', shape: DriverInvite }, // S7.24
  orderings: { id: 'id' },
  filters: (engine, { s, phone }) => [
    ...(s ? [nameOrPhoneOfAny(engine, 'driver_invites', people, s)] : []),
    ...phoneOfAny(engine, 'driver_invites', people, phone),
  ],
  terms: { ...days('created_at'), 'driver:': idIn('driver_id'), 'customer:': idIn('customer_id') },
  found: foundByPeople('drivers', 'customers'),
  rows: (db, ids) =>
    db
      .selectFrom('driver_invites')
      .innerJoin('drivers', 'drivers.id', 'driver_invites.driver_id')
      .innerJoin('customers', 'customers.id', 'driver_invites.customer_id')
      .selectAll('driver_invites')
      .select(['drivers.fullname as driver', 'customers.fullname as customer'])
      .where('driver_invites.id', 'in', ids),
  answer: (row): DriverInvite => ({
    id: row.id,
    driver: named(row.driver_id, row.driver),
    customer: named(row.customer_id, row.customer),
    created_at: iso(row.created_at),
  }),
})
