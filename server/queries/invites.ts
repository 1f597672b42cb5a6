import type { Selectable } from 'kysely'
import type { DriverInvite } from '../../src/api/contract.ts'
import type { Database } from '../db/schema.ts'
import type { ListSource } from './list.ts'
import { nameOrPhoneOfAny, phoneOfAny } from './people.ts'
import { iso, named } from './wire.ts'

const people = { drivers: 'driver_id', customers: 'customer_id' }

export const driverInvites: ListSource<InviteRow, DriverInvite> = {
  table: 'driver_invites',
  orderings: { id: 'id' },
  filters: (engine, { s, phone }) => [
    ...(s ? [nameOrPhoneOfAny(engine, people, s)] : []),
    ...phoneOfAny(engine, people, phone),
  ],
  rows: (db, ids) =>
    db
      .selectFrom('driver_invites')
      .innerJoin('drivers', 'drivers.id', 'driver_invites.driver_id')
      .innerJoin('customers', 'customers.id', 'driver_invites.customer_id')
      .selectAll('driver_invites')
      .select(['drivers.fullname as driver', 'customers.fullname as customer'])
      .where('driver_invites.id', 'in', ids)
      .execute(),
  answer: (row) => ({
    id: row.id,
    driver: { id: row.driver_id, user: { fullname: row.driver } },
    customer: named(row.customer),
    created_at: iso(row.created_at),
  }),
}

type InviteRow = Selectable<Database['driver_invites']> & { driver: string; customer: string }
