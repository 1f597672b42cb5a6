import { sql } from 'kysely'
import type { CouponBody as Body } from '../../src/api/contract.ts'
import { Coupon, CouponBody } from '../../src/api/contract.ts'
import type { EditableTable } from '../db/columns.ts'
import type { Columns } from '../queries/change.ts'
import { checkDate } from '../queries/edit.ts'
import { validity } from '../queries/filter.ts'
import { cents, iso, ksh } from '../queries/wire.ts'
import { containsWords } from '../queries/words.ts'
import { defineNoun } from './noun.ts'

declare module '../db/schema.ts' {
  interface Database {
    coupons: EditableTable & { code: string; amount: number; valid_till: string | null }
    coupon_users: { coupon_id: number; customer_id: number }
  }
}

/** S3.13 */
export const coupon = defineNoun({
  name: 'coupon',
  plural: 'coupons',
  table: 'coupons',
  list: { path: 'coupons/', shape: Coupon }, // S7.28
  orderings: { id: 'id' },
  search: { columns: ['code'] },
  filters: (engine, { s }) => (s ? [containsWords(engine, 'coupons', s)] : []),
  terms: validity,
  found: {
    text: 'R.search',
    equals: ({ text }) => [{ rank: 'code', where: sql`search = ${text}` }],
  },
  rows: {
    read: async (db, ids) => {
      const rows = await db.selectFrom('coupons').selectAll().where('id', 'in', ids).execute()
      if (rows.length === 0) return []
      // Not `ids`: if they are a query, it could find other coupons by now.
      const found = rows.map(({ id }) => id)
      const users = await db
        .selectFrom('coupon_users')
        .innerJoin('customers', 'customers.id', 'coupon_users.customer_id')
        .select(['coupon_users.coupon_id', 'customers.id', 'customers.fullname'])
        .where('coupon_users.coupon_id', 'in', found)
        .orderBy('customers.id')
        .execute()
      const usersOf = Map.groupBy(users, ({ coupon_id }) => coupon_id)
      return rows.map((row) => ({ ...row, users: usersOf.get(row.id) ?? [] }))
    },
  },
  answer: (row): Coupon => ({
    id: row.id,
    code: row.code,
    amount: ksh(row.amount),
    valid_till: row.valid_till,
    created_at: iso(row.created_at),
    users: row.users.map(({ id, fullname }) => ({ id, user: { fullname } })),
    deleted: row.deleted === 1,
    version: row.version,
  }),
  edit: {
    create: { path: 'coupons/create/', body: CouponBody }, // S7.29
    update: { path: 'coupons/:id/update/' }, // S7.30
    columns: async (_trx, { code, valid_till, amount }: Partial<Body>) => {
      const columns: Columns = {}
      if (code !== undefined) columns['code'] = code
      if (valid_till !== undefined) columns['valid_till'] = checkDate('valid_till', valid_till)
      if (amount !== undefined) columns['amount'] = cents(amount)
      return Promise.resolve(columns)
    },
  },
})
