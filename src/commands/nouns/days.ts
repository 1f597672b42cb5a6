import type { Filter } from '../noun.ts'

/** The days of lists that have a date; "leo", "jana" and "kesho" are Swahili. */
export const dayFilters: readonly Filter[] = [
  { term: 'today', label: 'Today', words: ['todays', 'leo'], isAfter: true },
  { term: 'yesterday', label: 'Yesterday', words: ['yesterdays', 'jana'], isAfter: true },
  { term: 'this-week', label: 'This week', words: ['wiki hii'], isAfter: true },
  { term: 'this-month', label: 'This month', words: ['mwezi huu'], isAfter: true },
]

export const tomorrow: Filter = {
  term: 'tomorrow',
  label: 'Tomorrow',
  words: ['tomorrows', 'kesho'],
  isAfter: true,
}
