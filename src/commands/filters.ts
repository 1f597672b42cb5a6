import { atom, getDefaultStore } from 'jotai'
import { capabilitiesAtom } from '../api/config.ts'
import type { ListQuery } from '../api/contract.ts'
import { day } from '../format.ts'
import { dialogAtom } from '../state/dialog.ts'
import type { FilterTerm } from '../state/list.ts'
import { formatFilter, listQueryAtom, parseFilter } from '../state/list.ts'
import { pathAtom } from '../state/location.ts'
import type { Ref } from '../state/ref.ts'
import type { Command } from './command.ts'
import { capitalized as camelCase, listedAtom } from './list.ts'
import type { Noun } from './noun.ts'
import { allNouns, filtered } from './noun.ts'

/** A filter that applies to the list on screen. */
export interface Chip {
  /** What it filters by: `overdue`, `driver:`, `phone`. */
  kind: string
  /** Identifies it among the others: `driver:12`, `phone`. */
  id: string
  label: string
  /** The record that it names by its id. */
  ref?: Ref
  /** What takes it away. */
  without: Partial<ListQuery>
}

type Filtered = Pick<Noun, 'calls' | 'search' | 'filters' | 'date'>

const store = getDefaultStore()

/** Whether the menu of filters is open. */
export const filterMenuAtom = atom(false)
// The list can leave the screen with its menu open, and the menu of the next list is another one.
store.sub(pathAtom, () => store.set(filterMenuAtom, false))

/** The terms without an id that the server offers for a list. */
export const filtersOf = ({ calls: { collection } }: Filtered, offered: Record<string, string[]>): string[] =>
  offered[collection]?.filter((name) => !name.endsWith(':')) ?? []

/** The noun's label for a term, or else the words of its name: "Not started" for `not-started`; "Trip date: today" for days. */
export function labelOf({ filters = [], date }: Filtered, name: string): string {
  const found = filters.find(({ term }) => term === name)
  if (found?.isAfter && date) return `${date}: ${found.label.toLowerCase()}`
  return found?.label ?? capitalized(name.replace(/[-_]/g, ' '))
}

/** The terms with a value that a person can choose: days, and the people that the records belong to. */
export const valuesOf = (
  { calls: { collection }, owners = [] }: Pick<Noun, 'calls' | 'owners'>,
  offered: Record<string, string[]>,
): string[] =>
  ['from:', 'to:', ...owners.map((owner) => `${owner}:`)].filter((name) =>
    offered[collection]?.includes(name),
  )

/**
 * What a list is filtered by, in the order of its parameters: text and phone number of the address, unless they are in
 * the search box, and the terms that the server offers. Other terms are not sent, and filter nothing.
 */
export function chipsOf(noun: Filtered, query: ListQuery, offered: Record<string, string[]>): Chip[] {
  const { collection, filters = ['s', 'phone'] } = noun.calls
  const texts = filters.flatMap((name): Chip[] =>
    query[name] && name !== noun.search?.parameter
      ? [
          {
            id: name,
            kind: name,
            label: `${name === 'phone' ? 'Phone' : 'Search'}: ${query[name]}`,
            without: { [name]: '' },
          },
        ]
      : [],
  )
  const terms = parseFilter(query.filter)
  const known = terms.filter(({ name }) => offered[collection]?.includes(name))
  return [
    ...texts,
    ...known.map((term) => ({
      ...labelled(noun, term),
      id: term.name + term.id,
      kind: term.name,
      without: { filter: formatFilter(terms.filter((one) => one !== term)) },
    })),
  ]
}

/** `driver:12` as "Driver 12", with the ref of the driver. */
function labelled(listed: Filtered, { name, id }: FilterTerm): Pick<Chip, 'label' | 'ref'> {
  if (!name.endsWith(':')) return { label: labelOf(listed, name) }
  const word = name.slice(0, -1)
  if (word === 'id') return { label: `ID ${id}` }
  if (word === 'from' || word === 'to') return { label: `${listed.date ?? 'Date'} ${word} ${day(id)}` }
  const noun = allNouns().find((one) => one.name === word)
  if (!noun) return { label: `${capitalized(word)} ${id}` }
  return { label: `${capitalized(noun.singular)} ${id}`, ref: { noun: word, id } }
}

/** Takes filters away and goes to page 1. */
export function unfilter(chips: readonly Chip[]): void {
  const { filter } = store.get(listQueryAtom)
  const gone = new Set(chips.map(({ id }) => id))
  const terms = parseFilter(filter).filter(({ name, id }) => !gone.has(name + id))
  const texts = chips.filter(({ without }) => without.filter === undefined)
  store.set(listQueryAtom, {
    ...Object.assign({}, ...texts.map(({ without }) => without)),
    filter: formatFilter(terms),
    page: 1,
  })
}

