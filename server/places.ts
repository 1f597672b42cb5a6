import type { Place } from '../src/api/contract.ts'
import gazetteer from './gazetteer/places-ke.json' with { type: 'json' }
import { fold } from './fold.ts'

/** The most suggestions in an answer. */
const most = 8
/** No place has more words than this, so further words of a query are ignored. */
const mostWords = 8

/**
 * Establishments in Kenya from our own gazetteer (S9.10), best first: docs/decisions/0013-the-gazetteer.md says what "best"
 * is. Spelling mistakes are considered only if no name begins with the typed text.
 */
export function searchPlaces(question: string): Place[] {
  const text = plain(question)
  const words = [...new Set(text.split(' ').filter(Boolean))].slice(0, mostWords)
  if (words.length === 0) return []
  const name = text.replaceAll(' ', '')
  const costs = costsOf(words, costOf)
  const typed = ranked((entry) => scoreOf(entry, name, costs))
  const begins = typed.some(({ score }) => score < level.inside)
  const found = begins ? typed : [...typed, ...misspelt(name, words)]
  const places = found.length ? found : nearby(costs)
  return [...new Set(places.map(({ entry }) => entry.place))].slice(0, most)
}

/** Base score by the way in which a place matches; the costs of single words are added. Lower is better. */
const level = {
  name: 0,
  beginning: 1e3,
  words: 2e3,
  around: 3e3,
  inside: 4e3,
  misspeltName: 5e3,
  misspelt: 6e3,
}
/** The cost of a typed word by how it matches a known word; `Infinity` if it does not match. */
const cost = { same: 0, begins: 1, otherName: 1, around: 2, inside: 4, misspelt: 8, beginsMisspelt: 16 }

interface Entry {
  place: Place
  /** Its names without spaces, the current name first. */
  names: string[]
  /** The words of its names; those of its kind, town and county. Both as numbers in the vocabulary. */
  own: number[]
  around: number[]
}

interface Found {
  entry: Entry
  score: number
}

/** The cost of each typed word against each word of the vocabulary. */
type Costs = number[][]

/** Every matching place, best first. Entries are sorted by importance, which decides between equal scores. */
function ranked(score: (entry: Entry) => number): Found[] {
  return gazetteerIndex()
    .entries.map((entry) => ({ entry, score: score(entry) }))
    .filter((found) => found.score < Infinity)
    .sort((a, b) => a.score - b.score)
}

function scoreOf(entry: Entry, name: string, costs: Costs): number {
  if (entry.names.includes(name)) return level.name
  const each = costsTo(entry, costs)
  const sum = each.reduce((total, one) => total + one, 0)
  const beginning = entry.names.findIndex((known) => known.startsWith(name))
  if (beginning >= 0) return level.beginning + sum + (beginning > 0 ? cost.otherName : 0)
  const worst = Math.max(...each)
  if (worst <= cost.begins) return level.words + sum
  if (worst <= cost.begins + cost.around) return level.around + sum
  return (worst < cost.misspelt ? level.inside : level.misspelt) + sum
}

function misspelt(name: string, words: string[]): Found[] {
  const costs = costsOf(words, costOfMisspelt)
  return ranked((entry) =>
    name.length > 3 && entry.names.some((known) => lettersMeant(name, known) === known.length)
      ? level.misspeltName
      : scoreOf(entry, name, costs),
  )
}

/** In kilometres. */
const nearEnough = 20

/** Matches a query in which one word is the name of another place nearby: "java westlands". */
function nearby(costs: Costs): Found[] {
  const { entries } = gazetteerIndex()
  const strangers = entries.map((entry) => {
    const strange = costsTo(entry, costs).map((one) => one > cost.begins + cost.around)
    return {
      entry,
      stranger: strange.indexOf(true),
      only: strange.indexOf(true) === strange.lastIndexOf(true),
    }
  })
  return costs
    .map((costOfKnown, word) => {
      const landmarks = entries.filter(({ own }) => least(costOfKnown, own) <= cost.begins)
      return strangers
        .filter(({ stranger, only }) => costs.length > 1 && only && stranger === word)
        .map(({ entry }) => ({ entry, score: Math.min(...landmarks.map((mark) => kilometres(entry, mark))) }))
        .filter(({ score }) => score < nearEnough)
        .sort((a, b) => a.score - b.score)
    })
    .toReversed()
    .flat()
}

/** Kenya lies on the equator, where a degree of longitude is as long as one of latitude. */
function kilometres({ place: a }: Entry, { place: b }: Entry): number {
  return Math.hypot(a.lat - b.lat, a.lng - b.lng) * 111
}

function costsOf(words: string[], costOfWord: (word: string, known: string) => number): Costs {
  const { vocabulary } = gazetteerIndex()
  return words.map((word) => vocabulary.map((known) => costOfWord(word, known)))
}

