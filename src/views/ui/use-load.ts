import type { Query, UseQueryOptions } from '@tanstack/react-query'
import { useQuery } from '@tanstack/react-query'
import { HTTPError } from 'ky'
import { useState } from 'react'

/** Milliseconds before a failed load is asked for again by itself, the first time and at most. */
const firstDelay = 2_000
const longestDelay = 60_000
/** So that many consoles do not all come back in the same moment. */
const spread = 0.8 + Math.random() * 0.4

/**
 * What a screen shows. A failed load is repeated by itself, ever more rarely, until an answer comes: not every browser
 * says when the network is back (R1). `isFailed` is true from the failure until
 * then, unless a person asks for it again with `retry` and waits for that.
 */
export function useLoad<T>(options: UseQueryOptions<T>) {
  const load = useQuery({ ...options, refetchInterval: delayOf })
  const { refetch, isError, errorUpdateCount, dataUpdatedAt } = load
  // Failures that came before a person asked for it again.
  const [earlier, setEarlier] = useState(0)
  return {
    ...load,
    // Without data, each repeat is a first load to the library; to a person only one that they asked for is.
    isFailed: isError || (dataUpdatedAt === 0 && errorUpdateCount > earlier),
    retry: () => {
      setEarlier(errorUpdateCount)
      void refetch({ cancelRefetch: false })
    },
  }
}

/** Of each query, how many failures its last success came after. */
const failuresBefore = new WeakMap<object, number>()

function delayOf<T>(query: Query<T, Error, T>): number | false {
  const { status, errorUpdateCount, error } = query.state
  if (status === 'success') failuresBefore.set(query, errorUpdateCount)
  if (status !== 'error' || !mayPass(error)) return false
  const repeats = errorUpdateCount - (failuresBefore.get(query) ?? 0) - 1
  return Math.min(firstDelay * 2 ** repeats, longestDelay) * spread
}

/** The same question gets another answer from a server that could not be reached or failed, not from one that refused. */
function mayPass(error: Error | null): boolean {
  if (!(error instanceof HTTPError)) return true
  const { status } = error.response
  return status >= 500 || status === 408 || status === 429
}
