import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import type { FormRecord } from '../../state/dialog.ts'

/** The record as the screen behind the form holds it by now; as it was opened where that screen has it no more. */
export function useLatestRecord(path: string, opened: FormRecord | null): FormRecord | null {
  const cache = useQueryClient().getQueryCache()
  return useSyncExternalStore(
    useCallback((notice) => cache.subscribe(notice), [cache]),
    () => {
      if (!opened) return null
      const newestFirst = cache
        .findAll({ queryKey: [path] })
        .sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
      for (const { state } of newestFirst) {
        const found = recordsIn(state.data).find(({ id }) => id === opened.id)
        if (found) return found
      }
      return opened
    },
  )
}

/** A list's page or one record alone. */
function recordsIn(data: unknown): FormRecord[] {
  const isRecord = (value: unknown): value is FormRecord => typeof value === 'object' && value !== null
  if (!isRecord(data)) return []
  return 'results' in data && Array.isArray(data.results) ? data.results.filter(isRecord) : [data]
}
