import type { Selectable } from 'kysely'
import type { Coupon, CouponBody } from '../../src/api/contract.ts'
import type { Database } from '../db/schema.ts'
import { fold } from '../fold.ts'
import { cents, iso, ksh, named } from './wire.ts'
import type { Columns } from './change.ts'
import type { Written } from './written.ts'
import { checkDate } from './written.ts'

type CouponRow = Selectable<Database['coupons']> & { users: string[] }

/** S3.13 */
export const coupons: Written<CouponRow, Coupon, CouponBody> = {
  noun: 'coupon',
  label: 'coupon',
  table: 'coupons',
  source: {
    table: 'coupons',
    orderings: { id: 'id' },
    filters: (engine, { s }) => (s ? [engine.contains('coupons', 'search', fold(s))] : []),
    rows: async (db, ids) => {
      const rows = await db.selectFrom('coupons').selectAll().where('id', 'in', ids).execute()
      const users = await db
        .selectFrom('coupon_users')
        .innerJoin('customers', 'customers.id', 'coupon_users.customer_id')
        .select(['coupon_users.coupon_id', 'customers.fullname'])
        .where('coupon_users.coupon_id', 'in', ids)
        .orderBy('customers.id')
        .execute()
      const names = Map.groupBy(users, ({ coupon_id }) => coupon_id)
      return rows.map((row) => ({ ...row, users: (names.get(row.id) ?? []).map(({ fullname }) => fullname) }))
    },
    answer: (row) => ({
      id: row.id,
      code: row.code,
      amount: ksh(row.amount),
      valid_till: row.valid_till,
      created_at: iso(row.created_at),
      users: row.users.map(named),
      deleted: row.deleted === 1,
      version: row.version,
    }),
  },
  columns: async (_trx, { code, valid_till, amount }) => {
    const columns: Columns = {}
    if (code !== undefined) Object.assign(columns, { code, search: fold(code) })
    if (valid_till !== undefined) columns['valid_till'] = checkDate('valid_till', valid_till)
    if (amount !== undefined) columns['amount'] = cents(amount)
    return Promise.resolve(columns)
  },
}
