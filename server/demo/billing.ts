import type { Source } from './agenda.ts'
import { dateInNairobi, nextMonday } from './clock.ts'
import { commissionOf } from './fares.ts'
import { rides } from './fleet.ts'
import type { Invoices, Purpose } from './invoices.ts'
import { hash } from './random.ts'
import type { World } from './world.ts'
import { seeds } from './world.ts'

/** Drivers in one step, so that their invoices can be written before the next step: a million drivers have 200,000 on a Monday. */
const atOnce = 1_000

export interface Billing extends Source {
  /** Adds the commission on a completed trip to what the driver owes. */
  note(driver: number, fare: number, paidInCash: boolean, fromAirport: boolean): void
}

/** Every Monday, invoices each driver for the commission since the last invoice, if the amount is large enough. */
export function createBilling(world: World, invoices: Invoices, start: number): Billing {
  const owed = new Int32Array(world.size.drivers + 1)
  /** Bit 1: some of these trips were not paid in cash. Bit 2: some were neither from nor to an airport. */
  const others = new Uint8Array(world.size.drivers + 1)
  const indebted: number[] = []
  /** Of `indebted`: how many drivers this Monday's run has handled, and how many of them owe something after it. */
  let done = 0
  let kept = 0

  const purposeOf = (driver: number, runs: Runs): Purpose | null => {
    const cents = owed[driver] ?? 0
    const other = others[driver] ?? 0
    if (rides[world.drivers.ride[driver] ?? 0]?.product.id === 'safari' && cents >= 150_000)
      return 'Commission on safari trips'
    if (isBilledWeekly(driver) && cents >= 60_000) return 'Weekly commission'
    if (runs.monthly && cents >= 250_000) return 'Monthly commission'
    if (runs.monthly && (other & 2) === 0 && cents >= 35_000) return 'Commission on airport transfers'
    if (runs.monthly && (other & 1) === 0 && cents >= 30_000) return 'Commission on cash trips'
    return runs.quarterly ? 'Balance carried forward' : null
  }

  const billing: Billing = {
    next: nextMonday(start),
    note: (driver, fare, paidInCash, fromAirport) => {
      if (!owed[driver]) indebted.push(driver)
      owed[driver] = (owed[driver] ?? 0) + commissionOf(fare)
      others[driver] = (others[driver] ?? 0) | (paidInCash ? 0 : 1) | (fromAirport ? 0 : 2)
    },
    run: () => {
      const runs = runsOn(billing.next)
      for (const end = Math.min(done + atOnce, indebted.length); done < end; done++) {
        const driver = indebted[done] ?? 0
        const purpose = purposeOf(driver, runs)
        if (purpose)
          owed[driver] = (owed[driver] ?? 0) - invoices.send(driver, purpose, owed[driver] ?? 0, billing.next)
        if (owed[driver]) indebted[kept++] = driver
        else others[driver] = 0
      }
      if (done < indebted.length) return
      indebted.length = kept
      done = kept = 0
      billing.next = nextMonday(billing.next)
    },
  }
  return billing
}

interface Runs {
  monthly: boolean
  quarterly: boolean
}

/** The first Monday of a month also bills the month before. */
function runsOn(monday: number): Runs {
  const [, month, date] = dateInNairobi(monday).split('-').map(Number)
  const monthly = (date ?? 0) <= 7
  return { monthly, quarterly: monthly && (month ?? 0) % 3 === 1 }
}

const isBilledWeekly = (driver: number) => hash(seeds.invoices, driver) % 5 < 3
