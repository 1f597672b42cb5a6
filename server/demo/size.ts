import { phoneCount } from './phones.ts'
import type { Size } from './world.ts'

/** Few drivers get many trips each, so that a small demo is lively; a huge fleet gets three each. */
export function sizeOf(drivers: number, trips: number | undefined): Size {
  const count = trips ?? Math.max(drivers * 3, Math.min(drivers * 10, 24_000))
  return {
    drivers,
    customers: Math.min(Math.ceil(drivers * 2.5), phoneCount - drivers),
    trips: count,
    bookings: count === 0 ? 0 : Math.max(30, Math.ceil(count / 20)),
  }
}
