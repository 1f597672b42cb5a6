import type { Selectable } from 'kysely'
import type { Database } from '../db/schema.ts'

type Value = string | number | null
/** All columns of a table, including the id, because the generator assigns the ids itself. */
type Row<T extends keyof Database> = Selectable<Database[T]> & Record<string, Value>
export type Write = <T extends keyof Database>(table: T, row: Row<T>) => void

export interface Size {
  drivers: number
  customers: number
  trips: number
  bookings: number
}

/** Facts about people that trips depend on, by id. Typed arrays, so that a million people need little memory. */
export interface World {
  size: Size
  now: number
  drivers: {
    area: Uint8Array
    /** Index in `rides`; `noRide` for a driver without a vehicle. */
    ride: Uint8Array
    /** The probability that the driver accepts a trip, 0 to 1. */
    keenness: Float32Array
    suspendedAt: Float64Array
    /** When the driver's last trip or booking ends. */
    freeAt: Float64Array
  }
  customers: { area: Uint8Array; freeAt: Float64Array }
}

export const noRide = 255

/** One seed for each kind of record, so that more records of one kind do not change the others. */
export const seeds = { drivers: 1, customers: 2, rides: 3, bookings: 4, invoices: 5, sundries: 6 }

export function createWorld(size: Size, now: number): World {
  const { drivers, customers } = size
  return {
    size,
    now,
    drivers: {
      area: new Uint8Array(drivers + 1),
      ride: new Uint8Array(drivers + 1),
      keenness: new Float32Array(drivers + 1),
      suspendedAt: new Float64Array(drivers + 1).fill(Infinity),
      freeAt: new Float64Array(drivers + 1),
    },
    customers: { area: new Uint8Array(customers + 1), freeAt: new Float64Array(customers + 1) },
  }
}
