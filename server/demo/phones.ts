import fleet from './data/fleet-ke.json' with { type: 'json' }
import { shuffled } from './random.ts'

const { demo_prefixes } = fleet.phones
const perPrefix = 1_000_000
const order = shuffled(demo_prefixes.length * perPrefix, 254)

/** How many people can have a number of their own. */
export const phoneCount = demo_prefixes.length * perPrefix

/** Twelve digits in a range that belongs to no operator; a number of its own for every index below `phoneCount`. */
export function phoneNumber(index: number): string {
  const place = order(index)
  return `${demo_prefixes[Math.floor(place / perPrefix)] ?? ''}${String(place % perPrefix).padStart(6, '0')}`
}
