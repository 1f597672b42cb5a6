import { getDefaultStore } from 'jotai'
import { list, read, pathTo, search } from '../../api/client.ts'
import { capabilitiesAtom } from '../../api/config.ts'
import type { Row } from '../../api/loose.ts'
import { isRow } from '../../api/loose.ts'
import { text } from '../../format.ts'
import { firstPage } from '../../state/list.ts'
import { refOf } from '../command.ts'
import type { Noun } from '../noun.ts'
import { allNouns } from '../noun.ts'
import { allFit, fold, wordsOf } from './words.ts'

/** One question to the server: text, and the nouns whose records are asked for; all nouns if there are none. */
export interface Request {
  q: string
  nouns: readonly string[]
  /** A term of the lists' filter. */
  filter?: string
  /** Most records of each noun; 5 if absent. */
  limit?: number
}

type Match = 'exact' | 'words' | 'part' | 'typo'

/** A record that was found, and how well it matches. */
export interface Found {
  noun: Noun
  row: Row<object>
  match: Match
}

/** What came of a request. */
export interface Answer {
  /** The key of the request. */
  key: string
  found: readonly Found[]
  /** Whether a part of the search failed: then more may exist. */
  isPartial: boolean
}

type Results = Omit<Answer, 'key'>

export const requestKey = ({ q, nouns, filter = '', limit = 5 }: Request): string =>
  JSON.stringify([q, nouns, filter, limit])

/** Finds records: with the one call of a server that offers it, else with the list calls of section 7. */
export async function findRecords(request: Request, signal: AbortSignal): Promise<Answer> {
  const find = getDefaultStore().get(capabilitiesAtom).search ? findBySearch : findByLists
  return { key: requestKey(request), ...(await find(request, signal)) }
}

async function findBySearch(
  { q, nouns, filter = '', limit = 5 }: Request,
  signal: AbortSignal,
): Promise<Results> {
  const results = await search({ q, nouns: nouns.join(','), filter, limit: String(limit) }, signal)
  const known = new Map(allNouns().map((noun) => [noun.name, noun]))
  const found = results.flatMap((one): Found[] => {
    const noun = known.get(text(one.noun))
    const { record, match } = one
    return noun && isRow<object>(record) && refOf(noun, record).id !== ''
      ? [{ noun, row: record, match: matchOf(match) }]
      : []
  })
  return { found, isPartial: false }
}

const matchOf = (value: unknown): Match =>
  value === 'exact' || value === 'words' || value === 'typo' ? value : 'part'

/** Rejects if no call succeeds. */
async function findByLists(request: Request, signal: AbortSignal): Promise<Results> {
  const { q, nouns, filter = '' } = request
  // A server without the search has no filters either.
  if (filter) return { found: [], isPartial: false }
  const asked = allNouns().filter(
    (noun) => (nouns.length > 0 ? nouns.includes(noun.name) : noun.search !== undefined) && canFind(noun, q),
  )
  const answers = await Promise.allSettled(asked.map((noun) => findInList(noun, request, signal)))
  const failed = answers.find((answer) => answer.status === 'rejected')
  signal.throwIfAborted()
  if (failed && answers.every((answer) => answer.status === 'rejected')) throw failed.reason
  const order: readonly Match[] = ['exact', 'words', 'part', 'typo']
  const found = answers
    .flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    .toSorted((a, b) => order.indexOf(a.match) - order.indexOf(b.match))
  return { found, isPartial: failed !== undefined }
}

/** A list without a search finds nothing by text; its newest records are those of its first page. */
const canFind = ({ search: box }: Noun, q: string) => q === '' || box !== undefined

async function findInList(
  noun: Noun,
  { q, nouns, limit = 5 }: Request,
  signal: AbortSignal,
): Promise<Found[]> {
  const words = wordsOf(q)
  const isNamed = q.startsWith('#') || nouns.length === 1
  const id = /^#?([1-9]\d{0,8})$/.exec(q)?.[1]
  // Digits alone are a phone number more often than an id.
  const byId =
    id !== undefined && isNamed && noun.calls.one !== undefined
      ? [await read<object>(pathTo(noun.calls.one, id), signal).catch(() => null)]
      : []
  const exact = byId.flatMap((row): Found[] => (row ? [{ noun, row, match: 'exact' }] : []))
  if (q.startsWith('#')) return exact
  const typed = noun.find?.(q) ?? { [noun.search?.parameter ?? 's']: q }
  const { results } = await list<object>(noun.calls, { ...firstPage, ...typed, size: 25 }, signal)
  const found = results
    .filter(
      (row) =>
        refOf(noun, row).id !== '' && !exact.some((one) => refOf(noun, one.row).id === refOf(noun, row).id),
    )
    .slice(0, Math.max(limit, 12))
    .map((row): Found => ({ noun, row, match: matchIn(noun, row, q, words) }))
  return [...exact, ...found]
}

function matchIn(noun: Noun, row: Row<object>, q: string, words: readonly string[]): Match {
  const name = noun.nameOf(row)
  if (fold(name) === fold(q) || fold(name).replaceAll(' ', '') === fold(q).replaceAll(' ', '')) return 'exact'
  const fit = allFit(words, wordsOf(name))
  return fit === 'equal' || fit === 'start' ? 'words' : 'part'
}
