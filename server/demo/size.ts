import { phoneCount } from './phones.ts'
import type { Size } from './world.ts'

/** The number of rows of each kind. By default 3 trips per driver, and up to 10 per driver in a small fleet. */
export function sizeOf(drivers: number, trips: number | undefined): Size {
  const count = trips ?? Math.max(drivers * 3, Math.min(drivers * 10, 24_000))
  return {
    drivers,
    customers: Math.min(Math.ceil(drivers * 2.5), phoneCount - drivers),
    trips: count,
    bookings: count === 0 ? 0 : Math.max(30, Math.ceil(count / 20)),
  }
}
