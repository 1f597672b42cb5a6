import type { StaffUser } from '../../src/api/contract.ts'
import { fold } from '../fold.ts'
import type { ListSource } from './list.ts'
import { iso } from './wire.ts'

/** Staff have no phone number, so `phone` narrows nothing here. */
export const staffUsers: ListSource<{ id: number; email: string; date_joined: number }, StaffUser> = {
  table: 'staff',
  orderings: { id: 'id' },
  filters: (engine, { s }) => (s ? [engine.contains('staff', 'search', fold(s))] : []),
  rows: (db, ids) =>
    db.selectFrom('staff').select(['id', 'email', 'date_joined']).where('id', 'in', ids).execute(),
  answer: ({ id, email, date_joined }) => ({ id, email, date_joined: iso(date_joined) }),
}
