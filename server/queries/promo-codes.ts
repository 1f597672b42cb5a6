import type { Selectable } from 'kysely'
import type { PromoCode, PromoCodeBody } from '../../src/api/contract.ts'
import type { Database } from '../db/schema.ts'
import { fold } from '../fold.ts'
import { phoneOfAny } from './people.ts'
import { cents, ksh } from './wire.ts'
import type { Columns } from './change.ts'
import type { Written } from './written.ts'
import { checkDate, fieldProblem } from './written.ts'

type PromoRow = Selectable<Database['promo_codes']> & { fullname: string; phone_number: string }

/** S3.14 */
export const promoCodes: Written<PromoRow, PromoCode, PromoCodeBody> = {
  noun: 'promo',
  label: 'promo code',
  table: 'promo_codes',
  source: {
    table: 'promo_codes',
    orderings: { id: 'id' },
    filters: (engine, { s, phone }) => [
      ...(s ? [engine.contains('promo_codes', 'search', fold(s))] : []),
      ...phoneOfAny(engine, { customers: 'customer_id' }, phone),
    ],
    rows: (db, ids) =>
      db
        .selectFrom('promo_codes')
        .innerJoin('customers', 'customers.id', 'promo_codes.customer_id')
        .selectAll('promo_codes')
        .select(['customers.fullname', 'customers.phone_number'])
        .where('promo_codes.id', 'in', ids)
        .execute(),
    answer: (row) => ({
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
  },
  columns: async (trx, { amount, valid_till, user, ...texts }, before) => {
    const columns: Columns = { ...texts }
    const { code = before?.code ?? '', title = before?.title ?? '' } = texts
    columns['search'] = fold(`${code} ${title}`)
    if (amount !== undefined) columns['amount'] = cents(amount)
    if (valid_till !== undefined) columns['valid_till'] = checkDate('valid_till', valid_till)
    if (user !== undefined) {
      const customer =
        Number.isSafeInteger(user) &&
        (await trx.selectFrom('customers').select('id').where('id', '=', user).executeTakeFirst())
      if (!customer) throw fieldProblem('user', 'is no customer')
      columns['customer_id'] = user
    }
    return columns
  },
}
