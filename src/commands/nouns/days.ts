import type { Filter } from '../noun.ts'

/** The days of lists that have a date, in English and Swahili; Leo and Jana alone are names. */
export const dayFilters: readonly Filter[] = [
  { term: 'today', label: 'Today', words: ['todays', 'ya leo', 'za leo'], isAfter: true },
  { term: 'yesterday', label: 'Yesterday', words: ['yesterdays', 'ya jana', 'za jana'], isAfter: true },
  { term: 'this-week', label: 'This week', words: ['wiki hii'], isAfter: true },
  { term: 'this-month', label: 'This month', words: ['mwezi huu'], isAfter: true },
]

export const tomorrow: Filter = {
  term: 'tomorrow',
  label: 'Tomorrow',
  words: ['tomorrows', 'ya kesho', 'za kesho'],
  isAfter: true,
}
