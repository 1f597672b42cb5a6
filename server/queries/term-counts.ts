import type { TermCounts } from '../../src/api/contract.ts'
import { termCounter } from '../db/buckets.ts'
import type { Engine } from '../db/engine.ts'
import type { Noun } from '../nouns/noun.ts'
import { readCounters } from './analytics.ts'
import { PastCondition } from './filter.ts'
import { keptCount } from './kept-count.ts'

/** By list and term, how many records the term keeps, from what triggers count: no list is slower for being long. */
export async function countTerms(
  engine: Engine,
  nouns: readonly Pick<Noun, 'plural' | 'table' | 'counted' | 'list'>[],
  now: number,
): Promise<TermCounts> {
  const counter = await readCounters(engine)
  const counts: TermCounts = {}
  for (const { plural, table, counted, list } of nouns) {
    const terms = Object.keys(counted.terms).map((term) => [term, counter(termCounter(table, term))] as const)
    for (const term of list.terms) {
      const { conditions } = list.filter(term, now)
      if (!conditions.some((one) => one instanceof PastCondition)) continue
      terms.push([term, (await keptCount(engine.db, table, conditions))?.n ?? 0])
    }
    if (terms.length > 0) counts[plural] = Object.fromEntries(terms)
  }
  return counts
}
