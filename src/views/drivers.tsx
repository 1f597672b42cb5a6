import { Ban } from 'lucide-react'
import type { Driver } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import { driver as noun, driverHref, suspend, unsuspend } from '../commands/nouns/driver.ts'
import { driversExport } from '../commands/exports.ts'
import { text } from '../format.ts'
import { listScreen } from './screen.tsx'
import { countColumn, dayColumn, linkColumn, phoneColumn, walletColumn } from './table/columns.tsx'
import { CommandButton } from './ui/command-button.tsx'
import { ExportButton } from './ui/export-button.tsx'
import { Presence, presenceOf } from './presence.tsx'

const link = (id: string, header: string, width: number, read: (driver: Row<Driver>) => unknown) =>
  linkColumn<Row<Driver>>(id, header, width, (driver) => driverHref(driver.id), read)

/** S2.d */
export const drivers = listScreen<Driver>({
  noun,
  title: 'Drivers',
  extraCommands: [driversExport.start, driversExport.cancel],
  actions: <ExportButton of={driversExport} />,
  empty: 'No Drivers to display',
  columns: [
    { ...link('id', 'ID #', 4, (driver) => driver.id), sort: 'id' },
    {
      ...link('name', 'Name', 11, (driver) => driver.user?.fullname),
      card: 'name',
      sort: 'fullname',
      state: (driver) => driver.deleted === true && { Icon: Ban, text: 'Suspended' },
    },
    phoneColumn('phone-no', 'Phone No', (driver) => driver.user?.phone_number),
    {
      ...dayColumn('date-joined', 'Date joined', (driver) => driver.user?.date_joined),
      card: 'plain',
      sort: 'date_joined',
    },
    {
      ...countColumn('completed-trips', 'Completed Trips', (driver) => driver.total_completed_trips),
      sort: 'total_completed_trips',
    },
    {
      ...countColumn('failed-trips', 'Failed Trips', (driver) => driver.total_failed_trips),
      sort: 'total_failed_trips',
    },
    walletColumn((driver) => driver.wallet_balance),
    {
      id: 'status',
      header: 'Status',
      card: 'end',
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
      noun={noun}
      row={driver}
      label={suspended ? 'Unsuspend' : 'Suspend'}
      busyLabel="..."
    />
  )
}
