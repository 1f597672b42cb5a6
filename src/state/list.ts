import { atom } from 'jotai'
import { locationAtom } from './location.ts'

/** A list's part of the URL (S2.u.1); ours besides are `size` and `ordering`. */
export interface ListState {
  page: number
  size: number
  s: string
  phone: string
  name: string
  ordering: string
}

export const pageSizes = [25, 50, 100, 250, 1000] as const

export const defaultSize = 50

const defaults: ListState = { page: 1, size: defaultSize, s: '', phone: '', name: '', ordering: '' }

/** An invalid value reads as the default. */
export function parseListState(search: string): ListState {
  const parameters = new URLSearchParams(search)
  const size = Number(parameters.get('size'))
  return {
    page: parsePage(parameters.get('page')),
    size: pageSizes.find((known) => known === size) ?? defaults.size,
    s: parameters.get('s') ?? '',
    phone: parameters.get('phone') ?? '',
    name: parameters.get('name') ?? '',
    ordering: parameters.get('ordering') ?? '',
  }
}

export function parsePage(value: string | null): number {
  return value !== null && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : 1
}

/** The query string with these values in it; defaults are not written, other parameters stay. */
export function withParameters(search: string, change: Partial<Record<string, string | number>>): string {
  const parameters = new URLSearchParams(search)
  for (const [name, value] of Object.entries(change)) {
    const isDefault =
      value === '' || value === undefined || value === new Map(Object.entries(defaults)).get(name)
    if (isDefault || (name === 'pageT' && value === 1)) parameters.delete(name)
    else parameters.set(name, String(value))
  }
  return parameters.toString()
}

/** The list state that the URL holds. Writing pushes history unless it corrects (`replace`). */
export const listStateAtom = atom(
  (get) => parseListState(get(locationAtom).search),
  (get, set, change: Partial<ListState>, { replace = false }: { replace?: boolean } = {}) => {
    const { path, search } = get(locationAtom)
    set(locationAtom, { to: hrefOf(path, withParameters(search, change)), replace })
  },
)

export const hrefOf = (path: string, search: string) => (search ? `${path}?${search}` : path)
