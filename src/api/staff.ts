import { list } from './client.ts'
import type { StaffUser } from './contract.ts'

export const listStaff = list<StaffUser>('staff', 'staff-users/')
