import type { SearchAnswer } from '../../src/api/contract.ts'

/** How well a record matches, best first. */
export const ranks = [
  ...(['id', 'plate', 'plateOfVehicle', 'code', 'phone', 'name'] as const),
  ...(['words', 'initials', 'people', 'part', 'typo'] as const),
]
export type Rank = (typeof ranks)[number]

type Match = SearchAnswer['results'][number]['match']

export function matchOf(rank: Rank): Match {
  if (rank === 'words' || rank === 'part' || rank === 'typo') return rank
  return rank === 'initials' || rank === 'people' ? 'words' : 'exact'
}
