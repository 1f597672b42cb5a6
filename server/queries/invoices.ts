import type { Selectable, Transaction } from 'kysely'
import type { Invoice } from '../../src/api/contract.ts'
import type { Database } from '../db/schema.ts'
import { Problem } from '../problem.ts'
import type { ListSource } from './list.ts'
import type { Outcome } from './mutation.ts'
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
  }),
})

type InvoiceRow = Selectable<Database['invoices']> & { fullname: string }

/** Clears an invoice; cleared before, it answers the same message and changes nothing. Throws Problem 404. */
export async function clearInvoice(
  trx: Transaction<Database>,
  id: number,
  now: number,
): Promise<Outcome<{ message: string }>> {
  if (!Number.isSafeInteger(id)) throw noInvoice()
  const changed = await trx
    .updateTable('invoices')
    .set({ paid: 1, date_paid: now })
    .where('id', '=', id)
    .where('paid', '=', 0)
    .executeTakeFirst()
  const invoice = await trx
    .selectFrom('invoices')
    .innerJoin('drivers', 'drivers.id', 'invoices.driver_id')
    .select('drivers.fullname')
    .where('invoices.id', '=', id)
    .executeTakeFirst()
  if (!invoice) throw noInvoice()
  const body = { message: `Invoice ${id} of ${invoice.fullname} has been cleared.` }
  return changed.numUpdatedRows
    ? { body, audit: { action: 'clear', entity: 'invoice', entityId: id } }
    : { body }
}

const noInvoice = () => new Problem(404, 'There is no such invoice.')
