import type { View, ViewCounts } from '../../src/api/contract.ts'
import type { Engine } from '../db/engine.ts'
import type { ListPage, ListQuery } from './list.ts'

/** A noun whose list can be counted. */
interface Counted {
  plural: string
  list: { page(engine: Engine, query: ListQuery, now: number): Promise<ListPage<unknown>> }
}

/** How long the answer waits for one count, in milliseconds: a search can take long. */
const patience = 1_000
/** Counts at the same time. */
const lanes = 4

/** How many records each view has; null if that takes too long. A slow count does not delay the others. */
export async function countViews(
  engine: Engine,
  nouns: readonly Counted[],
  views: readonly View[],
  now: number,
): Promise<ViewCounts> {
  const waiting = [...views]
  const results: ViewCounts['results'] = []
  const countNext = async (): Promise<void> => {
    for (let view = waiting.shift(); view; view = waiting.shift()) {
      const { id, list, query } = view
      const noun = nouns.find(({ plural }) => plural === list)
      const page = noun?.list.page(engine, queryOf(query), now).then(({ count }) => count)
      results.push({ id, count: page ? await inTime(page) : null })
    }
  }
  await Promise.all(Array.from({ length: lanes }, countNext))
  return { results }
}

function queryOf(query: string): ListQuery {
  const parameters = new URLSearchParams(query)
  const text = (name: string) => (parameters.get(name) ?? '').trim()
  const texts = { s: text('s'), phone: text('phone'), name: text('name'), filter: text('filter') }
  return { page: 1, page_size: 1, ordering: '', ...texts }
}

/** Null if the count takes too long. It goes on in the database until the timeout of its statement. */
async function inTime(count: Promise<number>): Promise<number | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), patience)
  try {
    return await Promise.race([count, late])
  } finally {
    clearTimeout(timer)
  }
}
