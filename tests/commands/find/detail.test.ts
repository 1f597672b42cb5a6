import { expect, it } from 'vitest'
import { targetsOf } from '../../../src/commands/command.ts'
import { detailOf } from '../../../src/commands/find/row.ts'
import type { Noun } from '../../../src/commands/noun.ts'
import { coupon } from '../../../src/commands/nouns/coupon.ts'
import { invoice } from '../../../src/commands/nouns/invoice.ts'
import { promo } from '../../../src/commands/nouns/promo.ts'
import { trip } from '../../../src/commands/nouns/trip.ts'
import { wireCoupon, wireInvoice, wirePromo, wireTrip } from '../../support/wire.ts'

const detail = (noun: Noun, record: object) =>
  detailOf({ noun, row: targetsOf(noun, [record])[0]?.row ?? {} })

it('tells promo codes with the same code apart: whose it is, and its id', () => {
  expect(detail(promo, wirePromo({ id: 3 }))).toBe('Amina Yusuf · Promo code 3')
})

it('says whose invoice it is that "clear kamau" offers to clear', () => {
  const driver = { id: 12, user: { fullname: 'Jo Kamau' } }
  expect(detail(invoice, wireInvoice({ id: 5, driver }))).toBe('Jo Kamau')
})

it('says the driver and the customer of a trip, and the kind of record where it has neither', () => {
  const customer = { id: 7, user: { fullname: 'Amina Yusuf' } }
  const driver = { id: 12, user: { fullname: 'Jo Kamau' } }
  expect(detail(trip, wireTrip({ id: 5, customer, driver }))).toBe('Jo Kamau · Amina Yusuf')
  expect(detail(trip, { id: 5, customer: null, driver: null })).toBe('Trip')
})

it('is the id of a record of nobody', () => {
  expect(detail(coupon, wireCoupon({ id: 20, code: 'NIGHT20' }))).toBe('Coupon 20')
})