/** Adds a term without id, or takes it away, and goes to page 1. */
export function toggleFilter(name: string): void {
  const terms = parseFilter(store.get(listQueryAtom).filter)
  const others = terms.filter((term) => term.name !== name)
  const next = others.length < terms.length ? others : [...terms, { name, id: '' }]
  store.set(listQueryAtom, { filter: formatFilter(next), page: 1 })
}

/**
 * What a function finds for the list on screen. The titles of many commands depend on it, and the palette asks for all titles at each key, so the
 * store keeps it until something of the list has changed.
 */
function ofListed<Found>(
  find: (noun: Noun, offered: Record<string, string[]>, query: ListQuery) => Found[],
): () => Found[] {
  const found = atom((get) => {
    const listed = get(listedAtom)
    return listed ? find(listed.noun, get(capabilitiesAtom).filters, get(listQueryAtom)) : []
  })
  return () => store.get(found)
}

const offeredHere = ofListed(filtersOf)
const valuesHere = ofListed(valuesOf)
const chipsHere = ofListed((noun, offered, query) => chipsOf(noun, query, offered))

export const openFilters: Command = {
  id: 'list.filter',
  about: 'Filter this list',
  title: () => 'Filter this list',
  keywords: 'only show narrow',
  keys: 'f',
  when: () => offeredHere().length > 0,
  run: () => store.set(filterMenuAtom, true),
}

export const chooseFilters: Command = {
  id: 'list.chooseFilters',
  about: 'Filter this list by dates or people',
  title: () => 'Filter this list by dates or people',
  keywords: 'day range from to between driver customer period',
  keys: 'shift+r',
  when: () => valuesHere().length > 0,
  run: () => store.set(dialogAtom, { kind: 'filters' }),
}

export const clearFilters: Command = {
  id: 'list.clearFilters',
  about: 'Clear filters',
  title: () => 'Clear filters',
  keywords: 'remove all show everything',
  when: () => chipsHere().length > 0,
  run: () => unfilter(chipsHere()),
}

const isNarrowed = ({ s, phone, name, filter }: ListQuery) => [s, phone, name, filter].some(Boolean)

/** Takes search text and filters away and goes to page 1. */
export const showEverything = (): void =>
  store.set(listQueryAtom, { s: '', phone: '', name: '', filter: '', page: 1 })

export const showAll: Command = {
  id: 'list.showAll',
  about: 'Show all records of this list',
  title: () => `Show all ${store.get(listedAtom)?.noun.plural ?? 'records'}`,
  keywords: 'clear reset search filters everything',
  when: () => store.get(listedAtom) !== null && isNarrowed(store.get(listQueryAtom)),
  run: showEverything,
}

/** The id of the command that filters a list by a term, or that takes away a filter of this kind. */
export const filterId = (path: string, kind: string): string =>
  `${path.slice(1)}.filterBy${camelCase(kind.replace(/[:_]/g, ''))}`

type Listing = Pick<Noun, 'path' | 'plural' | 'calls' | 'search' | 'filters' | 'date' | 'owners'>

/** For each term of a list's filter a command that sets or takes it away, and for each other filter one that takes it away. */
export function termCommands(noun: Listing): Command[] {
  const { path, plural, filters = [], owners = [], calls } = noun
  const isHere = (at: string) => at === path
  const has = (kind: string) => chipsHere().some((chip) => chip.kind === kind)
  const texts = (calls.filters ?? ['s', 'phone']).filter((name) => name !== noun.search?.parameter)
  const days = noun.date ? ['from:', 'to:'] : []
  const others = [...texts, 'id:', ...days, ...owners.map((owner) => `${owner}:`)]
  return [
    ...filters.map((filter): Command => {
      const { term, label } = filter
      const about = `Filter ${plural} by ${label}`
      return {
        id: filterId(path, term),
        about,
        title: () => (has(term) ? `Do not filter by ${label}` : `Show only ${filtered(filter, noun)}`),
        isViewOption: true,
        when: (context) => isHere(context.path) && offeredHere().includes(term),
        run: () => toggleFilter(term),
      }
    }),
    ...others.map((kind): Command => {
      const about = `Remove the filter by ${wordFor(kind, noun)}`
      return {
        id: filterId(path, kind),
        about,
        title: () => about,
        keywords: 'clear',
        isViewOption: true,
        when: (context) => isHere(context.path) && has(kind),
        run: () => unfilter(chipsHere().filter((chip) => chip.kind === kind)),
      }
    }),
  ]
}

function wordFor(kind: string, { date = 'date' }: Pick<Noun, 'date'>): string {
  if (kind === 's') return 'search'
  if (kind === 'id:') return 'ID'
  return kind === 'from:' || kind === 'to:'
    ? `${date.toLowerCase()} ${kind.slice(0, -1)}`
    : kind.replace(':', '')
}

/** Offered on lists that the server can filter. */
export const filterCommands: readonly Command[] = [openFilters, chooseFilters, clearFilters, showAll]

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
