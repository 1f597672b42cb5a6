import fleet from './data/fleet-ke.json' with { type: 'json' }
import type { Purpose } from './invoices.ts'
import type { Write } from './world.ts'

interface Slot {
  id: number
  name: string
  /** In cents. */
  amount: number
  /** The length of the booking. */
  hours: number
  purpose: Purpose
}

export const slots: readonly Slot[] = fleet.prebooking_slots.map(({ name, amount }, index) => ({
  id: index + 1,
  name,
  amount: amount * 100,
  hours: hoursOf(name),
  purpose: purposeOf(name),
}))

export function writeSlots(write: Write): void {
  for (const { id, name, amount } of slots) write('slots', { id, name, amount })
}

function hoursOf(name: string): number {
  if (name.startsWith('Weekend')) return 34
  const [hours] = /^\d+/.exec(name) ?? []
  return hours ? Number(hours) : 1.5
}

function purposeOf(name: string): Purpose {
  if (name.startsWith('Weekend')) return 'Commission on safari trips'
  return name.startsWith('Airport') ? 'Commission on airport transfers' : 'Commission on pre-bookings'
}
