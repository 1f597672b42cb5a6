import { getDefaultStore } from 'jotai'
import { capabilitiesAtom } from '../../api/config.ts'
import { hrefOf, withParameters } from '../../state/list.ts'
import { locationAtom } from '../../state/location.ts'
import type { Command } from '../command.ts'

const store = getDefaultStore()

/** What the address of the dashboard says of its trends: how many days, and whether as a table. */
export function trendsOf(search: string): { days: 1 | 14 | 90; isTable: boolean } {
  const parameters = new URLSearchParams(search)
  const days = parameters.get('days')
  return { days: days === '1' ? 1 : days === '90' ? 90 : 14, isTable: parameters.get('show') === 'table' }
}

const onTrends = (
  id: string,
  about: string,
  change: Record<string, string>,
  when = (shown: ReturnType<typeof trendsOf>) => String(shown.days) !== (change['days'] || '14'),
): Command => ({
  id: `trends.${id}`,
  about,
  title: () => about,
  keywords: 'charts statistics',
  isViewOption: true,
  when: ({ path }) =>
    path === '/' && store.get(capabilitiesAtom).trends && when(trendsOf(store.get(locationAtom).search)),
  run: () => {
    const { path, search } = store.get(locationAtom)
    store.set(locationAtom, { to: hrefOf(path, withParameters(search, change)), replace: true })
  },
})

/** The periods of the trends: the number of days and the command that shows them. */
export const periods = [
  [1, onTrends('today', 'Trends of today', { days: '1' })],
  [14, onTrends('fortnight', 'Trends of 14 days', { days: '' })],
  [90, onTrends('quarter', 'Trends of 90 days', { days: '90' })],
] as const

/** Between charts and the table with the same numbers. */
export const forms = [
  onTrends('table', 'Show trends as a table', { show: 'table' }, ({ isTable }) => !isTable),
  onTrends('charts', 'Show trends as charts', { show: '' }, ({ isTable }) => isTable),
] as const
