import type { Command } from '../command.ts'
import type { Filter, Noun } from '../noun.ts'
import type { Fit } from './words.ts'
import { fitOf, fold, worse, wordsOf } from './words.ts'

/** One reading of what was typed: what to do, with which kind of record, narrowed how, and the words that name it. */
export interface Sentence {
  /** The commands that its verb can mean; empty without a verb. */
  verb: readonly Command[]
  noun: Noun | null
  /** The filters that its words can mean, each with its noun. */
  filters: readonly NounFilter[]
  /** Whether it asks for the newest record: "last sos". */
  isLast: boolean
  /** The words that name a record; blank if none do. */
  object: string
  /** Whether the object begins with `for`: "promo for Jo". */
  isFor: boolean
  /** The worst fit of the words that have a meaning; `equal` if none has one. */
  fit: Fit
}

interface NounFilter {
  noun: Noun
  filter: Filter
}

/** What the words of a sentence can mean. */
export interface Vocabulary {
  commands: readonly Command[]
  /** None if only the commands of one record are asked for. */
  nouns: readonly Noun[]
}

type Role =
  | { kind: 'verb'; commands: readonly Command[] }
  | { kind: 'noun'; noun: Noun }
  | { kind: 'filter'; filters: readonly NounFilter[] }
  | { kind: 'last' }
  | { kind: 'for' }
  | { kind: 'filler' }

interface Phrase {
  words: readonly string[]
  role: Role
}

/** Words before the name of a record that is to be shown, in English and Swahili. */
const showing = [
  ...['show', 'find', 'search', 'open', 'view', 'see', 'go', 'to', 'me'],
  ...['onyesha', 'tafuta', 'fungua', 'nenda'],
]

/** Words without a meaning of their own beside a verb or a noun, in English and Swahili. */
const fillers = [
  // "delete view overdue" is about a saved view, not about an overdue record.
  ...showing.filter((word) => word !== 'view'),
  ...['of', 'the', 'a', 'an', 'please', 'with', 'from', 'in', 'on', 'by', 'my', 'as', 'is', 'mark'],
  ...['number', 'no', 'nr', 'id', 'record', 'list', 'all', 'filter', 'and'],
  ...['ya', 'wa', 'za', 'la', 'cha', 'vya', 'kwa', 'na', 'tafadhali'],
]

const phrasesOf = new WeakMap<Vocabulary, Phrase[]>()

function phrases(vocabulary: Vocabulary): Phrase[] {
  const known = phrasesOf.get(vocabulary)
  if (known) return known
  const { commands, nouns } = vocabulary
  const all: [string, Role][] = [
    ...nouns.flatMap((noun) => nounWords(noun).map((text): [string, Role] => [text, { kind: 'noun', noun }])),
    ...grouped(
      commands.flatMap((command) => (command.verbs ?? []).map((verb) => [fold(verb), command] as const)),
    ).map(([verb, some]): [string, Role] => [verb, { kind: 'verb', commands: some }]),
    ...grouped(
      nouns.flatMap((noun) =>
        (noun.filters ?? []).flatMap((filter) =>
          [filter.label, ...filter.words].map((text) => [fold(text), { noun, filter }] as const),
        ),
      ),
    ).map(([text, filters]): [string, Role] => [text, { kind: 'filter', filters }]),
    ...['last', 'latest', 'newest', 'recent', 'karibuni'].map((text): [string, Role] => [
      text,
      { kind: 'last' },
    ]),
    ...['for', 'ya ajili'].map((text): [string, Role] => [text, { kind: 'for' }]),
    ...fillers.map((text): [string, Role] => [text, { kind: 'filler' }]),
  ]
  const made = all.map(([text, role]) => ({ words: text.split(' '), role }))
  phrasesOf.set(vocabulary, made)
  return made
}

/** Every word for a kind of record, folded. */
export const nounWords = ({ singular, plural, words = [] }: Noun): string[] => [
  ...new Set([singular, plural, ...words].map(fold)),
]

function grouped<T>(pairs: readonly (readonly [string, T])[]): [string, T[]][] {
  const groups = new Map<string, T[]>()
  for (const [key, one] of pairs) groups.set(key, [...(groups.get(key) ?? []), one])
  return [...groups]
}

