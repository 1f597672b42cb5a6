import { list, mutate, read } from './client.ts'
import type { Attraction } from './contract.ts'

/** S7.17 */
export const listAttractions = list<Attraction>('attractions', 'attractions/all/', ['s', 'name'])
export const readAttraction = (id: string, signal: AbortSignal) =>
  read<Attraction>(`attractions/all/${encodeURIComponent(id)}/`, signal)
export const createAttraction = (fields: unknown, key: string) =>
  mutate('attraction/create/oms/', key, fields)
export const updateAttraction = (id: string, change: unknown, key: string) =>
  mutate(`attractions/all/${encodeURIComponent(id)}/`, key, change)
