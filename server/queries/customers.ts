import type { Selectable } from 'kysely'
import type { Customer } from '../../src/api/contract.ts'
import type { Database } from '../db/schema.ts'
import type { ListSource } from './list.ts'
import { peopleFilters } from './people.ts'
import { iso, ksh } from './wire.ts'

export const customers: ListSource<CustomerRow, Customer> = {
  table: 'customers',
  orderings: {
    id: 'id',
    fullname: 'search',
    date_joined: 'date_joined',
    total_completed_trips: 'total_completed_trips',
    total_failed_trips: 'total_failed_trips',
    wallet_balance: 'wallet_balance',
  },
  filters: (engine, query) => peopleFilters(engine, 'customers', query),
  rows: (db, ids) => db.selectFrom('customers').selectAll().where('id', 'in', ids).execute(),
  answer: (row) => ({
    id: row.id,
    user: { fullname: row.fullname, phone_number: row.phone_number, date_joined: iso(row.date_joined) },
    total_completed_trips: row.total_completed_trips,
    total_failed_trips: row.total_failed_trips,
    wallet_balance: ksh(row.wallet_balance),
  }),
}

export type CustomerRow = Selectable<Database['customers']>
