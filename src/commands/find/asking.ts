import { allNouns } from '../noun.ts'
import { penalty, worth } from './row.ts'
import type { Request } from './search.ts'
import { requestKey } from './search.ts'
import type { Sentence, Vocabulary } from './sentence.ts'
import { isId, readingsOf } from './sentence.ts'
import { fold } from './words.ts'

/** What a query asks the server, and how good the rows of its answer can be. */
export interface Asked {
  request: Request
  best: number
}

/** The query as typed, its prefix taken off. */
interface Parsed {
  text: string
  scope: 'all' | 'commands' | 'people' | 'ids' | 'screens'
}

const scopes: Record<string, Parsed['scope']> = { '>': 'commands', '@': 'people', '#': 'ids', '/': 'screens' }
/** The nouns whose records are people: what `@` searches. */
export const people = () => allNouns().flatMap(({ name, isPerson }) => (isPerson ? [name] : []))

export function parse(typed: string): Parsed {
  const text = typed.trim()
  const scope = scopes[text.slice(0, 1)]
  return scope === undefined || text.length < 2
    ? { text, scope: 'all' }
    : { text: scope === 'ids' ? text : text.slice(1).trim(), scope }
}

/** What to ask the server about a query: at most four requests, best first. */
export function requestsFor(typed: string, vocabulary: Vocabulary): Asked[] {
  const { text, scope } = parse(typed)
  // One letter begins too much; one digit is an id.
  const isShort = fold(text).replace(/[^\p{L}\p{N}]/gu, '').length < 2 && !/^#?\d$/.test(text)
  if (scope === 'commands' || scope === 'screens' || isShort) return []
  if (scope === 'people') return [{ request: { q: fold(text), nouns: people() }, best: worth.exactRecord }]
  if (scope === 'ids') return [{ request: { q: fold(text), nouns: [] }, best: worth.exactRecord }]
  const byKey = new Map<string, Asked>()
  const readings = readingsOf(text, vocabulary)
  for (const { request, best } of readings.flatMap(requestsOf)) {
    const key = requestKey(request)
    byKey.set(key, { request, best: Math.max(best, byKey.get(key)?.best ?? 0) })
  }
  const asked = [...byKey.values()]
  // The last ones ask for words as a name, and are always sent: "katana safari" are trips of Katana, or Katana Safari.
  return asked.toSpliced(4 - readings.filter(isNameOnly).length, asked.length - 4)
}

/** Whether all words of a reading are a name. */
export const isNameOnly = ({ verb, noun, filters }: Sentence) =>
  verb.length === 0 && noun === null && filters.length === 0

interface Wanted extends Asked {
  /** Whether all words are a name. */
  isLiteral: boolean
}

export function requestsOf(reading: Sentence): Wanted[] {
  const { verb, noun, filters, isLast, object, isFor, fit } = reading
  const isLiteral = isNameOnly(reading)
  const want = (request: Request, best: number): Wanted => ({ request, best, isLiteral })
  if (isLiteral) return object ? [want({ q: object, nouns: [] }, worth.record)] : []
  if (isLast && noun && !object) return [want({ q: '', nouns: [noun.name], limit: 3 }, worth.newest)]
  if (!object) return []
  const pale = penalty(fit)
  if (verb.length > 0) {
    const nouns = [...new Set(verb.flatMap((command) => command.noun ?? []))]
    const taken = verb.flatMap(({ takes }) => (takes ? [takes.noun] : []))
    return [
      ...(nouns.length > 0 ? [want({ q: object, nouns, limit: 8 }, worth.sentence - pale)] : []),
      ...taken.map((name) => want({ q: object, nouns: [name] }, worth.sentence - pale)),
    ]
  }
  const isNumber = isId(object)
  const about = noun ? [noun] : filters.map((one) => one.noun)
  const owners = [...new Set(about.flatMap((one) => (isNumber ? [] : (one.owners ?? []))))]
  const term = filters[0]?.filter.term
  const named = about.filter((one) => isNumber || !one.owners || one.search !== undefined || one.form)
  return [
    ...(owners.length > 0 ? [want({ q: object, nouns: owners }, worth.listOfPerson - pale)] : []),
    ...(isFor && noun
      ? noun.commands.flatMap(({ takes }) =>
          takes ? [want({ q: object, nouns: [takes.noun] }, worth.sentence - pale)] : [],
        )
      : []),
    ...named.map((one) =>
      want(
        { q: object, nouns: [one.name], limit: 10, ...(term !== undefined && { filter: term }) },
        worth.exactOfNoun - pale,
      ),
    ),
  ]
}
