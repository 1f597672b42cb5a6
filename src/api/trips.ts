import { list } from './client.ts'
import type { Trip } from './contract.ts'

export const listTrips = list<Trip>('trips', 'trips/')
