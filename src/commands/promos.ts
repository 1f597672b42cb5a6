import { createPromoCode, updatePromoCode } from '../api/promos.ts'
import { calendarDate, numberOf, text } from '../format.ts'
import type { Records } from './command.ts'
import { chosenCustomer } from './customer-search.ts'
import type { Field, Form } from './form.ts'
import { writtenCommands } from './written.ts'

type Promo = Records['promo']

const types = ['Internal', 'External'] as const

const fields: readonly Field[] = [
  { name: 'code', label: 'Code', kind: 'text' },
  { name: 'title', label: 'Title', kind: 'text' },
  { name: 'description', label: 'Description', kind: 'textarea' },
  { name: 'amount', label: 'Amount', kind: 'amount' },
  { name: 'valid_till', label: 'Expiry date', kind: 'date' },
  { name: 'promo_type', label: 'Type', kind: 'select', options: types },
]

/** S2.q: only a new code is given to somebody (S7.32, S7.33), and cannot be sent before (S5.4). */
export const promoForm = {
  noun: 'promo',
  path: '/promos',
  title: (promo) => (promo ? 'Edit promo code' : 'Create promo code'),
  fields: (promo) => (promo ? fields : [...fields, { name: 'user', label: 'User', kind: 'customer' }]),
  values: (promo) => ({
    code: text(promo?.code),
    title: text(promo?.title),
    description: text(promo?.description),
    amount: text(promo?.amount),
    valid_till: calendarDate(promo?.valid_till),
    promo_type: types.find((type) => type === promo?.promo_type) ?? 'Internal', // S4.9
    ...(!promo && { user: null }),
  }),
  isReady: ({ user }, promo) => promo !== null || chosenCustomer(user) !== null,
  nameOf: ({ code }) => text(code),
  save: ({ code, title, description, amount, valid_till, promo_type, user }, promo, key) => {
    const fields = {
      code,
      valid_till: valid_till || null,
      amount: numberOf(amount),
      promo_type,
      title,
      description,
    }
    return promo
      ? updatePromoCode(text(promo.id), { ...fields, version: promo.version }, key)
      : createPromoCode({ ...fields, user: chosenCustomer(user)?.id }, key)
  },
  button: { ready: 'Continue', sending: 'Processing...' },
  closes: 'onSuccess',
  closesOnBackdrop: false,
} satisfies Form<Promo>

export const promoCommands = writtenCommands({
  form: promoForm,
  what: 'promo code',
  nameOf: (promo) => text(promo.code) || text(promo.id),
  update: updatePromoCode,
})
