import type { Tone } from './pill.tsx'
import { Pill } from './pill.tsx'

const trip = new Map<string, Tone>([
  ['Completed', 'green'],
  ['Ongoing', 'amber'],
  ['Cancelled', 'red'],
])
const booking = new Map<string, Tone>([
  ['Completed', 'green'],
  ['Ongoing', 'amber'],
  ['Not Started', 'red'],
  ['Accepted', 'blue'],
  ['Pending', 'red'],
])

/** S4.4 */
export function TripStatus({ status }: { status: string }) {
  return status && <Pill tone={trip.get(status) ?? 'blue'}>{status}</Pill>
}

/** S4.5 */
export function BookingStatus({ status }: { status: string }) {
  return status && <Pill tone={booking.get(status) ?? 'teal'}>{status}</Pill>
}
