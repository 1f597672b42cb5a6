import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Asked } from '../../commands/find/rows.ts'
import type { Found } from '../../commands/find/search.ts'
import { findRecords, requestKey } from '../../commands/find/search.ts'

export interface FoundRecords {
  /** By the key of the request; a request without an answer is not in it. */
  answers: ReadonlyMap<string, readonly Found[]>
  state: 'idle' | 'searching' | 'failed' | 'done'
  retry: () => void
}

/** In milliseconds: no request is sent in the middle of a typed word, and the pause is too short to be noticed. */
const debounce = 100

/** Asks the server once a person stops typing. Answers of another query are never given; a failure is not "nothing". */
export function useFound(asked: readonly Asked[]): FoundRecords {
  const key = JSON.stringify(asked.map(({ request }) => requestKey(request)))
  const [settled, setSettled] = useState('[]')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(key), debounce)
    return () => clearTimeout(timer)
  }, [key])
  const isSettled = settled === key
  const queries = useQueries({
    queries: asked.map(({ request }) => ({
      queryKey: ['palette', 'search', requestKey(request)],
      queryFn: ({ signal }: { signal: AbortSignal }) => findRecords(request, signal),
      enabled: isSettled,
      staleTime: 0,
      gcTime: 0,
      // No refetch until the person types: new results would move the rows on screen.
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      refetchOnMount: true,
    })),
    combine: (results) => results,
  })
  const answers = new Map(
    asked.flatMap(({ request }, at) => {
      const data = isSettled ? queries[at]?.data : undefined
      return data ? [[requestKey(request), data] as const] : []
    }),
  )
  const isFailed = queries.some(({ data, isFetching }) => !data && !isFetching)
  const isSearching = !isSettled || queries.some(({ data, isFetching }) => !data && isFetching)
  return {
    answers,
    state: asked.length === 0 ? 'idle' : isSearching ? 'searching' : isFailed ? 'failed' : 'done',
    retry: () => {
      for (const { data, refetch } of queries) if (!data) void refetch()
    },
  }
}
