import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

export interface Search<T> {
  /** Found for exactly the query that was asked for; empty while they are on their way. */
  results: readonly T[]
  state: 'idle' | 'searching' | 'failed' | 'done'
  retry: () => void
}

interface SearchFor<T> {
  /** Of the query key: a noun, or another name for what is searched. */
  scope: string
  /** In milliseconds. */
  debounce: number
  /** Shorter queries find nothing. */
  least: number
  search: (query: string, signal: AbortSignal) => Promise<readonly T[]>
}

/** Asks while a person types. An answer never shows under another query; a failure is never "nothing found". */
export function useSearch<T>(query: string, { scope, debounce, least, search }: SearchFor<T>): Search<T> {
  // What was there from the start is asked for at once.
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
    // What is painted stays until the person types: an answer that is read again would move rows.
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
