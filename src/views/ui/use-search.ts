import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

export interface Search<T> {
  /** The results for exactly the present query; empty until they are received. */
  results: readonly T[]
  state: 'idle' | 'searching' | 'failed' | 'done'
  retry: () => void
}

interface SearchFor<T> {
  /** First part of the query key: a noun, or another name for what is searched. */
  scope: string
  /** In milliseconds. */
  debounce: number
  /** Fewest characters; shorter queries are not sent. */
  least: number
  search: (query: string, signal: AbortSignal) => Promise<readonly T[]>
}

/** Searches while a person types. Results never show for another query; a failure never counts as "nothing found". */
export function useSearch<T>(query: string, { scope, debounce, least, search }: SearchFor<T>): Search<T> {
  // The initial query is sent without delay.
  const [settled, setSettled] = useState(query)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(query), debounce)
    return () => clearTimeout(timer)
  }, [query, debounce])
  const isWanted = query.length >= least
  const isAsked = isWanted && settled === query
  const answer = useQuery({
    queryKey: [scope, 'search', query],
    queryFn: ({ signal }) => search(query, signal),
    enabled: isAsked,
    staleTime: 0,
    gcTime: 0,
    // No refetch until the person types: new results would move the rows on screen.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  if (!isWanted) return { results: [], state: 'idle', retry: noRetry }
  if (!isAsked || (answer.isFetching && !answer.data))
    return { results: [], state: 'searching', retry: noRetry }
  if (!answer.data) return { results: [], state: 'failed', retry: () => void answer.refetch() }
  return { results: answer.data, state: 'done', retry: noRetry }
}

const noRetry = () => undefined
