import type { Selectable } from 'kysely'
import type { Database } from '../db/schema.ts'

type Value = string | number | null
/** Every column of a table, ids included: the generator numbers its rows itself. */
type Row<T extends keyof Database> = Selectable<Database[T]> & Record<string, Value>
export type Write = <T extends keyof Database>(table: T, row: Row<T>) => void

export interface Size {
  drivers: number
  customers: number
  trips: number
  bookings: number
}

/** What rides have to know of people, by their id. A few bytes each, so that a million of them stay small. */
export interface World {
  size: Size
  now: number
  drivers: {
    area: Uint8Array
    /** Index in `rides`; `noRide` for someone who has no vehicle yet. */
    ride: Uint8Array
    /** How likely they take a ride that is offered, 0 to 1. */
    keenness: Float32Array
    suspendedAt: Float64Array
    /** When their last ride or booking ends. */
    freeAt: Float64Array
  }
  customers: { area: Uint8Array; freeAt: Float64Array }
}

export const noRide = 255

/** One seed per kind of thing, so that more of one does not change another. */
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
