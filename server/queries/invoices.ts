import type { Selectable, Transaction } from 'kysely'
import type { Invoice } from '../../src/api/contract.ts'
import type { Database } from '../db/schema.ts'
import { changeRecord } from './change.ts'
import type { ListSource } from './list.ts'
import type { MutationResult } from './mutation.ts'
import { nameOrPhoneOfAny, phoneOfAny } from './people.ts'
import { iso, isoOrNull, ksh } from './wire.ts'

/** `s` looks in the driver's name and phone number. Overdue is unpaid and past its grace at `now`. */
export const invoices = (now: () => number): ListSource<InvoiceRow, Invoice> => ({
  table: 'invoices',
  orderings: { id: 'id' },
  filters: (engine, { s, phone }) => [
    ...(s ? [nameOrPhoneOfAny(engine, { drivers: 'driver_id' }, s)] : []),
    ...phoneOfAny(engine, { drivers: 'driver_id' }, phone),
  ],
  rows: (db, ids) =>
    db
      .selectFrom('invoices')
      .innerJoin('drivers', 'drivers.id', 'invoices.driver_id')
      .selectAll('invoices')
      .select('drivers.fullname')
      .where('invoices.id', 'in', ids)
      .execute(),
  answer: (row) => ({
    id: row.id,
    driver: { id: row.driver_id, user: { fullname: row.fullname } },
    amount: ksh(row.amount),
    paid: row.paid === 1,
    over_due: row.paid === 0 && row.grace_end_date < now(),
    invoice_for: row.invoice_for,
    invoice_date_added: iso(row.invoice_date_added),
    date_paid: isoOrNull(row.date_paid),
    grace_end_date: iso(row.grace_end_date),
    version: row.version,
  }),
})

type InvoiceRow = Selectable<Database['invoices']> & { fullname: string }

/** Clears an invoice; for a paid one it answers the same message and changes nothing. Throws Problem 404. */
export async function clearInvoice(
  trx: Transaction<Database>,
  id: number,
  now: () => number,
): Promise<MutationResult<{ message: string }>> {
  const { row, audit } = await changeRecord(
    trx,
    { noun: 'invoice', label: 'invoice', table: 'invoices', source: invoices(now) },
    id,
    ({ paid }) => (paid ? {} : { paid: 1, date_paid: now() }),
    () => 'clear',
  )
  return { body: { message: `Invoice ${id} of ${row.fullname} has been cleared.` }, audit }
}
