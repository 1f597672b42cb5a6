import { listBookings } from '../api/bookings.ts'
import type { PreBooking } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import { coordinate, text } from '../format.ts'
import { listScreen } from './screen.tsx'
import { amountColumn, dayColumn, idColumn, momentColumn, textColumn } from './ui/columns.tsx'
import { partyName } from './ui/party.ts'
import { Pill } from './ui/pill.tsx'
import { BookingStatus } from './ui/status.tsx'

/** S2.j */
export const bookings = listScreen<PreBooking>({
  path: '/bookings',
  title: 'Bookings',
  load: listBookings,
  record: (booking) => `booking:${text(booking.id)}`,
  commands: [],
  empty: 'No Bookings to display',
  columns: [
    idColumn(4, (booking) => booking.id),
    {
      id: 'pickup',
      header: 'Pickup (lat/lng)',
      width: 10,
      cell: (booking) => pointOf(booking, coordinate),
      exact: (booking) => pointOf(booking, coordinate) && pointOf(booking, text),
    },
    dayColumn('Date created', (booking) => booking.created_at),
    dayColumn('Appointment date', (booking) => booking.appointment_date),
    textColumn('Customer', 9, (booking) => partyName(booking.customer)),
    textColumn('Driver', 9, (booking) => partyName(booking.driver)),
    textColumn('Duration', 5.5, (booking) => booking.slot?.name),
    amountColumn('Cost', (booking) => booking.slot?.amount),
    {
      id: 'status',
      header: 'Status',
      width: 7,
      cell: (booking) => <BookingStatus status={text(booking.status)} />,
      copy: (booking) => text(booking.status),
      exact: (booking) => text(booking.status),
    },
    momentColumn('Pickup time', (booking) => booking.pickup_time),
    momentColumn('Dropoff time', (booking) => booking.dropoff_time),
    {
      id: 'payment',
      header: 'Payment Status',
      width: 7,
      cell: (booking) =>
        paymentOf(booking) && <Pill tone={booking.paid ? 'green' : 'red'}>{paymentOf(booking)}</Pill>,
      copy: paymentOf,
    },
  ],
})

function paymentOf({ paid }: Row<PreBooking>): string {
  return typeof paid === 'boolean' ? (paid ? 'Paid' : 'Not paid') : ''
}

/** One coordinate alone is no point. */
function pointOf({ start_lat, start_lng }: Row<PreBooking>, format: (value: unknown) => string): string {
  const point = [format(start_lat), format(start_lng)]
  return point.every(Boolean) ? point.join(', ') : ''
}
