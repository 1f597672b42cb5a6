import { mutate } from '../../api/client.ts'
import type { Invoice as WireInvoice } from '../../api/contract.ts'
import type { Row } from '../../api/loose.ts'
import { amount, count, numberOf, text } from '../../format.ts'
import type { Command, Context } from '../command.ts'
import { areAlready, namedRefOf, rowsOf, some } from '../command.ts'
import { defineChange } from '../mutation.ts'
import type { Noun } from '../noun.ts'
import { defineNoun } from '../noun.ts'
import { dayFilters } from './days.ts'
import { runMutation } from '../run.ts'
import { driverHref, nameOrPhone } from './driver.ts'

type Invoice = Row<WireInvoice>

const name = 'invoice'
const nameOf = (row: Invoice) => `invoice ${text(row.id)}`

/** Clearing has no inverse and cannot be undone (R7). */
const clearing = defineChange({
  command: 'invoice.clear',
  label: (ref) => `Clear ${ref.name}`,
  doing: 'Clearing',
  // Drivers too: their filter "Owing" finds those with unpaid invoices.
  affects: [name, 'driver', 'analytics'],
  // S7.22: the id is sent as a number.
  perform: ({ id }, _args, key) => mutate('invoice/update/', key, { invoice_id: numberOf(id) ?? id }),
  succeeded: (message) => message, // S8.9
  failed: 'An error occured!. Driver could not be unsuspended', // S8.8
})

/** S4.6, S2.k.5: offered only while paid is false. */
export const clear: Command = {
  id: clearing.command,
  noun: name,
  about: 'Clear the invoice',
  title: (context) => {
    const all = rowsOf<WireInvoice>(name, context).length
    return `Clear ${all > 1 ? withSum(unpaid(context), all) : namesOf(unpaid(context))}`
  },
  verbs: ['clear', 'pay', 'paid', 'settle', 'lipa'],
  isRisky: true,
  unfit: 'Paid already',
  note: (context) =>
    areAlready(rowsOf<WireInvoice>(name, context).length - unpaid(context).length, 'paid already'),
  keys: 'c',
  when: (context) => unpaid(context).length > 0,
  // The button of a row acts at once (S2.k.5).
  asks: (context) => ({
    text: `Clear ${withSum(unpaid(context))}?`,
    hint: 'Enter clears, Escape cancels',
    yes: 'Clear',
  }),
  run: async (context) => {
    const refs = unpaid(context).map((row) => namedRefOf({ name }, row, nameOf(row)))
    await runMutation({
      command: clearing.command,
      refs,
      args: {},
      label: `Clear ${namesOf(unpaid(context))}`,
    })
  },
}

export const invoice: Noun<WireInvoice> = defineNoun({
  name,
  singular: 'invoice',
  plural: 'invoices',
  words: ['inv', 'bill', 'bills', 'ankara', 'debt', 'debts'],
  path: '/invoices',
  calls: { collection: 'invoices', list: 'all-invoices/' },
  nameOf,
  href: (row) => driverHref(row.driver?.id),
  search: { parameter: 's', placeholder: 'Search driver by name or phone number...' },
  find: nameOrPhone,
  filters: [
    { term: 'overdue', label: 'Overdue', words: ['late', 'due'] },
    { term: 'unpaid', label: 'Unpaid', words: ['owed', 'pending reconciliation'] },
    { term: 'paid', label: 'Paid', words: ['cleared', 'settled', 'cash in hand'] },
    ...dayFilters,
  ],
  date: 'Invoice date',
  owners: ['driver'],
  commands: [clear],
})

function namesOf(invoices: readonly Invoice[], all = invoices.length): string {
  const [first, ...others] = invoices
  if (!first) return 'the invoice'
  return others.length ? `${some(invoices.length, all)} invoices` : nameOf(first)
}

/** "12 invoices, Ksh 34,560"; without a sum if an amount is not a number. */
function withSum(invoices: readonly Invoice[], all = invoices.length): string {
  const amounts = invoices.flatMap((row) => numberOf(row.amount) ?? [])
  const sum = amounts.reduce((all, one) => all + one, 0)
  if (amounts.length < invoices.length) return namesOf(invoices, all)
  return `${namesOf(invoices, all)}, Ksh ${Number.isInteger(sum) ? count(sum) : amount(sum)}`
}

function unpaid(context: Context): Invoice[] {
  return rowsOf<WireInvoice>(name, context).filter(({ id, paid }) => text(id) !== '' && paid === false)
}
