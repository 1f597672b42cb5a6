import { clearInvoice } from '../api/invoices.ts'
import { text } from '../format.ts'
import type { Command, Context, Records } from './command.ts'
import type { Mutation } from './run.ts'
import { runAll } from './run.ts'

type Invoice = Records['invoice']

export const invoiceRecord = (invoice: Invoice) => `invoice:${text(invoice.id)}`
const nameOf = (invoice: Invoice) => `invoice ${text(invoice.id)}`

/** S4.6, S2.k.5: offered only while paid is false. It has no inverse, so no undo (R7). */
export const clear: Command = {
  id: 'invoice.clear',
  noun: 'invoice',
  about: 'Clear the invoice',
  title: (context) => `Clear ${namesOf(unpaid(context))}`,
  keywords: 'paid pay settle',
  keys: 'c',
  when: (context) => unpaid(context).length > 0,
  run: async (context) => {
    const invoices = unpaid(context)
    await runAll(invoices.map(clearing), `Clear ${namesOf(invoices)}`)
  },
}

const clearing = (invoice: Invoice): Mutation => ({
  id: 'invoice.clear',
  record: invoiceRecord(invoice),
  label: `Clear ${nameOf(invoice)}`,
  perform: (key) => clearInvoice(invoice.id, key),
  succeeded: (message) => message, // S8.9
  failed: 'An error occured!. Driver could not be unsuspended', // S8.8
})

function namesOf([first, ...others]: readonly Invoice[]): string {
  if (!first) return 'the invoice'
  return others.length ? `${others.length + 1} invoices` : nameOf(first)
}

const unpaid = ({ targets }: Context): Invoice[] =>
  targets.invoice?.filter(({ id, paid }) => text(id) !== '' && paid === false) ?? []
