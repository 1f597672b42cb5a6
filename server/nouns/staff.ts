import type { Generated } from 'kysely'
import { sql } from 'kysely'
import { StaffUser } from '../../src/api/contract.ts'
import type { Flag, Id } from '../db/columns.ts'
import { iso } from '../queries/wire.ts'
import { containsWords } from '../queries/words.ts'
import { defineNoun } from './noun.ts'

declare module '../db/schema.ts' {
  interface Database {
    staff: {
      id: Id
      email: string
      password_hash: string
      date_joined: number
      disabled: Generated<Flag>
      search: string
    }
  }
}

/** S3.4. Staff have no phone number, so the parameter `phone` is ignored. */
export const staff = defineNoun({
  name: 'staff',
  plural: 'staff',
  table: 'staff',
  list: { path: 'staff-users/', shape: StaffUser }, // S7.12
  orderings: { id: 'id' },
  search: { columns: ['email'] },
  filters: (engine, { s }) => (s ? [containsWords(engine, 'staff', s)] : []),
  found: {
    text: 'R.search',
    equals: ({ text }) => [{ rank: 'name', where: sql`search = ${text}` }],
  },
  rows: (db, ids) => db.selectFrom('staff').select(['id', 'email', 'date_joined']).where('id', 'in', ids),
  answer: ({ id, email, date_joined }): StaffUser => ({ id, email, date_joined: iso(date_joined) }),
})
