import { list } from './client.ts'
import type { Vehicle } from './contract.ts'

export const listVehicles = list<Vehicle>('vehicles', 'vehicles/')
