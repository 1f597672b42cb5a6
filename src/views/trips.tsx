import type { Trip } from '../api/contract.ts'
import { customer } from '../commands/nouns/customer.ts'
import { driver } from '../commands/nouns/driver.ts'
import { trip as noun } from '../commands/nouns/trip.ts'
import { noValue, numberOf, text, thousandth } from '../format.ts'
import { listScreen } from './screen.tsx'
import { amountColumn, dayColumn, idColumn, partyColumn, textColumn } from './table/columns.tsx'
import { TripStatus } from './trip-status.tsx'

/** S2.i */
export const trips = listScreen<Trip>({
  noun,
  title: 'Trips',
  empty: 'No Trips to display',
  columns: [
    idColumn(4.25, (trip) => trip.id),
    { ...textColumn('origin', 'Origin', 9, (trip) => trip.start_name), card: 'name' },
    textColumn('destination', 'Destination', 8.5, (trip) => trip.destination_name),
    dayColumn('trip-date', 'Trip date', (trip) => trip.created_at),
    partyColumn(customer, 8.25, (trip) => trip.customer),
    partyColumn(driver, 8, (trip) => trip.driver),
    {
      id: 'status',
      header: 'Status',
      card: 'end',
      width: 6.5,
      cell: ({ status }) => text(status) && <TripStatus status={status} />,
      copy: (trip) => text(trip.status),
      exact: (trip) => text(trip.status),
    },
    amountColumn('cost', 'Cost', (trip) => trip.cost),
    {
      id: 'distance',
      header: 'Distance (km)',
      width: 6.75,
      align: 'end',
      cell: (trip) => thousandth(trip.distance),
      exact: (trip) => (numberOf(trip.distance) === null ? noValue : `${text(trip.distance)} m`),
    },
    textColumn('notes', 'Notes', 5.5, (trip) => trip.notes),
  ],
})
