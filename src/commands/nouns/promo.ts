import type { PromoCode } from '../../api/contract.ts'
import { calendarDate, numberOf, text } from '../../format.ts'
import type { Field } from '../form.ts'
import { chosenRecord } from '../form.ts'
import { writtenNoun } from '../written.ts'

const types = ['Internal', 'External'] as const

const fields: readonly Field[] = [
  { name: 'code', label: 'Code', kind: 'text' },
  { name: 'title', label: 'Title', kind: 'text' },
  { name: 'description', label: 'Description', kind: 'textarea', rows: 4 },
  { name: 'amount', label: 'Amount', kind: 'amount' },
  { name: 'valid_till', label: 'Expiry date', kind: 'date' },
  { name: 'promo_type', label: 'Type', kind: 'select', options: types },
]
const user: Field = { name: 'user', label: 'User', kind: 'record', noun: 'customer' }

/** S2.q: only a new code has a user (S7.32, S7.33); it cannot be sent before one is chosen (S5.4). */
export const promo = writtenNoun<PromoCode>({
  name: 'promo',
  singular: 'promo code',
  plural: 'promo codes',
  words: ['promo', 'promos', 'promotion', 'promotions', 'promocode', 'promocodes', 'ofa'],
  filters: [
    { term: 'running', label: 'Running', words: ['valid', 'active'] },
    { term: 'expired', label: 'Expired', words: ['over', 'past'] },
    { term: 'redeemed', label: 'Redeemed', words: ['used'] },
  ],
  owners: ['customer'],
  createdFor: { noun: 'customer', field: 'user' },
  path: '/promos',
  calls: {
    collection: 'promos',
    list: 'promo-codes/',
    create: 'promo-code/create/',
    update: 'promo-codes/{id}/update/',
  },
  nameOf: (row) => text(row.code) || text(row.id),
  form: {
    noun: 'promo',
    title: (record) => (record ? 'Edit promo code' : 'Create promo code'),
    fields: (record) => (record ? fields : [...fields, user]),
    values: (record) => ({
      code: text(record?.code),
      title: text(record?.title),
      description: text(record?.description),
      amount: text(record?.amount),
      valid_till: calendarDate(record?.valid_till),
      promo_type: types.find((type) => type === record?.promo_type) ?? 'Internal', // S4.9
      ...(!record && { user: null }),
    }),
    missing: (values, record) => (record || chosenRecord(values['user']) ? '' : 'Choose a user first'),
    nameOf: ({ code }) => text(code),
    fieldsOf: ({ code, title, description, amount, valid_till, promo_type, user }, record) => ({
      code,
      valid_till: valid_till || null,
      amount: numberOf(amount),
      promo_type,
      title,
      description,
      ...(!record && { user: chosenRecord(user)?.id }),
    }),
    button: { ready: 'Continue', sending: 'Processing...' },
    closes: 'onSuccess',
    closesOnBackdrop: false,
  },
})
