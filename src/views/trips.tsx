import type { Trip } from '../api/contract.ts'
import { listTrips } from '../api/trips.ts'
import { noValue, numberOf, text, thousandth } from '../format.ts'
import { listScreen } from './screen.tsx'
import { amountColumn, dayColumn, idColumn, textColumn } from './ui/columns.tsx'
import { partyName } from './ui/party.ts'
import { TripStatus } from './ui/status.tsx'

/** S2.i */
export const trips = listScreen<Trip>({
  path: '/trips',
  title: 'Trips',
  load: listTrips,
  record: (trip) => `trip:${text(trip.id)}`,
  commands: [],
  empty: 'No Trips to display',
  columns: [
    idColumn(4.25, (trip) => trip.id),
    textColumn('Origin', 9, (trip) => trip.start_name),
    textColumn('Destination', 8.5, (trip) => trip.destination_name),
    dayColumn('Trip date', (trip) => trip.created_at),
    textColumn('Customer', 8.25, (trip) => partyName(trip.customer)),
    textColumn('Driver', 8, (trip) => partyName(trip.driver)),
    {
      id: 'status',
      header: 'Status',
      width: 6.5,
      cell: (trip) => <TripStatus status={text(trip.status)} />,
      copy: (trip) => text(trip.status),
      exact: (trip) => text(trip.status),
    },
    amountColumn('Cost', (trip) => trip.cost),
    {
      id: 'distance',
      header: 'Distance (km)',
      width: 6.75,
      align: 'end',
      cell: (trip) => thousandth(trip.distance),
      exact: (trip) => (numberOf(trip.distance) === null ? noValue : `${text(trip.distance)} m`),
    },
    textColumn('Notes', 5.5, (trip) => trip.notes),
  ],
})
