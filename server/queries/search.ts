import { sql } from 'kysely'
import type { SearchAnswer } from '../../src/api/contract.ts'
import type { Engine, Word } from '../db/engine.ts'
import type { Condition } from '../db/ids.ts'
import type { Database } from '../db/schema.ts'
import { find } from './find.ts'
import { matchOf, ranks } from './ranks.ts'
import { readSought } from './sought.ts'
import { typosOf } from './typos.ts'
import type { Found, Way } from './ways.ts'
import { typoWays, ways } from './ways.ts'

/** What the search needs to know of a noun. */
export interface Searchable {
  name: string
  table: keyof Database
  softDeleted: boolean
  found: Found
  list: {
    filter(filter: string, now: number): { conditions: Condition[]; allKnown: boolean }
    records(engine: Engine, ids: number[], now: number): Promise<Map<number, object>>
  }
}

interface SearchQuery {
  q: string
  /** Blank searches all nouns, but records of people only among these. */
  nouns: string[]
  filter: string
  /** Results per noun. */
  limit: number
}

/** More words with a typing error each are not looked for. */
const mostWithTypos = 5

interface Hit {
  noun: Searchable
  id: number
  way: Way
}

/** Everything that is found, best first: exact matches, words, parts, and typing errors only if there is nothing else. */
export async function search(
  engine: Engine,
  nouns: readonly Searchable[],
  query: SearchQuery,
  now: number,
): Promise<SearchAnswer> {
  const sought = readSought(query.q)
  const asked = nouns
    .filter(({ name }) => query.nouns.length === 0 || query.nouns.includes(name))
    .map((noun) => ({ noun, ...noun.list.filter(query.filter, now) }))
    .filter(({ allKnown }) => allKnown)
  const findAll = async (waysOf: (noun: Searchable) => Way[]) => {
    const found = asked.map(async ({ noun, conditions }): Promise<Hit[]> => {
      const filter = noun.softDeleted ? [sql<boolean>`deleted = 0`, ...conditions] : conditions
      const hits = await find(engine, noun, waysOf(noun), filter, query.limit)
      return hits.map((hit) => ({ ...hit, noun }))
    })
    return (await Promise.all(found)).flat()
  }
  const named = query.nouns.length > 0
  let hits = await findAll((noun) => ways(engine, noun, sought, named))
  if (hits.length === 0) {
    const words = await meantWords(engine, sought.words)
    if (words) hits = await findAll((noun) => typoWays(engine, noun, words))
  }
  const places = new Map(nouns.map((noun, place) => [noun, place]))
  hits.sort(
    (a, b) =>
      ranks.indexOf(a.way.rank) - ranks.indexOf(b.way.rank) ||
      Number(b.noun.found.person ?? false) - Number(a.noun.found.person ?? false) ||
      Number(b.way.leads ?? false) - Number(a.way.leads ?? false) ||
      b.id - a.id ||
      (places.get(a.noun) ?? 0) - (places.get(b.noun) ?? 0),
  )
  return { results: await answer(engine, hits, now) }
}

async function answer(engine: Engine, hits: Hit[], now: number): Promise<SearchAnswer['results']> {
  const byNoun = Map.groupBy(hits, ({ noun }) => noun)
  const records = new Map(
    await Promise.all(
      [...byNoun].map(
        async ([noun, own]) =>
          [
            noun,
            await noun.list.records(
              engine,
              own.map(({ id }) => id),
              now,
            ),
          ] as const,
      ),
    ),
  )
  return hits.flatMap(({ noun, id, way }) => {
    const record = records.get(noun)?.get(id)
    return record ? { noun: noun.name, match: matchOf(way.rank), record: { ...record } } : []
  })
}

/** For each word, the indexed ones that it may have been meant as, besides those that it begins; null if there are none. */
async function meantWords(engine: Engine, words: string[]): Promise<Word[][] | null> {
  const typos = words.map(typosOf)
  const all = typos.flat()
  if (all.length === 0 || words.length > mostWithTypos) return null
  const rows = await engine.db.selectFrom('found_words').select('word').where('word', 'in', all).execute()
  const existing = new Set(rows.map(({ word }) => word))
  return existing.size === 0
    ? null
    : words.map((text, nth) => [
        { as: 'begins', text },
        ...(typos[nth] ?? [])
          .filter((typo) => existing.has(typo))
          .map((typo): Word => ({ as: 'is', text: typo })),
      ])
}
