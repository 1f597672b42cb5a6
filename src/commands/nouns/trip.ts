import type { Trip } from '../../api/contract.ts'
import { text } from '../../format.ts'
import type { Noun } from '../noun.ts'
import { defineNoun } from '../noun.ts'

export const trip: Noun<Trip> = defineNoun({
  name: 'trip',
  singular: 'trip',
  plural: 'trips',
  path: '/trips',
  calls: { collection: 'trips', list: 'trips/' },
  nameOf: (row) => `trip ${text(row.id)}`,
  commands: [],
})