function costsTo({ own, around }: Entry, costs: Costs): number[] {
  return costs.map((costOfKnown) =>
    Math.min(least(costOfKnown, own), cost.around + least(costOfKnown, around)),
  )
}

function least(costOfKnown: number[], words: number[]): number {
  let lowest = Infinity
  for (const word of words) lowest = Math.min(lowest, costOfKnown[word] ?? Infinity)
  return lowest
}

function costOf(word: string, known: string): number {
  const at = known.indexOf(word)
  if (at < 0) return Infinity
  return at > 0 ? cost.inside : word === known ? cost.same : cost.begins
}

/** Words of fewer than four letters are similar to too many others. */
function costOfMisspelt(word: string, known: string): number {
  const typed = costOf(word, known)
  if (typed < Infinity || word.length < 4) return typed
  const letters = lettersMeant(word, known)
  if (letters === known.length) return cost.misspelt
  return letters > 0 && word.length > 4 ? cost.beginsMisspelt : Infinity
}

/**
 * How many letters of `known` the typed word covers, allowing one wrong, missing, extra or swapped letter; 0 for no
 * match.
 */
function lettersMeant(typed: string, known: string): number {
  if (typed.length > known.length + 1) return 0
  let at = 0
  while (at < typed.length && typed[at] === known[at]) at++
  const next = typed[at + 1]
  // Return early for the many words that cannot match.
  if (next !== undefined && next !== known[at] && next !== known[at + 1] && typed[at] !== known[at + 1])
    return 0
  const rest = typed.slice(at + 1)
  const readings = [
    { from: at + 1, letters: rest },
    { from: at, letters: rest },
    { from: at + 1, letters: typed.slice(at) },
    { from: at, letters: rest.slice(0, 1) + typed.slice(at, at + 1) + rest.slice(1) },
  ]
  const meant = readings.filter(({ from, letters }) => known.startsWith(letters, from))
  return Math.max(0, ...meant.map(({ from, letters }) => Math.min(from + letters.length, known.length)))
}

/** Without case, accents and punctuation; abbreviations are expanded. */
function plain(text: string): string {
  const words = fold(text)
    .replace(/['’]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
  return words
    .map((word) => shortForms.get(word) ?? word)
    .join(' ')
    .trim()
}

const shortForms = new Map([
  ['mt', 'mount'],
  ['intl', 'international'],
])

let index: ReturnType<typeof buildIndex> | undefined
/** Built by the first search. */
const gazetteerIndex = () => (index ??= buildIndex())

type Row = (typeof gazetteer.places)[number]

function buildIndex() {
  const credits = new Map(gazetteer.attribution.map(({ source, url, text }) => [source, url ? text : '']))
  const rowsOfTown = new Map<string, number>()
  for (const { town } of gazetteer.places) rowsOfTown.set(town, (rowsOfTown.get(town) ?? 0) + 1)
  const size = (row: Row) => rowsOfTown.get(row.town) ?? 0
  const byImportance = gazetteer.places.toSorted(
    (a, b) =>
      importance(b) - importance(a) ||
      size(b) - size(a) ||
      a.name.length - b.name.length ||
      (a.name < b.name ? -1 : 1),
  )
  const numbers = new Map<string, number>()
  const numbersOf = (texts: string[]) =>
    [...new Set(texts.join(' ').split(' '))].map((word) => {
      const number = numbers.get(word) ?? numbers.size
      numbers.set(word, number)
      return number
    })
  const entries = byImportance.map(({ name, aliases = [], kind, town, county, lat, lng, source }): Entry => {
    const names = [name, ...aliases].map(plain)
    const detail = town === county ? town : `${town}, ${county}`
    return {
      place: { placeName: name, detail, lat, lng, credit: credits.get(source) ?? '' },
      names: names.map((one) => one.replaceAll(' ', '')),
      own: numbersOf(names),
      around: numbersOf([kind, town, county].map(plain)),
    }
  })
  return { entries, vocabulary: [...numbers.keys()] }
}

const majorKinds = new Set([
  ...['airport', 'hospital', 'mall', 'museum', 'national_park', 'national_reserve', 'park'],
])
const minorKinds = new Set([
  ...[
    'airstrip',
    'bus_stage',
    'campground',
    'clinic',
    'forest',
    'gate',
    'office',
    'restaurant',
    'supermarket',
  ],
])

/** A place with several names, or with "national" in its name, is searched for more often than others of its kind. */
function importance({ name, kind, aliases }: Row): number {
  const ofKind = majorKinds.has(kind) ? 3 : minorKinds.has(kind) ? 0 : 1
  return ofKind + (aliases ? 1 : 0) + (/\b(inter)?national\b/i.test(name) ? 1 : 0)
}
