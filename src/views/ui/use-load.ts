import type { Query, UseQueryOptions } from '@tanstack/react-query'
import { hashKey, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { statusOf } from '../../api/client.ts'

/** Delays in milliseconds before a failed load is repeated automatically: the first one and the longest one. */
const firstDelay = 2_000
const longestDelay = 60_000
/** A random factor for each console, so that many consoles do not repeat their loads at the same moment. */
const spread = 0.8 + Math.random() * 0.4

/**
 * Loads the data of a screen. A failed load is repeated automatically, with growing delays, until it succeeds: not
 * every browser reports that the network is back (R1). `isFailed` stays true until then. Only without data it is
 * false while a load that a person started with `retry` is running.
 */
export function useLoad<T>(options: UseQueryOptions<T>) {
  // A component is rendered again only when something changes that is read of this: not by a load that brings the same data.
  const load = useQuery({ ...options, refetchInterval: delayOf })
  const { data, refetch, isError, isPlaceholderData, errorUpdateCount } = load
  // The error count when the person last called `retry`, or when these data were first asked for here: a prefetch may have failed.
  const key = hashKey(options.queryKey)
  const [earlier, setEarlier] = useState({ key, count: errorUpdateCount })
  if (earlier.key !== key) setEarlier({ key, count: errorUpdateCount })
  const hasData = data !== undefined && !isPlaceholderData
  // Without data, React Query clears the error when it repeats the load. Loading is shown only after `retry`.
  const isFailed = isError || (!hasData && errorUpdateCount > earlier.count)
  return {
    data,
    isPlaceholderData,
    get dataUpdatedAt() {
      return load.dataUpdatedAt
    },
    isFailed,
    /** After a failure: whether the load is being repeated. */
    isRepeating: isFailed && load.isFetching,
    retry: () => {
      setEarlier({ key, count: errorUpdateCount })
      void refetch({ cancelRefetch: false })
    },
  }
}

/** The error count of each query at its last success. */
const failuresBefore = new WeakMap<object, number>()

function delayOf<T>(query: Query<T, Error, T>): number | false {
  const { status, errorUpdateCount, error } = query.state
  if (status === 'success') failuresBefore.set(query, errorUpdateCount)
  if (status !== 'error' || !mayPass(error)) return false
  const repeats = errorUpdateCount - (failuresBefore.get(query) ?? 0) - 1
  return Math.min(firstDelay * 2 ** repeats, longestDelay) * spread
}

/** A repeat can help after a network failure, an unreadable answer, a 408, a 429 or a 5xx, not after another status. */
function mayPass(error: Error | null): boolean {
  const status = statusOf(error)
  return status >= 500 || [0, 408, 429].includes(status)
}
