import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { read } from '../../api/client.ts'
import { capabilitiesAtom } from '../../api/config.ts'
import { isRow } from '../../api/loose.ts'
import type { Noun } from '../../commands/noun.ts'
import { numberOf } from '../../format.ts'

/** In milliseconds. */
const countsAge = 60_000

/** How many records a term of a list's filter keeps, where the server counts them; else null. Asked for once a minute. */
export function useTermCounts({
  calls: { collection },
}: Pick<Noun, 'calls'>): (term: string) => number | null {
  const { data } = useQuery({
    queryKey: ['termCounts'],
    queryFn: ({ signal }) => read<object>('counts/', signal),
    enabled: useAtomValue(capabilitiesAtom).counts,
    staleTime: countsAge,
    refetchInterval: countsAge,
    refetchOnWindowFocus: true,
  })
  const ofList = fieldOf(data, collection)
  return (term) => numberOf(fieldOf(ofList, term))
}

const fieldOf = (value: unknown, name: string): unknown =>
  isRow<object>(value) ? new Map<string, unknown>(Object.entries(value)).get(name) : undefined
