import type { PreBooking } from '../../api/contract.ts'
import { text } from '../../format.ts'
import type { Noun } from '../noun.ts'
import { defineNoun } from '../noun.ts'
import { dayFilters, tomorrow } from './days.ts'

export const booking: Noun<PreBooking> = defineNoun({
  name: 'booking',
  singular: 'booking',
  plural: 'bookings',
  words: ['pre booking', 'pre bookings', 'reservation', 'reservations', 'uhifadhi'],
  path: '/bookings',
  calls: { collection: 'bookings', list: 'pre-bookings/' },
  nameOf: (row) => `booking ${text(row.id)}`,
  filters: [
    { term: 'pending', label: 'Pending', words: [] },
    { term: 'not-started', label: 'Not started', words: [] },
    { term: 'accepted', label: 'Accepted', words: [] },
    { term: 'ongoing', label: 'Ongoing', words: ['running', 'current'] },
    { term: 'completed', label: 'Completed', words: ['done', 'finished'] },
    { term: 'cancelled', label: 'Cancelled', words: ['canceled', 'failed'] },
    { term: 'unpaid', label: 'Unpaid', words: [] },
    { term: 'paid', label: 'Paid', words: [] },
    tomorrow,
    ...dayFilters,
  ],
  date: 'Appointment',
  owners: ['driver', 'customer'],
  commands: [],
})
