import type { Trip } from '../../api/contract.ts'
import { text } from '../../format.ts'
import type { Noun } from '../noun.ts'
import { defineNoun } from '../noun.ts'
import { dayFilters } from './days.ts'

export const trip: Noun<Trip> = defineNoun({
  name: 'trip',
  singular: 'trip',
  plural: 'trips',
  words: ['ride', 'rides', 'journey', 'journeys', 'safari'],
  path: '/trips',
  calls: { collection: 'trips', list: 'trips/' },
  nameOf: (row) => `trip ${text(row.id)}`,
  filters: [
    { term: 'requested', label: 'Requested', words: [] },
    { term: 'accepted', label: 'Accepted', words: [] },
    { term: 'ongoing', label: 'Ongoing', words: ['running', 'current', 'live'] },
    { term: 'completed', label: 'Completed', words: ['done', 'finished'] },
    { term: 'cancelled', label: 'Cancelled', words: ['canceled', 'failed'] },
    ...dayFilters,
  ],
  date: 'Trip date',
  owners: ['driver', 'customer'],
  commands: [],
})
