import type { Customer } from '../../api/contract.ts'
import type { Row } from '../../api/loose.ts'
import { phone, text } from '../../format.ts'
import type { Noun } from '../noun.ts'
import { defineNoun } from '../noun.ts'
import { dayFilters } from './days.ts'
import { copyPhoneOf } from '../people.ts'

const name = 'customer'
const nameOf = (row: Row<Customer>) => text(row.user?.fullname) || `Customer ${text(row.id)}`

export const customer: Noun<Customer> = defineNoun({
  name,
  isPerson: true,
  singular: 'customer',
  plural: 'customers',
  words: ['client', 'clients', 'passenger', 'passengers', 'user', 'mteja', 'wateja', 'abiria'],
  path: '/customers',
  calls: { collection: 'customers', list: 'customers/' },
  nameOf,
  describe: (row) => phone(row.user?.phone_number),
  search: { parameter: 's', placeholder: 'Search customer by name...' },
  filters: dayFilters,
  date: 'Joined',
  commands: [copyPhoneOf(name, nameOf)],
})
