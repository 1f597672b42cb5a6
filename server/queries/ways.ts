import { sql } from 'kysely'
import type { Engine, Word } from '../db/engine.ts'
import type { Condition } from '../db/ids.ts'
import { ids } from '../db/ids.ts'
import type { Database } from '../db/schema.ts'
import { begins, contains, hasInitials, hasWords, leads, phoneMatches } from './matching.ts'
import type { Match, Step, Text } from './newest.ts'
import { newest } from './newest.ts'
import type { People } from './of-people.ts'
import { ofPeople } from './of-people.ts'
import type { Rank } from './ranks.ts'
import type { Sought } from './sought.ts'

/** What the records of a noun are found by. */
export interface Found {
  /** People rank before everything else. */
  person?: boolean
  /** The SQL of a folded text whose words are searched, over one row with the alias `R`. */
  text?: string
  /** Has a `phone_number`, whose parts are found too. */
  phone?: boolean
  /** Conditions for records that equal what is sought, and what of them equals it, best first. */
  equals?: (sought: Sought) => { rank: Rank; where: Condition }[]
  /** Where a search names this noun, it also finds the newest records of the people whom it finds. */
  people?: People
}

/** One way to find records of a noun, the newest first. Within a rank, those that `leads` come first. */
export interface Way extends Step {
  rank: Rank
  leads?: boolean
}

interface Searched {
  table: keyof Database
  found: Found
}

/** The ways in which a noun is found, best first; all of it where nothing is sought. */
export function ways(engine: Engine, { table, found }: Searched, sought: Sought, named: boolean): Way[] {
  const { equals, text, people } = found
  if (sought.text === '') return named ? [{ rank: 'words', query: ids(sql.table(table), [sql`1 = 1`]) }] : []
  const exact = [
    ...(sought.id === null ? [] : [{ rank: 'id' as const, where: sql<boolean>`id = ${sought.id}` }]),
    ...(equals?.(sought) ?? []),
  ].map(({ rank, where }): Way => ({ rank, query: engine.collected(table, [where]) }))
  if (sought.words.length === 0) return exact
  const of = text === undefined ? null : { table, text }
  const records = named && people ? ofPeople(engine, table, people, sought) : []
  return [
    ...exact,
    ...(of ? wordWays(engine, of, found, sought) : []),
    ...records.map((query): Way => ({ rank: 'people', query })),
    ...(of ? waysOf(of, 'part', contains(engine, of, sought.words)) : []),
  ]
}

/** The ways in which a noun is found by words that may have been meant. */
export function typoWays(engine: Engine, { table, found: { text } }: Searched, words: Word[][]): Way[] {
  const of = text === undefined ? null : { table, text }
  return of ? waysOf(of, 'typo', hasWords(engine, of, words)) : []
}

function wordWays(engine: Engine, of: Text, { person, phone }: Found, sought: Sought): Way[] {
  const { words, initials } = sought
  const phones = phone ? phoneMatches(engine, of, sought) : []
  return [
    ...waysOf(of, 'words', leads(engine, of, words)).map((way) => ({ ...way, leads: true })),
    ...waysOf(of, 'words', begins(engine, of, words)),
    ...phones.flatMap((match) => waysOf(of, 'words', match)),
    ...(person && initials ? [{ rank: 'initials' as const, query: hasInitials(engine, of, initials) }] : []),
  ]
}

const waysOf = (of: Text, rank: Rank, match: Match): Way[] =>
  newest(of, match).map((step) => ({ rank, ...step }))
