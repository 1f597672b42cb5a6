import type { Vehicle } from '../../api/contract.ts'
import { text } from '../../format.ts'
import type { Noun } from '../noun.ts'
import { defineNoun } from '../noun.ts'

export const vehicle: Noun<Vehicle> = defineNoun({
  name: 'vehicle',
  singular: 'vehicle',
  plural: 'vehicles',
  words: ['car', 'cars', 'plate', 'plates', 'number plate', 'registration', 'gari', 'magari'],
  path: '/vehicles',
  calls: { collection: 'vehicles', list: 'vehicles/' },
  nameOf: (row) => text(row.registration) || `vehicle ${text(row.id)}`,
  search: { parameter: 's', placeholder: 'Search vehicle by number plate...' },
  commands: [],
})
