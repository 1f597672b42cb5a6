import { listDrivers } from '../api/drivers.ts'
import type { Driver } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import { driverCommands, driverHref, driverRecord, suspend, unsuspend } from '../commands/drivers.ts'
import { driversExport } from '../commands/exports.ts'
import { text } from '../format.ts'
import { listScreen } from './screen.tsx'
import { amountColumn, countColumn, dayColumn, linkColumn, phoneColumn } from './ui/columns.tsx'
import { CommandButton } from './ui/command-button.tsx'
import { ExportButton } from './ui/export-button.tsx'
import { Presence, presenceOf } from './ui/presence.tsx'

const link = (header: string, width: number, read: (driver: Row<Driver>) => unknown) =>
  linkColumn<Row<Driver>>(header, width, ({ id }) => driverHref(id), read)

/** S2.d */
export const drivers = listScreen<Driver>({
  path: '/riders',
  title: 'Drivers',
  load: listDrivers,
  record: driverRecord,
  href: (driver) => driverHref(driver.id),
  targets: (driver) => ({ driver }),
  commands: [...driverCommands, driversExport.start, driversExport.cancel],
  search: { parameter: 's', placeholder: 'Search driver by name...' },
  actions: <ExportButton of={driversExport} />,
  empty: 'No Drivers to display',
  columns: [
    { ...link('ID #', 4, (driver) => driver.id), sort: 'id' },
    { ...link('Name', 11, (driver) => driver.user?.fullname), sort: 'fullname' },
    phoneColumn('Phone No', (driver) => driver.user?.phone_number),
    { ...dayColumn('Date joined', (driver) => driver.user?.date_joined), sort: 'date_joined' },
    {
      ...countColumn('Completed Trips', (driver) => driver.total_completed_trips),
      sort: 'total_completed_trips',
    },
    { ...countColumn('Failed Trips', (driver) => driver.total_failed_trips), sort: 'total_failed_trips' },
    { ...amountColumn('Wallet(Ksh)', (driver) => driver.wallet_balance), sort: 'wallet_balance' },
    {
      id: 'status',
      header: 'Status',
      width: 7,
      cell: (driver) => <Presence driver={driver} />,
      copy: presenceOf,
    },
    {
      id: 'action',
      header: 'Action',
      width: 7.75,
      control: true,
      cell: (driver) => text(driver.id) && <SuspendButton driver={driver} />,
    },
  ],
})

/** S2.d.3 */
export function SuspendButton({ driver }: { driver: Row<Driver> }) {
  const suspended = driver.deleted === true
  return (
    <CommandButton
      command={suspended ? unsuspend : suspend}
      targets={{ driver: [driver] }}
      label={suspended ? 'Unsuspend' : 'Suspend'}
      record={driverRecord(driver)}
      busyLabel="..."
    />
  )
}
