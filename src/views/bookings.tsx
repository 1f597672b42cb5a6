import type { PreBooking } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import { booking as noun } from '../commands/nouns/booking.ts'
import { customer } from '../commands/nouns/customer.ts'
import { driver } from '../commands/nouns/driver.ts'
import { coordinate, text } from '../format.ts'
import { listScreen } from './screen.tsx'
import { amountColumn, dayColumn, idColumn, momentColumn, partyColumn, textColumn } from './table/columns.tsx'
import type { Tone } from './ui/pill.tsx'
import { Pill } from './ui/pill.tsx'

/** S4.5; any other status is teal. */
const tones = new Map<string, Tone>([
  ['Completed', 'green'],
  ['Ongoing', 'amber'],
  ['Not Started', 'red'],
  ['Accepted', 'blue'],
  ['Pending', 'red'],
])

/** S2.j */
export const bookings = listScreen<PreBooking>({
  noun,
  title: 'Bookings',
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
    dayColumn('date-created', 'Date created', (booking) => booking.created_at),
    dayColumn('appointment-date', 'Appointment date', (booking) => booking.appointment_date),
    { ...partyColumn(customer, 9, (booking) => booking.customer), card: 'name' },
    partyColumn(driver, 9, (booking) => booking.driver),
    textColumn('duration', 'Duration', 5.5, (booking) => booking.slot?.name),
    amountColumn('cost', 'Cost', (booking) => booking.slot?.amount),
    {
      id: 'status',
      header: 'Status',
      card: 'end',
      width: 7,
      cell: ({ status }) =>
        text(status) && <Pill tone={tones.get(text(status)) ?? 'teal'}>{text(status)}</Pill>,
      copy: (booking) => text(booking.status),
      exact: (booking) => text(booking.status),
    },
    momentColumn('pickup-time', 'Pickup time', (booking) => booking.pickup_time),
    momentColumn('dropoff-time', 'Dropoff time', (booking) => booking.dropoff_time),
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

/** Blank unless both coordinates are known. */
function pointOf({ start_lat, start_lng }: Row<PreBooking>, format: (value: unknown) => string): string {
  const point = [format(start_lat), format(start_lng)]
  return point.every(Boolean) ? point.join(', ') : ''
}
