import fleet from './data/fleet-ke.json' with { type: 'json' }
import { shuffled } from './random.ts'

const { demo_prefixes } = fleet.phones
const perPrefix = 1_000_000
const order = shuffled(demo_prefixes.length * perPrefix, 254)

/** The number of different phone numbers. */
export const phoneCount = demo_prefixes.length * perPrefix

/** A phone number of twelve digits, from a range that no operator uses. Unique for each index below `phoneCount`. */
export function phoneNumber(index: number): string {
  const place = order(index)
  return `${demo_prefixes[Math.floor(place / perPrefix)] ?? ''}${String(place % perPrefix).padStart(6, '0')}`
}
