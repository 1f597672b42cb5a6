import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { isRow } from '../../api/loose.ts'
import { text } from '../../format.ts'
import type { Ref } from '../../state/ref.ts'

/** The record as last loaded by any screen; the one that the form was opened with if no cached answer has it. */
export function useLatestRecord({ noun, id }: Ref, opened: object | null): object | null {
  const cache = useQueryClient().getQueryCache()
  return useSyncExternalStore(
    useCallback((notice) => cache.subscribe(notice), [cache]),
    () => {
      if (!opened) return null
      const newestFirst = cache
        .findAll({ queryKey: [noun] })
        .sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
      for (const { state } of newestFirst) {
        const found = recordsIn(state.data).find((record) => text(record.id) === id)
        if (found) return found
      }
      return opened
    },
  )
}

/** The records of a cached answer: the page of a list, or a single record. */
function recordsIn(data: unknown): { readonly id?: unknown }[] {
  if (!isRow<{ id: unknown; results: unknown }>(data)) return []
  return Array.isArray(data.results) ? data.results.filter((row) => isRow<{ id: unknown }>(row)) : [data]
}
