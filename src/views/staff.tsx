import type { StaffUser } from '../api/contract.ts'
import { staff as noun } from '../commands/nouns/staff.ts'
import { listScreen } from './screen.tsx'
import { dayColumn, idColumn, textColumn } from './table/columns.tsx'

/** S2.g */
export const staff = listScreen<StaffUser>({
  noun,
  title: 'Staff users',
  empty: 'No staff users to display',
  columns: [
    idColumn(6, (user) => user.id),
    { ...textColumn('email', 'Email', 12, (user) => user.email), card: 'name' },
    dayColumn('date-joined', 'Date joined', (user) => user.date_joined),
  ],
})