/** A reading under way: the words before `at` are read. */
interface Reading {
  at: number
  score: number
  verb: readonly Command[]
  noun: Noun | null
  filters: readonly NounFilter[]
  isLast: boolean
  isFor: boolean
  object: readonly string[]
  fit: Fit
}

const most = 2

/**
 * The likely readings, best first: at most two, then all words as the name of a record, before it all but those that only
 * ask to show it ("find kamau"). Verb, noun, filter and name may come in any order.
 */
export function readingsOf(typed: string, vocabulary: Vocabulary): Sentence[] {
  const words = joinNumbers(wordsOf(typed.replace(/\btel:/gi, ' ')))
  let open: Reading[] = [
    {
      at: 0,
      score: 0,
      verb: [],
      noun: null,
      filters: [],
      isLast: false,
      isFor: false,
      object: [],
      fit: 'equal',
    },
  ]
  // Mark is also a first name. It has no meaning of its own only where a command begins with it: "mark 12 as paid".
  const isMarking = words[0] === 'mark' && words.some(isId)
  const meanings = words.map((word, at) =>
    word === 'mark' && !(isMarking && at === 0) ? [] : meaningsOf(words.slice(at), phrases(vocabulary)),
  )
  const done: Reading[] = []
  while (open.length > 0) {
    const next = open.flatMap((reading) => stepsFrom(reading, words, meanings[reading.at] ?? []))
    done.push(...next.filter(({ at }) => at === words.length))
    open = next
      .filter(({ at }) => at < words.length)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, 40)
  }
  const best = done
    .filter(isSensible)
    .toSorted((a, b) => b.score - a.score || Number(isListBefore(b, a)) - Number(isListBefore(a, b)))
    .map(sentenceOf)
  const named = words.slice(
    Math.max(
      words.findIndex((word) => !showing.includes(word)),
      0,
    ),
  )
  return distinct([
    ...distinct(best).slice(0, most),
    { ...emptySentence, object: named.join(' ') },
    { ...emptySentence, object: words.join(' ') },
  ])
}

const emptySentence: Sentence = {
  verb: [],
  noun: null,
  filters: [],
  isLast: false,
  object: '',
  isFor: false,
  fit: 'equal',
}

function sentenceOf({ verb, noun, filters, isLast, isFor, object, fit }: Reading): Sentence {
  return {
    verb: noun ? verb.filter((command) => nounOfCommand(command) === noun.name) : verb,
    noun,
    filters: noun ? filters.filter((one) => one.noun === noun) : filters,
    isLast,
    isFor,
    object: object.join(' '),
    fit,
  }
}

/** Whether an object is an id. A phone number has more digits. */
export const isId = (object: string): boolean => /^#?\d{1,9}$/.test(object)

/**
 * Whether a reading as a list comes before an equal one as a command. "paid" and "handled" are both: "paid 1042" is a
 * command, "paid invoices of hilda" a list.
 */
const isListBefore = ({ filters, object }: Reading, { verb }: Reading): boolean =>
  verb.length > 0 &&
  !isId(object.join(' ')) &&
  verb.every((command) => filters.some(({ noun }) => noun.name === nounOfCommand(command)))

/** The noun whose records a command changes or creates: the first part of its id. */
const nounOfCommand = ({ id }: Command): string => id.split('.')[0] ?? ''

/** Without a word that has a meaning, words such as `of` belong to the name; the newest record needs a noun. */
function isSensible({ verb, noun, filters, isLast }: Reading): boolean {
  if (isLast && !noun) return false
  if (noun && verb.length > 0 && !verb.some((command) => nounOfCommand(command) === noun.name)) return false
  if (noun && filters.length > 0 && !filters.some((one) => one.noun === noun)) return false
  return verb.length > 0 || noun !== null || filters.length > 0
}

/** What the next words can mean, whatever was read before them. */
interface Meaning {
  role: Role
  fit: Fit
  /** How many words they are. */
  length: number
  score: number
}

function meaningsOf(words: readonly string[], known: readonly Phrase[]): Meaning[] {
  return known.flatMap((phrase): Meaning[] => {
    const { role } = phrase
    const { length } = phrase.words
    const fit = phraseFit(phrase, words)
    if (!fit) return []
    const typed = words.slice(0, length).join('')
    if (!isEnough(typed, role, fit)) return []
    const share = typed.length / phrase.words.join('').length
    const worth = fit === 'equal' ? 3 : fit === 'start' ? 1.2 + share : 1.1
    return [{ role, fit, length, score: length * (isFiller(role) ? 1.4 : worth) }]
  })
}

