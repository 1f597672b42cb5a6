/** A generator of pseudo-random numbers. The same seeds give the same numbers on every machine. */
export interface Random {
  /** At least 0 and below 1. */
  next(): number
  int(below: number): number
  between(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
}

/** The Mulberry32 generator. Its 32 bits of state are enough for demo data. */
export function seeded(...seeds: number[]): Random {
  let state = seeds.reduce(hash, 0)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  return {
    next,
    int: (below) => Math.floor(next() * below),
    between: (low, high) => low + next() * (high - low),
    chance: (probability) => next() < probability,
    pick: (list) => pickAt(list, Math.floor(next() * list.length)),
  }
}

/** Draws items in proportion to their whole-number weights. */
export function weighted<T>(items: readonly T[], weightOf: (item: T) => number): (random: Random) => T {
  const tickets = items.flatMap((item) => Array.from({ length: weightOf(item) }, () => item))
  return (random) => random.pick(tickets)
}

/**
 * Returns the number at an index of a shuffled list of the numbers below `size`. A Feistel network, so no list is
 * stored.
 */
export function shuffled(size: number, seed: number): (index: number) => number {
  const half = Math.ceil(Math.log2(Math.max(size, 2)) / 2)
  const mask = (1 << half) - 1
  const once = (value: number) => {
    let left = value >>> half
    let right = value & mask
    for (let round = 0; round < 4; round++) {
      const next = left ^ (hash(seed + round, right) & mask)
      left = right
      right = next
    }
    return (left << half) | right
  }
  return (index) => {
    let value = once(index)
    while (value >= size) value = once(value)
    return value
  }
}

/** Mixes two numbers into one of 32 bits. */
export function hash(a: number, b: number): number {
  let mixed = Math.imul(a ^ (b + 0x9e3779b9 + (a << 6) + (a >>> 2)), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

function pickAt<T>(list: readonly T[], index: number): T {
  const item = list[index]
  if (item === undefined) throw new RangeError('The list is empty.')
  return item
}
