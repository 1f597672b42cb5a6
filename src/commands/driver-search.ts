import { listDrivers } from '../api/drivers.ts'
import { text } from '../format.ts'
import { parseListState } from '../state/list.ts'
import type { Records } from './command.ts'
import type { Search } from './use-search.ts'
import { useSearch } from './use-search.ts'

const shown = 12

/** Drivers by name or phone through the ordinary list call (S7.3). */
export function useDriverSearch(query: string): Search<Records['driver']> {
  return useSearch(query, {
    scope: 'drivers',
    // Long enough to skip the middle of a word, short enough not to be noticed.
    debounce: 150,
    least: 2,
    search: async (query, signal) => {
      const page = await listDrivers({ ...parseListState(''), ...searchFor(query), size: 25 }, signal)
      return page.results.filter(({ id }) => text(id)).slice(0, shown)
    },
  })
}

/** Digits, spaces and a plus are a phone number; 07… and 01… are the local form of +254…. */
export function searchFor(query: string): { s: string; phone: string } {
  if (!/^\+?[\d\s()-]+$/.test(query)) return { s: query, phone: '' }
  const digits = query.replace(/\D/g, '')
  const local = /^0\d/.test(digits) && !query.startsWith('+')
  return { s: '', phone: local ? `254${digits.slice(1)}` : digits }
}