const isFiller = ({ kind }: Role) => kind === 'filler' || kind === 'for'

/** Whether so much of a phrase was typed that it can be meant. */
function isEnough(typed: string, role: Role, fit: Fit): boolean {
  if (fit === 'equal') return true
  // The words without a meaning of their own must be typed in full.
  if (isFiller(role) || role.kind === 'last') return false
  // One or two letters are a beginning of too much.
  if (fit === 'start' && typed.length < (role.kind === 'verb' ? 2 : 3)) return false
  // Tom is not the beginning of tomorrow.
  return role.kind !== 'filter' || !role.filters.every(({ filter }) => filter.isAfter)
}

function stepsFrom(reading: Reading, words: readonly string[], meanings: readonly Meaning[]): Reading[] {
  const word = words[reading.at] ?? ''
  const asName = {
    ...reading,
    at: reading.at + 1,
    // A word that is part of a sentence and no name is worth more than a name.
    score: reading.score + 1,
    object: [...reading.object, word.replace(/^[#@]/, word.startsWith('#') ? '#' : '')],
  }
  const asMeaning = meanings.flatMap(({ role, fit, length, score }): Reading[] => {
    const read = withRole(reading, role)
    if (!read) return []
    return [
      {
        ...read,
        at: reading.at + length,
        score: reading.score + score,
        fit: isFiller(role) ? reading.fit : worse(reading.fit, fit),
      },
    ]
  })
  return [asName, ...asMeaning]
}

function withRole(reading: Reading, role: Role): Reading | null {
  switch (role.kind) {
    case 'verb':
      return reading.verb.length > 0 ? null : { ...reading, verb: role.commands }
    case 'noun':
      return reading.noun ? null : { ...reading, noun: role.noun }
    case 'filter': {
      if (reading.filters.length === 0) return { ...reading, filters: role.filters }
      const both = reading.filters.flatMap((one) => role.filters.flatMap((other) => joined(one, other)))
      return both.length === 0 ? null : { ...reading, filters: both }
    }
    case 'last':
      return { ...reading, isLast: true }
    case 'for':
      return { ...reading, isFor: true }
    case 'filler':
      return reading
  }
}

/** Two filters of one noun, of which one is said before it and the other after it: "cancelled trips today". */
function joined(one: NounFilter, other: NounFilter): NounFilter[] {
  const [before, after] = one.filter.isAfter ? [other.filter, one.filter] : [one.filter, other.filter]
  if (one.noun !== other.noun || before.isAfter || before.and || !after.isAfter) return []
  return [
    { noun: one.noun, filter: { ...before, term: `${before.term},${after.term}`, words: [], and: after } },
  ]
}

/** How the next words fit a phrase: all but its last word must be typed in full. */
function phraseFit({ words }: Phrase, typed: readonly string[]): Fit {
  const last = words.length - 1
  if (typed.length <= last) return null
  for (let at = 0; at < last; at++) if (typed[at] !== words[at]) return null
  const fit = fitOf(typed[last] ?? '', words[last] ?? '')
  return fit === 'middle' ? null : fit
}

/** Joins the groups of a phone number: `0712 345 678` is one word, `kda 123a` two. */
function joinNumbers(words: readonly string[]): string[] {
  const joined: string[] = []
  let isOpen = false
  for (const word of words) {
    const isDigits = /^\+?\d+$/.test(word)
    const last = joined.at(-1)
    if (isDigits && isOpen && last !== undefined) joined[joined.length - 1] = last + word
    else joined.push(word)
    isOpen = isDigits
  }
  return joined
}

function distinct(sentences: readonly Sentence[]): Sentence[] {
  const seen = new Set<string>()
  return sentences.filter(({ verb, noun, filters, isLast, object, isFor }) => {
    const key = JSON.stringify([
      verb.map(({ id }) => id),
      noun?.name,
      filters.map((one) => `${one.noun.name} ${one.filter.term}`),
      isLast,
      object,
      isFor,
    ])
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
