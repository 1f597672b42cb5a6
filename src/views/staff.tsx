import type { StaffUser } from '../api/contract.ts'
import { listStaff } from '../api/staff.ts'
import { text } from '../format.ts'
import { listScreen } from './screen.tsx'
import { dayColumn, idColumn, textColumn } from './ui/columns.tsx'

/** S2.g */
export const staff = listScreen<StaffUser>({
  path: '/staff',
  title: 'Staff users',
  load: listStaff,
  record: (user) => `staff:${text(user.id)}`,
  commands: [],
  empty: 'No staff users to display',
  columns: [
    idColumn(6, (user) => user.id),
    textColumn('Email', 12, (user) => user.email),
    dayColumn('Date joined', (user) => user.date_joined),
  ],
})
