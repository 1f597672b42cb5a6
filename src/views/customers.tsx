import type { Customer } from '../api/contract.ts'
import { listCustomers } from '../api/customers.ts'
import { customersExport } from '../commands/exports.ts'
import { text } from '../format.ts'
import { listScreen } from './screen.tsx'
import { amountColumn, countColumn, dayColumn, idColumn, phoneColumn, textColumn } from './ui/columns.tsx'
import { ExportButton } from './ui/export-button.tsx'

/** S2.f */
export const customers = listScreen<Customer>({
  path: '/customers',
  title: 'Customers',
  load: listCustomers,
  record: (customer) => `customer:${text(customer.id)}`,
  commands: [customersExport.start, customersExport.cancel],
  actions: <ExportButton of={customersExport} />,
  search: { parameter: 's', placeholder: 'Search customer by name...' },
  loading: 'Loading....',
  empty: 'No Customers to display',
  columns: [
    idColumn(5, (customer) => customer.id),
    { ...textColumn('Name', 12, (customer) => customer.user?.fullname), sort: 'fullname' },
    phoneColumn('Phone No', (customer) => customer.user?.phone_number),
    { ...dayColumn('Date joined', (customer) => customer.user?.date_joined), sort: 'date_joined' },
    {
      ...countColumn('Completed Trips', (customer) => customer.total_completed_trips),
      sort: 'total_completed_trips',
    },
    { ...countColumn('Failed Trips', (customer) => customer.total_failed_trips), sort: 'total_failed_trips' },
    { ...amountColumn('Wallet(Ksh)', (customer) => customer.wallet_balance), sort: 'wallet_balance' },
  ],
})
