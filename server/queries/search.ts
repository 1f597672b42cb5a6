import type { SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { SearchAnswer } from '../../src/api/contract.ts'
import type { Engine, Word } from '../db/engine.ts'
import type { Database } from '../db/schema.ts'
import { digitsOf } from '../fold.ts'
import type { Text } from './matching.ts'
import { begins, contains, hasInitials, hasPhone, hasWords, leads } from './matching.ts'
import type { Condition, Match } from './newest.ts'
import { ids, indexed, newest } from './newest.ts'
import type { Sought } from './sought.ts'
import { readSought } from './sought.ts'
import { typosOf } from './typos.ts'

/** What the records of a noun are found by. */
export interface Found {
  /** People rank before everything else. */
  person?: boolean
  /** The SQL of a folded text whose words are searched, over one row with the alias `R`. */
  text?: string
  /** Has a `phone_number`, whose parts are found too. */
  phone?: boolean
  /** Conditions for records that equal what is sought, and what of them equals it, best first. */
  equals?: (sought: Sought) => { rank: Equal; where: Condition }[]
  /**
   * Tables of people, and the SQL of the id of the one whom a record is of. Where a search names this noun, it also finds
   * the newest records of the people whom it finds.
   */
  people?: { table: 'drivers' | 'customers'; id: string }[]
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

/** Of more people the records are not collected; those of the newest are. */
const mostPeople = 500
/** More words with a typing error each are not looked for. */
const mostWithTypos = 5

/** The matches in their order, best first; `equals` in its own order. */
const ranks = [
  ...(['id', 'plate', 'plateOfVehicle', 'code', 'phone', 'name'] as const),
  ...(['words', 'initials', 'people', 'part', 'typo'] as const),
]
type Rank = (typeof ranks)[number]

const matchOf = (rank: Rank): MatchName =>
  rank === 'words' || rank === 'part' || rank === 'typo'
    ? rank
    : rank === 'initials' || rank === 'people'
      ? 'words'
      : 'exact'
type MatchName = SearchAnswer['results'][number]['match']

/** One way to find records of a noun, the newest first. Within a rank, those that `leads` come first. */
interface Way {
  rank: Rank
  leads?: boolean
  find(filter: Condition[], limit: number): Promise<number[]>
}

interface Hit {
  noun: Searchable
  id: number
  rank: Rank
  leads: boolean
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
    Promise.all(asked.map(({ noun, conditions }) => findIn(noun, waysOf(noun), conditions, query.limit)))
  const named = query.nouns.length > 0
  let hits = (await find((noun) => ways(engine, noun, sought, named))).flat()
  if (hits.length === 0) {
    const words = await meantWords(engine, sought.words)
    if (words) hits = (await find((noun) => typoWays(engine, noun, words))).flat()
  }
  const places = new Map(nouns.map((noun, place) => [noun, place]))
  hits.sort(
    (a, b) =>
      ranks.indexOf(a.rank) - ranks.indexOf(b.rank) ||
      Number(b.noun.found.person ?? false) - Number(a.noun.found.person ?? false) ||
      Number(b.leads) - Number(a.leads) ||
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
async function findIn(noun: Searchable, ways: Way[], terms: Condition[], limit: number): Promise<Hit[]> {
  const filter = noun.softDeleted ? [sql<SqlBool>`deleted = 0`, ...terms] : terms
  const hits = new Map<number, Hit>()
  for (const way of ways) {
    if (hits.size >= limit) break
    for (const id of await way.find(filter, limit))
      if (!hits.has(id) && hits.size < limit)
        hits.set(id, { noun, id, rank: way.rank, leads: way.leads ?? false })
  }
  return [...hits.values()]
}

/** The ways in which a noun is found, best first; all of it where nothing is sought. */
function ways(engine: Engine, noun: Searchable, sought: Sought, named: boolean): Way[] {
  const { table, found } = noun
  const where = (condition: Condition) => (filter: Condition[], limit: number) =>
    ids(engine, sql.table(table), [condition, ...filter], limit)
  if (sought.text === '') return named ? [{ rank: 'words', find: where(sql`1 = 1`) }] : []
  const { people } = found
  return [
    ...(sought.id === null ? [] : [{ rank: 'id' as const, find: where(sql`id = ${sought.id}`) }]),
    ...(found.equals?.(sought) ?? []).map((equal) => ({ rank: equal.rank, find: where(equal.where) })),
    ...textWays(engine, noun, sought),
    ...(named && people && sought.words.length > 0 ? [peopleWay(engine, table, people, sought)] : []),
    ...partWays(engine, noun, sought),
  ]
}

function textWays(engine: Engine, { table, found }: Searchable, sought: Sought): Way[] {
  const { person, text, phone } = found
  const { words, initials } = sought
  if (!text || words.length === 0) return []
  const of = { table, text }
  const matching = (match: Match) => (filter: Condition[], limit: number) =>
    newest(engine, table, match, filter, limit)
  const phones = phone ? phoneMatches(engine, of, sought) : []
  return [
    { rank: 'words', leads: true, find: matching(leads(engine, of, words)) },
    { rank: 'words', find: matching(begins(engine, of, words)) },
    ...phones.map((match) => ({ rank: 'words' as const, find: matching(match) })),
    ...(person && initials
      ? [
          {
            rank: 'initials' as const,
            find: (filter: Condition[], limit: number) =>
              indexed(engine, table, [hasInitials(engine, of, initials), ...filter], limit),
          },
        ]
      : []),
  ]
}

/** All of the text as one part of a phone number, or only its words that are digits. */
function phoneMatches(engine: Engine, of: Text, { words, digits }: Sought): Match[] {
  if (digits) return [hasPhone(engine, of, [digits], [])]
  const parts = words.filter((word) => /^\+?\d{3,}$/.test(word))
  const rest = words.filter((word) => !parts.includes(word))
  return parts.length > 0 ? [hasPhone(engine, of, parts.map(digitsOf), rest)] : []
}

/** Records of the people who are found by name or phone number; of the newest ones where there are very many. */
function peopleWay(
  engine: Engine,
  table: keyof Database,
  people: NonNullable<Found['people']>,
  sought: Sought,
): Way {
  const parts = people.map(({ table: of, id }) => {
    const person = { table: of, text: 'R.search' }
    const matches = [begins(engine, person, sought.words), ...phoneMatches(engine, person, sought)]
    const scan = sql<SqlBool>`(select ${any(matches.map((match) => match.scan))} from ${sql.table(of)}
      where ${sql.ref(`${of}.id`)} = ${sql.raw(id)})`
    const find = async () => {
      const found = matches.map((match) => newest(engine, of, match, [], mostPeople))
      return { id, ids: (await Promise.all(found)).flat() }
    }
    return { scan, find }
  })
  const find = async (filter: Condition[], limit: number): Promise<number[]> => {
    const scan = any(parts.map((part) => part.scan))
    const recent = await newest(engine, table, { scan, where: null }, filter, limit)
    if (recent.length >= limit) return recent
    const found = await Promise.all(parts.map((part) => part.find()))
    const where = found
      .filter((one) => one.ids.length > 0)
      .map((one) => sql<SqlBool>`${sql.raw(one.id)} in (${sql.join(one.ids)})`)
    return where.length > 0 ? indexed(engine, table, [any(where), ...filter], limit) : []
  }
  return { rank: 'people', find }
}

const any = (conditions: Condition[]) => sql<SqlBool>`(${sql.join(conditions, sql` or `)})`

function partWays(engine: Engine, { table, found }: Searchable, { words }: Sought): Way[] {
  if (!found.text || words.length === 0) return []
  const match = contains(engine, table, words)
  return [{ rank: 'part', find: (filter, limit) => newest(engine, table, match, filter, limit) }]
}

function typoWays(engine: Engine, { table, found: { text } }: Searchable, words: Word[][]): Way[] {
  if (text === undefined) return []
  const match = hasWords(engine, { table, text }, words)
  return [{ rank: 'typo', find: (filter, limit) => newest(engine, table, match, filter, limit) }]
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
