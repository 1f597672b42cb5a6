import type { Expression, SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { SearchAnswer } from '../../src/api/contract.ts'
import type { Engine } from '../db/engine.ts'
import type { Database } from '../db/schema.ts'
import { allWords, contains, hasInitials, isTypoOrBegins, leads, ofPeople } from './matching.ts'
import type { Sought } from './sought.ts'
import { readSought } from './sought.ts'
import { typosOf } from './typos.ts'

type Condition = Expression<SqlBool>

/** What the records of a noun are found by. */
export interface Found {
  /** People rank before everything else. */
  person?: boolean
  /** The SQL of a folded text whose words are searched. */
  text?: string
  /** Has a `phone_number`, whose parts are found too. */
  phone?: boolean
  /** Conditions for records that equal what is sought, and what of them equals it, best first. */
  equals?: (sought: Sought) => { rank: Equal; where: Condition }[]
  /**
   * Table of people to the SQL of the id of one of them. Where a search names this noun, it also finds the newest
   * records of the people whom it finds.
   */
  people?: Record<string, string>
}

type Equal = 'plate' | 'plateOfVehicle' | 'code' | 'phone' | 'name'

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

/** The matches in their order, best first; `equals` in its own order. */
const ranks = [
  ...(['id', 'plate', 'plateOfVehicle', 'code', 'phone', 'name'] as const),
  ...(['words', 'initials', 'people', 'part', 'typo'] as const),
]
type Rank = (typeof ranks)[number]

const matchOf = (rank: Rank): Match =>
  rank === 'words' || rank === 'part' || rank === 'typo'
    ? rank
    : rank === 'initials' || rank === 'people'
      ? 'words'
      : 'exact'
type Match = SearchAnswer['results'][number]['match']

/** One way to find records of a noun. Within a rank, those that `leads` come first. */
interface Way {
  rank: Rank
  leads?: boolean
  where: Condition[]
}

interface Hit extends Omit<Way, 'where'> {
  noun: Searchable
  id: number
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
  const find = (waysOf: (noun: Searchable) => Way[]) =>
    Promise.all(
      asked.map(({ noun, conditions }) => findIn(engine, noun, waysOf(noun), conditions, query.limit)),
    )
  const named = query.nouns.length > 0
  let hits = (await find((noun) => ways(engine, noun, sought, named))).flat()
  if (hits.length === 0) hits = (await find((noun) => typoWays(engine, noun, sought))).flat()
  const places = new Map(nouns.map((noun, place) => [noun, place]))
  hits.sort(
    (a, b) =>
      ranks.indexOf(a.rank) - ranks.indexOf(b.rank) ||
      Number(b.noun.found.person ?? false) - Number(a.noun.found.person ?? false) ||
      Number(b.leads ?? false) - Number(a.leads ?? false) ||
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
  return hits.flatMap(({ noun, id, rank }) => {
    const record = records.get(noun)?.get(id)
    return record ? { noun: noun.name, match: matchOf(rank), record: { ...record } } : []
  })
}

/** Goes through the ways until there are enough records. */
async function findIn(
  engine: Engine,
  noun: Searchable,
  waysOf: Way[],
  filter: Condition[],
  limit: number,
): Promise<Hit[]> {
  const hits = new Map<number, Hit>()
  for (const { where, ...way } of waysOf) {
    if (hits.size >= limit) break
    for (const id of await newest(engine, noun, [...where, ...filter], limit))
      if (!hits.has(id) && hits.size < limit) hits.set(id, { noun, id, ...way })
  }
  return [...hits.values()]
}

async function newest(
  engine: Engine,
  { table, softDeleted }: Searchable,
  where: Condition[],
  limit: number,
): Promise<number[]> {
  const all = [sql<SqlBool>`1 = 1`, ...(softDeleted ? [sql<SqlBool>`deleted = 0`] : []), ...where]
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)}
    where ${sql.join(all, sql` and `)} order by id desc limit ${limit}`.execute(engine.db)
  return rows.map(({ id }) => id)
}

/** The ways in which a noun is found, best first; all of it where nothing is sought. */
function ways(engine: Engine, noun: Searchable, sought: Sought, named: boolean): Way[] {
  const { found } = noun
  if (sought.text === '') return named ? [{ rank: 'words', where: [] }] : []
  const equal = found.equals?.(sought) ?? []
  const { people } = found
  return [
    ...(sought.id === null ? [] : [{ rank: 'id' as const, where: [sql<SqlBool>`id = ${sought.id}`] }]),
    ...equal.map(({ rank, where }) => ({ rank, where: [where] })),
    ...textWays(engine, noun, sought),
    ...(named && people ? [{ rank: 'people' as const, where: [ofPeople(engine, people, sought)] }] : []),
    ...partWays(engine, found, sought),
  ]
}

function textWays(engine: Engine, { table, found }: Searchable, sought: Sought): Way[] {
  const { person, text, phone = false } = found
  const { words, initials } = sought
  const [first] = words
  if (!text || first === undefined) return []
  const where = allWords(engine, { text, phone, table }, sought)
  return [
    { rank: 'words', leads: true, where: [where, leads(engine, text, first)] },
    { rank: 'words', where: [where] },
    ...(person && initials
      ? [{ rank: 'initials' as const, where: [hasInitials(engine, text, initials)] }]
      : []),
  ]
}

function partWays(engine: Engine, { text }: Found, { words }: Sought): Way[] {
  return text && words.length > 0 ? [{ rank: 'part', where: [contains(engine, text, words)] }] : []
}

function typoWays(engine: Engine, { found: { text } }: Searchable, { words }: Sought): Way[] {
  if (!text || !words.some((word) => typosOf(word).length > 0)) return []
  return [{ rank: 'typo', where: words.map((word) => isTypoOrBegins(engine, text, word)) }]
}
