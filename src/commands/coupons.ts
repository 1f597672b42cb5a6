import { createCoupon, updateCoupon } from '../api/coupons.ts'
import { calendarDate, numberOf, text } from '../format.ts'
import type { Records } from './command.ts'
import type { Form } from './form.ts'
import { writtenCommands } from './written.ts'

type Coupon = Records['coupon']

/** S2.p, S4.8: stays open on failure, says nothing (S8.11). */
export const couponForm = {
  noun: 'coupon',
  path: '/coupons',
  title: (coupon) => (coupon ? 'Edit coupon' : 'Create coupon'),
  fields: () => [
    { name: 'code', label: 'Code', kind: 'text' },
    { name: 'amount', label: 'Amount', kind: 'amount' },
    { name: 'valid_till', label: 'Expiry date', kind: 'date' },
  ],
  values: (coupon) => ({
    code: text(coupon?.code),
    amount: text(coupon?.amount),
    valid_till: calendarDate(coupon?.valid_till),
  }),
  nameOf: ({ code }) => text(code),
  save: ({ code, amount, valid_till }, coupon, key) => {
    // S7.29, S7.30
    const fields = { code, valid_till: valid_till || null, amount: numberOf(amount) }
    return coupon
      ? updateCoupon(text(coupon.id), { ...fields, version: coupon.version }, key)
      : createCoupon(fields, key)
  },
  button: { ready: 'Continue', sending: 'Processing...' },
  closes: 'onSuccess',
  closesOnBackdrop: false,
} satisfies Form<Coupon>

export const couponCommands = writtenCommands({
  form: couponForm,
  what: 'coupon',
  nameOf: (coupon) => text(coupon.code) || text(coupon.id),
  update: updateCoupon,
})
