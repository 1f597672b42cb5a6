import type { Agenda } from './agenda.ts'
import { day, hour, intoRhythm } from './clock.ts'
import purposes from './data/invoice-purposes.json' with { type: 'json' }
import type { Ledger } from './ledger.ts'
import { seeded } from './random.ts'
import type { World, Write } from './world.ts'
import { seeds } from './world.ts'

export interface Invoices {
  /** Writes an invoice and returns its amount in cents: at most the largest of its purpose, 0 if `cents` is too small. */
  send(driver: number, purpose: Purpose, cents: number, at: number): number
  /** Writes an invoice of a random round amount in the range of its purpose. */
  charge(driver: number, purpose: Purpose, at: number): void
}

/** The labels of invoice-purposes.json. */
export type Purpose =
  | 'Weekly commission'
  | 'Monthly commission'
  | 'Commission on cash trips'
  | 'Commission on pre-bookings'
  | 'Commission on airport transfers'
  | 'Commission on safari trips'
  | 'Vehicle branding fee'
  | 'Driver onboarding fee'
  | 'Late payment penalty'
  | 'Cancelled booking charge'
  | 'Balance carried forward'
  | 'Damage and cleaning charge'

/** Writes invoices and schedules what follows: the payment, in time or late, and the penalty. */
export function createInvoices(world: World, write: Write, agenda: Agenda, ledger: Ledger): Invoices {
  const random = seeded(seeds.invoices)
  let count = 0

  const issue = (driver: number, purpose: Purpose, amount: number, at: number) => {
    const graceEnd = at + (purpose === 'Monthly commission' ? 14 : 7) * day
    const paidAt = paymentTime(at, graceEnd)
    const isPaid = paidAt <= world.now
    write('invoices', {
      id: ++count,
      driver_id: driver,
      amount,
      paid: isPaid ? 1 : 0,
      invoice_for: purpose,
      invoice_date_added: at,
      date_paid: isPaid ? paidAt : null,
      grace_end_date: graceEnd,
      version: 1,
    })
    if (isPaid) agenda.at(paidAt, pay, driver, amount)
    const penaltyAt = graceEnd + day
    if (paidAt > penaltyAt && purpose !== 'Late payment penalty' && random.chance(0.4))
      agenda.at(penaltyAt, penalise, driver, amount)
  }
  const pay = (at: number, driver: number, amount: number) => {
    ledger.pay(driver, amount, at)
  }
  /** A tenth of the invoice, rounded to shillings ending in 0. */
  const penalise = (at: number, driver: number, amount: number) => {
    const { min, max } = rangeOf('Late payment penalty')
    issue(driver, 'Late payment penalty', Math.min(max, Math.max(min, Math.round(amount / 1000) * 100)), at)
  }
  /** When an invoice is paid; `Infinity` if never. */
  const paymentTime = (at: number, graceEnd: number) => {
    const kind = random.next()
    if (kind > 0.96) return Infinity
    const paidAt =
      kind < 0.76 ? random.between(at + hour, graceEnd) : random.between(graceEnd, graceEnd + 30 * day)
    return paidAt > world.now ? paidAt : Math.max(at, intoRhythm(paidAt, 'rides', world.now))
  }

  return {
    send: (driver, purpose, cents, at) => {
      const { min, max } = rangeOf(purpose)
      if (cents < min) return 0
      const amount = Math.min(cents, max)
      issue(driver, purpose, amount, at)
      return amount
    },
    charge: (driver, purpose, at) => {
      const { min, max } = rangeOf(purpose)
      issue(driver, purpose, min + random.int((max - min) / 5_000 + 1) * 5_000, at)
    },
  }
}

const ranges = new Map(
  purposes.invoice_for.map(({ label, min, max }) => [label, { min: min * 100, max: max * 100 }]),
)

/** The smallest and the largest amount of a purpose, in cents. */
function rangeOf(purpose: Purpose): { min: number; max: number } {
  const range = ranges.get(purpose)
  if (!range) throw new Error(`invoice-purposes.json has no "${purpose}".`)
  return range
}
