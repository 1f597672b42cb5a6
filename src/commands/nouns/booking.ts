import type { PreBooking } from '../../api/contract.ts'
import { text } from '../../format.ts'
import type { Noun } from '../noun.ts'
import { defineNoun } from '../noun.ts'

export const booking: Noun<PreBooking> = defineNoun({
  name: 'booking',
  singular: 'booking',
  plural: 'bookings',
  path: '/bookings',
  calls: { collection: 'bookings', list: 'pre-bookings/' },
  nameOf: (row) => `booking ${text(row.id)}`,
  commands: [],
})
