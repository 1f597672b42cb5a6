import type { Customer } from '../api/contract.ts'
import { customer as noun } from '../commands/nouns/customer.ts'
import { customersExport } from '../commands/exports.ts'
import { listScreen } from './screen.tsx'
import { countColumn, dayColumn, idColumn, phoneColumn, textColumn, walletColumn } from './table/columns.tsx'
import { ExportButton } from './ui/export-button.tsx'

/** S2.f */
export const customers = listScreen<Customer>({
  noun,
  title: 'Customers',
  extraCommands: [customersExport.start, customersExport.cancel],
  actions: <ExportButton of={customersExport} />,
  loading: 'Loading....',
  empty: 'No Customers to display',
  columns: [
    idColumn(5, (customer) => customer.id),
    {
      ...textColumn('name', 'Name', 12, (customer) => customer.user?.fullname),
      card: 'name',
      sort: 'fullname',
    },
    phoneColumn('phone-no', 'Phone No', (customer) => customer.user?.phone_number),
    {
      ...dayColumn('date-joined', 'Date joined', (customer) => customer.user?.date_joined),
      sort: 'date_joined',
    },
    {
      ...countColumn('completed-trips', 'Completed Trips', (customer) => customer.total_completed_trips),
      sort: 'total_completed_trips',
    },
    {
      ...countColumn('failed-trips', 'Failed Trips', (customer) => customer.total_failed_trips),
      sort: 'total_failed_trips',
    },
    { ...walletColumn((customer) => customer.wallet_balance), card: 'end' },
  ],
})
