import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { listDrivers } from '../api/drivers.ts'
import { parseListState } from '../state/list.ts'
import type { Records } from './command.ts'

/** In milliseconds: long enough to skip the middle of a word, short enough not to be noticed. */
const debounce = 150
const shown = 12

interface DriverSearch {
  /** Drivers found for exactly the query that was asked for; empty while they are on their way. */
  drivers: readonly Records['driver'][]
  state: 'idle' | 'searching' | 'failed' | 'done'
  retry: () => void
}

/** Drivers by name or phone through the ordinary list call (S7.3). An answer never shows under another query. */
export function useDriverSearch(query: string): DriverSearch {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(query), debounce)
    return () => clearTimeout(timer)
  }, [query])
  const wanted = query.length >= 2
  const asked = wanted && settled === query
  const answer = useQuery({
    queryKey: ['palette', 'drivers', query],
    queryFn: ({ signal }) => listDrivers({ ...parseListState(''), ...searchFor(query), size: 25 }, signal),
    enabled: asked,
    staleTime: 0,
    gcTime: 0,
  })
  if (!wanted) return { drivers: [], state: 'idle', retry: noRetry }
  if (!asked || (answer.isFetching && !answer.data))
    return { drivers: [], state: 'searching', retry: noRetry }
  if (!answer.data) return { drivers: [], state: 'failed', retry: () => void answer.refetch() }
  return { drivers: answer.data.results.slice(0, shown), state: 'done', retry: noRetry }
}

const noRetry = () => undefined

/** Digits, spaces and a plus are a phone number; 07… and 01… are the local form of +254…. */
export function searchFor(query: string): { s: string; phone: string } {
  if (!/^\+?[\d\s()-]+$/.test(query)) return { s: query, phone: '' }
  const digits = query.replace(/\D/g, '')
  const local = /^0\d/.test(digits) && !query.startsWith('+')
  return { s: '', phone: local ? `254${digits.slice(1)}` : digits }
}
