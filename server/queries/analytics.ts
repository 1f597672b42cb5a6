import type { Analytics } from '../../src/api/contract.ts'
import type { Engine } from '../db/engine.ts'
import { ksh } from './wire.ts'

/** S9.1: 18%, of an amount in cents, rounded to the cent. */
export const commissionOf = (amount: number) => Math.round(amount * 0.18)

/** S3.1, from the counters that triggers maintain. docs/figures.md defines each figure (rulings, figures). */
export async function readAnalytics(engine: Engine, product: string): Promise<Analytics> {
  const count = await readCounters(engine)
  const generated = count('trips.fares') + count('bookings.paid_amount')
  const earned = commissionOf(generated)
  const paid = count('invoices.paid_amount')
  const unpaid = count('invoices.unpaid_amount')
  const active = count('drivers') - count('drivers.suspended')
  return {
    cash_in_hand: ksh(paid),
    pending_reconciliation: ksh(unpaid),
    total_revenue: ksh(paid + unpaid),
    total_amount: ksh(generated),
    total_driver_amount: ksh(generated - earned),
    [`total_${product}_amount`]: ksh(earned),
    total_riders: count('drivers'),
    total_customers: count('customers'),
    total_completed_trips: count('trips.completed'),
    total_suspended_riders: count('drivers.suspended'),
    total_failed_trips: count('trips.failed'),
    total_bookings: count('bookings'),
    total_ongoing_bookings: count('bookings.ongoing'),
    total_completed_bookings: count('bookings.completed'),
    total_pending_bookings: count('bookings.pending'),
    online_drivers: count('drivers.online'),
    percent_online_drivers: active > 0 ? Math.round((count('drivers.online') / active) * 1000) / 10 : 0,
  }
}

/** Gives the value of each counter; 0 for one that has none. */
export async function readCounters(engine: Engine): Promise<(name: string) => number> {
  const rows = await engine.db
    .selectFrom('counters')
    .select(({ fn }) => ['name', fn.sum<number>('value').as('value')])
    .groupBy('name')
    .execute()
  const counters = new Map(rows.map(({ name, value }) => [name, value]))
  return (name) => counters.get(name) ?? 0
}
