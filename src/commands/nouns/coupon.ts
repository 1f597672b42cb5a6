import type { Coupon } from '../../api/contract.ts'
import { calendarDate, numberOf, text } from '../../format.ts'
import { writtenNoun } from '../written.ts'

/** S2.p, S4.8: its form stays open after a failure; its changes show no toast (S8.11). */
export const coupon = writtenNoun<Coupon>({
  name: 'coupon',
  singular: 'coupon',
  plural: 'coupons',
  words: ['voucher', 'vouchers', 'kuponi'],
  filters: [
    { term: 'running', label: 'Running', words: ['valid', 'active'] },
    { term: 'expired', label: 'Expired', words: ['over', 'past'] },
  ],
  path: '/coupons',
  calls: {
    collection: 'coupons',
    list: 'coupons/',
    create: 'coupons/create/',
    update: 'coupons/{id}/update/',
  },
  nameOf: (row) => text(row.code) || text(row.id),
  form: {
    noun: 'coupon',
    title: (record) => (record ? 'Edit coupon' : 'Create coupon'),
    fields: () => [
      { name: 'code', label: 'Code', kind: 'text' },
      { name: 'amount', label: 'Amount', kind: 'amount' },
      { name: 'valid_till', label: 'Expiry date', kind: 'date' },
    ],
    values: (record) => ({
      code: text(record?.code),
      amount: text(record?.amount),
      valid_till: calendarDate(record?.valid_till),
    }),
    nameOf: ({ code }) => text(code),
    // S7.29, S7.30
    fieldsOf: ({ code, amount, valid_till }) => ({
      code,
      valid_till: valid_till || null,
      amount: numberOf(amount),
    }),
    button: { ready: 'Continue', sending: 'Processing...' },
    closes: 'onSuccess',
    closesOnBackdrop: false,
  },
})
