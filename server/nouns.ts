import { attraction } from './nouns/attraction.ts'
import { blog } from './nouns/blog.ts'
import { booking } from './nouns/booking.ts'
import { coupon } from './nouns/coupon.ts'
import { customer } from './nouns/customer.ts'
import { driver } from './nouns/driver.ts'
import { invite } from './nouns/invite.ts'
import { invoice } from './nouns/invoice.ts'
import type { Noun } from './nouns/noun.ts'
import { promo } from './nouns/promo.ts'
import { sos } from './nouns/sos.ts'
import { staff } from './nouns/staff.ts'
import { trip } from './nouns/trip.ts'
import { vehicle } from './nouns/vehicle.ts'

/**
 * Every noun. Lists, create and update calls, actions, exports, capabilities, counters and indexes derive from it. The search
 * lists records with the same id in this order.
 */
export const nouns: readonly Noun[] = [
  driver,
  customer,
  vehicle,
  invoice,
  trip,
  booking,
  promo,
  coupon,
  attraction,
  blog,
  sos,
  invite,
  staff,
]
