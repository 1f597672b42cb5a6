import type { Generated } from 'kysely'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { PromoCodeBody as Body } from '../../src/api/contract.ts'
import { PromoCode, PromoCodeBody } from '../../src/api/contract.ts'
import type { EditableTable, Flag } from '../db/columns.ts'
import type { Columns } from '../queries/change.ts'
import { checkDate, fieldError } from '../queries/edit.ts'
import { idIn, validity, where } from '../queries/filter.ts'
import { phoneOfAny } from '../queries/people.ts'
import { cents, ksh } from '../queries/wire.ts'
import { containsWords } from '../queries/words.ts'
import { defineNoun } from './noun.ts'
import { foundByPeople } from './person.ts'

declare module '../db/schema.ts' {
  interface Database {
    promo_codes: EditableTable & {
      code: string
      title: string
      description: string
      amount: number
      valid_till: string | null
      promo_type: 'Internal' | 'External'
      customer_id: number
      redemeed: Generated<Flag>
    }
  }
}

/** S3.14 */
export const promo = defineNoun({
  name: 'promo',
  plural: 'promos',
  label: 'promo code',
  table: 'promo_codes',
  list: { path: 'promo-codes/', shape: PromoCode }, // S7.31
  orderings: { id: 'id' },
  search: { columns: ['code', 'title'] },
  filters: (engine, { s, phone }) => [
    ...(s ? [containsWords(engine, 'promo_codes', s)] : []),
    ...phoneOfAny(engine, 'promo_codes', { customers: 'customer_id' }, phone),
  ],
  terms: {
    ...validity,
    redeemed: where('R.redemeed = 1'),
    'customer:': idIn('customer_id'),
  },
  found: {
    text: 'R.search',
    equals: ({ text }) => [
      { rank: 'code', where: sql`lower(code) = ${text}` },
      { rank: 'name', where: sql`lower(title) = ${text}` },
    ],
    ...foundByPeople('customers'),
  },
  rows: (db, ids) =>
    db
      .selectFrom('promo_codes')
      .innerJoin('customers', 'customers.id', 'promo_codes.customer_id')
      .selectAll('promo_codes')
      .select(['customers.fullname', 'customers.phone_number'])
      .where('promo_codes.id', 'in', ids),
  answer: (row): PromoCode => ({
    id: row.id,
    code: row.code,
    title: row.title,
    description: row.description,
    amount: ksh(row.amount),
    valid_till: row.valid_till,
    promo_type: row.promo_type,
    user: { id: row.customer_id, user: { fullname: row.fullname, phone_number: row.phone_number } },
    redemeed: row.redemeed === 1,
    deleted: row.deleted === 1,
    version: row.version,
  }),
  edit: {
    create: { path: 'promo-code/create/', body: PromoCodeBody }, // S7.32
    // S7.33: the customer that a promo code is for never changes.
    update: { path: 'promo-codes/:id/update/', body: Type.Omit(PromoCodeBody, ['user']) },
    columns: async (trx, { amount, valid_till, user, ...texts }: Partial<Body>) => {
      const columns: Columns = { ...texts }
      if (amount !== undefined) columns['amount'] = cents(amount)
      if (valid_till !== undefined) columns['valid_till'] = checkDate('valid_till', valid_till)
      if (user !== undefined) {
        const customer =
          Number.isSafeInteger(user) &&
          (await trx.selectFrom('customers').select('id').where('id', '=', user).executeTakeFirst())
        if (!customer) throw fieldError('user', 'is not the id of a customer')
        columns['customer_id'] = user
      }
      return columns
    },
  },
})
