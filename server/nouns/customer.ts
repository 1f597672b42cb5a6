import { Customer } from '../../src/api/contract.ts'
import { spreadsheet } from '../export/spreadsheet.ts'
import { days } from '../queries/filter.ts'
import { personFilters } from '../queries/people.ts'
import { ksh } from '../queries/wire.ts'
import { defineNoun } from './noun.ts'
import type { PersonTable } from './person.ts'
import { personCells, personColumns, personFound, personOrderings, userOf } from './person.ts'

declare module '../db/schema.ts' {
  interface Database {
    customers: PersonTable
  }
}

/** S3.3 */
export const customer = defineNoun({
  name: 'customer',
  plural: 'customers',
  table: 'customers',
  list: { path: 'customers/', shape: Customer }, // S7.11, S7.34
  orderings: personOrderings,
  search: { columns: ['fullname'] },
  searched: ['search', 'phone_number'],
  vocabulary: true,
  filters: (engine, query) => personFilters(engine, 'customers', query),
  terms: days('date_joined'),
  found: personFound,
  rows: (db, ids) => db.selectFrom('customers').selectAll().where('id', 'in', ids),
  answer: (row): Customer => ({
    id: row.id,
    user: userOf(row),
    total_completed_trips: row.total_completed_trips,
    total_failed_trips: row.total_failed_trips,
    wallet_balance: ksh(row.wallet_balance),
  }),
  counters: { customers: '1' },
  perHour: { at: 'R.date_joined', n: '1' },
  file: spreadsheet({
    path: 'customers-export-excel/', // S7.10
    name: 'customers_data.xlsx',
    sheet: 'Customers',
    columns: personColumns,
    table: 'customers',
    rows: (db, ids) => db.selectFrom('customers').select('id').select(personCells).where('id', 'in', ids),
  }),
})
