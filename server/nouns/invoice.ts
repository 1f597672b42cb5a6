import type { Generated } from 'kysely'
import { ClearInvoiceBody, Invoice } from '../../src/api/contract.ts'
import type { Flag, Id } from '../db/columns.ts'
import { days, idIn, past, where } from '../queries/filter.ts'
import { nameOrPhoneOfAny, phoneOfAny } from '../queries/people.ts'
import { iso, isoOrNull, ksh, named } from '../queries/wire.ts'
import { defineNoun } from './noun.ts'
import { foundByPeople } from './person.ts'

declare module '../db/schema.ts' {
  interface Database {
    invoices: {
      id: Id
      driver_id: number
      amount: number
      paid: Generated<Flag>
      invoice_for: string
      invoice_date_added: number
      date_paid: number | null
      grace_end_date: number
      version: Generated<number>
    }
  }
}

const people = { drivers: 'driver_id' }

/** S3.9; `s` searches the driver's name and phone number. */
export const invoice = defineNoun({
  name: 'invoice',
  plural: 'invoices',
  table: 'invoices',
  list: { path: 'all-invoices/', shape: Invoice }, // S7.23
  orderings: { id: 'id' },
  filters: (engine, { s, phone }) => [
    ...(s ? [nameOrPhoneOfAny(engine, 'invoices', people, s)] : []),
    ...phoneOfAny(engine, 'invoices', people, phone),
  ],
  terms: {
    paid: where('R.paid = 1'),
    unpaid: where('R.paid = 0'),
    overdue: past('R.paid = 0', 'grace_end_date'),
    ...days('invoice_date_added'),
    'driver:': idIn('driver_id'),
  },
  found: foundByPeople('drivers'),
  rows: (db, ids) =>
    db
      .selectFrom('invoices')
      .innerJoin('drivers', 'drivers.id', 'invoices.driver_id')
      .selectAll('invoices')
      .select('drivers.fullname')
      .where('invoices.id', 'in', ids),
  answer: (row, now): Invoice => ({
    id: row.id,
    driver: named(row.driver_id, row.fullname),
    amount: ksh(row.amount),
    paid: row.paid === 1,
    over_due: row.paid === 0 && row.grace_end_date < now,
    invoice_for: row.invoice_for,
    invoice_date_added: iso(row.invoice_date_added),
    date_paid: isoOrNull(row.date_paid),
    grace_end_date: iso(row.grace_end_date),
    version: row.version,
  }),
  counters: {
    'invoices.paid_amount': 'R.amount * R.paid',
    'invoices.unpaid_amount': 'R.amount * (1 - R.paid)',
  },
  totals: [{ of: 'drivers', by: 'driver_id', columns: { unpaid_invoices: '1 - R.paid' } }],
  perHour: { at: 'R.date_paid', n: 'R.paid', amount: 'R.amount * R.paid' },
  actions: [
    {
      command: 'clear', // S7.22
      path: 'invoice/update/',
      body: { shape: ClearInvoiceBody, id: 'invoice_id' },
      columns: ({ paid }, { now }) => (paid ? {} : { paid: 1, date_paid: now }),
      message: ({ id, fullname }) => `Invoice ${id} of ${fullname} has been cleared.`,
    },
  ],
})
