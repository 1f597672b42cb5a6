import { atom } from 'jotai'
import type { ListQuery } from '../api/contract.ts'
import { locationAtom } from './location.ts'

export const pageSizes = [25, 50, 100, 250, 1000] as const

const defaultSize = 50

/** The defaults: the first page of a list, without search and sorting. */
export const firstPage: ListQuery = {
  page: 1,
  size: defaultSize,
  s: '',
  phone: '',
  name: '',
  ordering: '',
  filter: '',
}

/** Whether a query asks only for what the specification has. What goes beyond waits for the server's capabilities. */
export const isPlain = ({ size, ordering, filter }: ListQuery): boolean =>
  size === defaultSize && !ordering && !filter

/** An invalid value reads as the default. */
export function parseListQuery(search: string): ListQuery {
  const parameters = new URLSearchParams(search)
  const size = Number(parameters.get('size'))
  return {
    page: parsePage(parameters.get('page')),
    size: pageSizes.find((known) => known === size) ?? firstPage.size,
    s: parameters.get('s') ?? '',
    phone: parameters.get('phone') ?? '',
    name: parameters.get('name') ?? '',
    ordering: parameters.get('ordering') ?? '',
    filter: parameters.get('filter') ?? '',
  }
}

export function parsePage(value: string | null): number {
  return value !== null && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : 1
}

/** One term of `filter`: `overdue`, `driver:` with an id, or `from:` with a day, `2026-03-04`. */
export interface FilterTerm {
  name: string
  /** The id or the day; blank unless the name ends with a colon. */
  id: string
}

/** The terms of a filter, each once; what is none, such as `driver:` without an id or `to:2026-11-31`, is left out. */
export function parseFilter(filter: string): FilterTerm[] {
  const texts = new Set(filter.split(',').map((term) => term.trim()))
  return [...texts].flatMap((term) => {
    const [, name = '', id = ''] = /^([a-z][a-z_-]*:?)([\d-]*)$/.exec(term) ?? []
    return name && fits(name, id) ? [{ name, id }] : []
  })
}

function fits(name: string, id: string): boolean {
  if (!name.endsWith(':')) return !id
  return name === 'from:' || name === 'to:' ? isDay(id) : /^[1-9]\d{0,15}$/.test(id)
}

/** 1 January 1970 and everything before it counts as none. The Date constructor reads 31 November as 1 December. */
const isDay = (id: string) =>
  /^\d{4}-\d\d-\d\d$/.test(id) && id > '1970-01-01' && new Date(id).getUTCDate() === Number(id.slice(8))

export const formatFilter = (terms: readonly FilterTerm[]): string =>
  terms.map(({ name, id }) => name + id).join(',')

/** The query string with these values in it; defaults are not written, other parameters stay. */
export function withParameters(search: string, change: Partial<Record<string, string | number>>): string {
  const parameters = new URLSearchParams(search)
  for (const [name, value] of Object.entries(change)) {
    const isDefault =
      value === '' || value === undefined || value === new Map(Object.entries(firstPage)).get(name)
    if (isDefault || (name === 'pageT' && value === 1)) parameters.delete(name)
    else parameters.set(name, String(value))
  }
  // Both are allowed in a query string, and filters are read by people: `overdue,driver:12`.
  return parameters.toString().replaceAll('%3A', ':').replaceAll('%2C', ',')
}

/**
 * The list query in the URL (S2.u.1); `size` and `ordering` are additions of ours. Writing pushes a history entry; with
 * `replace` it replaces the current one.
 */
export const listQueryAtom = atom(
  (get) => parseListQuery(get(locationAtom).search),
  (get, set, change: Partial<ListQuery>, { replace = false }: { replace?: boolean } = {}) => {
    const { path, search } = get(locationAtom)
    const next = withParameters(search, change)
    // Back would have to be pressed twice.
    if (next !== search) set(locationAtom, { to: hrefOf(path, next), replace })
  },
)

/**
 * The name under which the settings keep the hidden columns of the list on screen: its path, or that of the saved view that
 * the address names, whose columns are not those of the list.
 */
export const columnsKeyAtom = atom((get) => {
  const { path, search } = get(locationAtom)
  return columnsKey(path, new URLSearchParams(search).get('view'))
})

export const columnsKey = (path: string, view: string | null) => (view ? `${path}?view=${view}` : path)

export const hrefOf = (path: string, search: string) => (search ? `${path}?${search}` : path)
