import { list, listOf, mutate, read } from './client.ts'
import type { Driver, DriverTransaction, Trip } from './contract.ts'

export const listDrivers = list<Driver>('drivers', 'drivers/')
export const readDriver = (id: string, signal: AbortSignal) =>
  read<Driver>(`drivers/${encodeURIComponent(id)}`, signal)
export const listDriverTrips = listOf<Trip>((id) => `drivers/${id}/trips/`)
export const listDriverTransactions = listOf<DriverTransaction>((id) => `drivers/${id}/transactions/`)
export const suspendDriver = (id: string, key: string) =>
  mutate(`driver/${encodeURIComponent(id)}/suspend/`, key)
export const unfreezeDriver = (id: string, key: string) =>
  mutate(`driver/${encodeURIComponent(id)}/unfreeze/`, key)
