import type { Invoice } from '../api/contract.ts'
import { listInvoices } from '../api/invoices.ts'
import { driverHref } from '../commands/drivers.ts'
import { clear, invoiceRecord } from '../commands/invoices.ts'
import { exactNumber, ksh, yesOrNo } from '../format.ts'
import { listScreen } from './screen.tsx'
import { dayColumn, idColumn, linkColumn, textColumn } from './ui/columns.tsx'
import { CommandButton } from './ui/command-button.tsx'
import { partyName } from './ui/party.ts'
import { Tick } from './ui/tick.tsx'

/** S2.k */
export const invoices = listScreen<Invoice>({
  path: '/invoices',
  title: 'Invoices',
  load: listInvoices,
  record: invoiceRecord,
  href: (invoice) => driverHref(invoice.driver?.id),
  targets: (invoice) => ({ invoice }),
  commands: [clear],
  search: { parameter: 's', placeholder: 'Search driver by name or phone number...' },
  empty: 'No Invoices to display',
  columns: [
    idColumn(4.25, (invoice) => invoice.id),
    linkColumn(
      'Driver',
      10.25,
      (invoice) => driverHref(invoice.driver?.id),
      (invoice) => partyName(invoice.driver),
    ),
    {
      id: 'amount',
      header: 'Amount',
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
    },
    textColumn('Invoice For', 8, (invoice) => invoice.invoice_for),
    dayColumn('Invoice Date', (invoice) => invoice.invoice_date_added),
    dayColumn('Date Paid', (invoice) => invoice.date_paid),
    dayColumn('Grace End Date', (invoice) => invoice.grace_end_date),
    {
      id: 'action',
      header: 'Action',
      width: 7.75,
      control: true,
      cell: (invoice) =>
        invoice.paid === false && (
          <CommandButton
            command={clear}
            targets={{ invoice: [invoice] }}
            label="Clear"
            record={invoiceRecord(invoice)}
            busyLabel="processing..."
          />
        ),
    },
  ],
})
