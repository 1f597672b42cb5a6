import { CalendarClock, TriangleAlert } from 'lucide-react'
import type { Invoice } from '../api/contract.ts'
import { driver } from '../commands/nouns/driver.ts'
import { clear, invoice as noun } from '../commands/nouns/invoice.ts'
import { exactNumber, isWithin, ksh, yesOrNo } from '../format.ts'
import { listScreen } from './screen.tsx'
import { dayColumn, idColumn, partyColumn, textColumn } from './table/columns.tsx'
import { CommandButton } from './ui/command-button.tsx'
import { Tick } from './ui/tick.tsx'

/** S2.k */
export const invoices = listScreen<Invoice>({
  noun,
  title: 'Invoices',
  empty: 'No Invoices to display',
  columns: [
    idColumn(4.25, (invoice) => invoice.id),
    { ...partyColumn(driver, 10.25, (invoice) => invoice.driver), card: 'name' },
    {
      id: 'amount',
      header: 'Amount',
      card: 'end',
      width: 6.5,
      align: 'end',
      cell: (invoice) => ksh(invoice.amount),
      exact: (invoice) => exactNumber(invoice.amount),
    },
    {
      id: 'paid',
      header: 'Paid',
      width: 4,
      cell: (invoice) => <Tick of="Paid" value={invoice.paid} />,
      copy: (invoice) => yesOrNo(invoice.paid),
    },
    {
      id: 'over-due',
      header: 'Over Due',
      width: 5.5,
      cell: (invoice) => <Tick of="Over Due" value={invoice.over_due} />,
      copy: (invoice) => yesOrNo(invoice.over_due),
      state: ({ over_due, paid }) =>
        over_due === true && paid !== true && { Icon: TriangleAlert, text: 'Not paid in time' },
    },
    textColumn('invoice-for', 'Invoice For', 8, (invoice) => invoice.invoice_for),
    dayColumn('invoice-date', 'Invoice Date', (invoice) => invoice.invoice_date_added),
    dayColumn('date-paid', 'Date Paid', (invoice) => invoice.date_paid),
    {
      ...dayColumn('grace-end-date', 'Grace End Date', (invoice) => invoice.grace_end_date),
      state: ({ grace_end_date, paid }) =>
        paid === false &&
        isWithin(3, grace_end_date, new Date()) && {
          Icon: CalendarClock,
          text: 'Due within 3 days',
          isWarning: true,
        },
    },
    {
      id: 'action',
      header: 'Action',
      width: 7.75,
      control: true,
      cell: (invoice) =>
        invoice.paid === false && (
          <CommandButton command={clear} noun={noun} row={invoice} label="Clear" busyLabel="processing..." />
        ),
    },
  ],
})
