import { list } from './client.ts'
import type { PreBooking } from './contract.ts'

export const listBookings = list<PreBooking>('bookings', 'pre-bookings/')
