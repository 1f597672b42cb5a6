import type { UseQueryResult } from '@tanstack/react-query'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { Asked } from '../../commands/find/asking.ts'
import type { Answer, Found } from '../../commands/find/search.ts'
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
  const { loaded, isFailed, isFetching, retry } = useQueries({
    queries: asked.map(({ request }) => ({
      queryKey: ['palette', 'search', requestKey(request)],
      queryFn: ({ signal }: { signal: AbortSignal }) => findRecords(request, signal),
      enabled: isSettled,
      staleTime: 0,
      gcTime: 0,
      // No refetch until the person types: new results would move the rows on screen.
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    })),
    // A new function at each render: the library does not call the same one again when only `enabled` has changed.
    combine: (results) => combined(results),
  })
  // The library gives the same array again until an answer changes.
  const answers = useMemo(
    () => (isSettled ? new Map(loaded.map(({ key: of, found }) => [of, found])) : none),
    [isSettled, loaded],
  )
  const isSearching = !isSettled || isFetching
  return {
    answers,
    state: asked.length === 0 ? 'idle' : isSearching ? 'searching' : isFailed ? 'failed' : 'done',
    retry,
  }
}

const none: FoundRecords['answers'] = new Map()

function combined(results: readonly UseQueryResult<Answer>[]) {
  const open = results.filter(({ data }) => !data || data.isPartial)
  return {
    loaded: results.flatMap(({ data }) => data ?? []),
    isFailed: open.some(({ isFetching }) => !isFetching),
    isFetching: open.some(({ isFetching }) => isFetching),
    retry: () => {
      for (const { refetch } of open) void refetch()
    },
  }
}
