import { useCallback, useSyncExternalStore } from 'react'
import { queryClient } from '../../api/query-client.ts'
import { latestRecord } from '../../commands/latest-record.ts'
import type { Ref } from '../../state/ref.ts'

/** The record of a form as it is known now; null if the form creates one. */
export function useLatestRecord(ref: Ref, opened: object | null): object | null {
  return useSyncExternalStore(
    useCallback((notice) => queryClient.getQueryCache().subscribe(notice), []),
    () => opened && latestRecord(ref, opened),
  )
}
