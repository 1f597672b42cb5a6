import { listDrivers } from '../api/drivers.ts'
import type { Driver } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import { driverCommands, driverHref, driverRecord, suspend, unsuspend } from '../commands/drivers.ts'
import { exportAllDrivers } from '../commands/exports.ts'
import { amount, count, day, exactNumber, phone, text } from '../format.ts'
import { listScreen } from './screen.tsx'
import { CommandButton } from './ui/command-button.tsx'
import { ExportButton } from './ui/export-button.tsx'
import { Presence } from './ui/presence.tsx'
import { RecordLink } from './ui/record-link.tsx'

/** S2.d */
export const drivers = listScreen<Driver>({
  path: '/riders',
  title: 'Drivers',
  load: listDrivers,
  record: driverRecord,
  href: (driver) => driverHref(driver.id),
  targets: (driver) => ({ driver: [driver] }),
  commands: [...driverCommands, exportAllDrivers],
  search: { parameter: 's', placeholder: 'Search driver by name...' },
  actions: <ExportButton command={exportAllDrivers} record="export:drivers" />,
  empty: 'No Drivers to display',
  columns: [
    {
      id: 'id',
      header: 'ID #',
      width: 4.5,
      control: true,
      cell: (driver) => <RecordLink href={driverHref(driver.id)}>{text(driver.id)}</RecordLink>,
    },
    {
      id: 'name',
      header: 'Name',
      width: 13,
      control: true,
      cell: (driver) => <RecordLink href={driverHref(driver.id)}>{text(driver.user?.fullname)}</RecordLink>,
      exact: (driver) => text(driver.user?.fullname),
    },
    { id: 'phone', header: 'Phone No', width: 9, cell: (driver) => phone(driver.user?.phone_number) },
    {
      id: 'joined',
      header: 'Date joined',
      width: 8,
      cell: (driver) => day(driver.user?.date_joined),
      exact: (driver) => text(driver.user?.date_joined),
    },
    {
      id: 'completed',
      header: 'Completed Trips',
      width: 8.75,
      align: 'end',
      cell: (driver) => count(driver.total_completed_trips),
      exact: (driver) => exactNumber(driver.total_completed_trips),
    },
    {
      id: 'failed',
      header: 'Failed Trips',
      width: 6.5,
      align: 'end',
      cell: (driver) => count(driver.total_failed_trips),
      exact: (driver) => exactNumber(driver.total_failed_trips),
    },
    {
      id: 'wallet',
      header: 'Wallet(Ksh)',
      width: 7.5,
      align: 'end',
      cell: (driver) => amount(driver.wallet_balance),
      exact: (driver) => exactNumber(driver.wallet_balance),
    },
    { id: 'status', header: 'Status', width: 8.25, cell: (driver) => <Presence driver={driver} /> },
    {
      id: 'action',
      header: 'Action',
      width: 8.5,
      control: true,
      cell: (driver) => <SuspendButton driver={driver} />,
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
