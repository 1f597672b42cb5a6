import type { StaffUser } from '../../api/contract.ts'
import { text } from '../../format.ts'
import type { Noun } from '../noun.ts'
import { defineNoun } from '../noun.ts'

export const staff: Noun<StaffUser> = defineNoun({
  name: 'staff',
  singular: 'staff user',
  plural: 'staff users',
  words: ['staff', 'employee', 'employees', 'team', 'colleagues', 'mfanyakazi', 'wafanyakazi'],
  path: '/staff',
  calls: { collection: 'staff', list: 'staff-users/' },
  nameOf: (row) => text(row.email) || `staff user ${text(row.id)}`,
  commands: [],
})
