import type { Noun } from './noun.ts'
import { attraction } from './nouns/attraction.ts'
import { blog } from './nouns/blog.ts'
import { booking } from './nouns/booking.ts'
import { coupon } from './nouns/coupon.ts'
import { customer } from './nouns/customer.ts'
import { driver } from './nouns/driver.ts'
import { invite } from './nouns/invite.ts'
import { invoice } from './nouns/invoice.ts'
import { promo } from './nouns/promo.ts'
import { sos } from './nouns/sos.ts'
import { staff } from './nouns/staff.ts'
import { trip } from './nouns/trip.ts'
import { vehicle } from './nouns/vehicle.ts'

/** Every kind of record that the console knows. */
export const nouns: readonly Noun[] = [
  driver,
  customer,
  staff,
  vehicle,
  invoice,
  trip,
  booking,
  attraction,
  invite,
  blog,
  coupon,
  promo,
  sos,
]

/** Throws if no noun has this name. */
export function nounOf(name: string): Noun {
  const noun = nouns.find((one) => one.name === name)
  if (!noun) throw new Error(`There is no noun ${name}.`)
  return noun
}
