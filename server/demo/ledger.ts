import { day, hour, minute } from './clock.ts'
import type { Agenda } from './agenda.ts'
import { hash, seeded } from './random.ts'
import type { World, Write } from './world.ts'
import { seeds } from './world.ts'

export interface Ledger {
  /** Adds money to a driver's wallet. When the balance is large, schedules a payout within 30 hours. */
  earn(driver: number, cents: number, at: number): void
  /** Takes money from the wallet. If the balance is too low, most drivers top it up first; the others get into debt. */
  pay(driver: number, cents: number, at: number): void
}

/** Writes each change of a wallet as a transaction, so that the balance is the sum of the transactions. */
export function createLedger(world: World, write: Write, agenda: Agenda): Ledger {
  const balances = new Int32Array(world.size.drivers + 1)
  const leaving = new Uint8Array(world.size.drivers + 1)
  const random = seeded(seeds.sundries)
  let transactions = 0

  const move = (driver: number, amount: number, at: number) => {
    balances[driver] = balanceOf(driver) + amount
    write('driver_transactions', { id: ++transactions, driver_id: driver, amount, created_at: at })
  }
  const balanceOf = (driver: number) => balances[driver] ?? 0

  const payOut = (driver: number, at: number) => {
    leaving[driver] = 0
    const amount = Math.floor(balanceOf(driver) / 10_000) * 10_000
    if (amount > 0) move(driver, -amount, at)
  }
  const mostKept = (driver: number) => 100_000 + (hash(seeds.sundries, driver) % 8) * 50_000

  return {
    earn: (driver, cents, at) => {
      move(driver, cents, at)
      if (leaving[driver] || balanceOf(driver) < mostKept(driver)) return
      leaving[driver] = 1
      const later = Math.round(at + random.between(20 * minute, day + 6 * hour))
      agenda.at(later, () => payOut(driver, later))
    },
    pay: (driver, cents, at) => {
      const missing = cents - balanceOf(driver)
      if (missing > 0 && random.chance(0.7)) move(driver, Math.ceil(missing / 5_000) * 5_000, at)
      move(driver, -cents, at)
    },
  }
}
