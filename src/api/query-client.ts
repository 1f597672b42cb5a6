import type { Query } from '@tanstack/react-query'
import { QueryClient } from '@tanstack/react-query'

/** The cache of server data. The HTTP client does the retries. What is on screen is reloaded when the tab is shown. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      // Data of a later time were loaded before the clock was set back. They count as stale, not as fresh until that time.
      staleTime: ({ state }) => (state.dataUpdatedAt > Date.now() ? -Infinity : 5_000),
      refetchOnWindowFocus: 'always',
      // A browser that reports itself offline can still reach a server on this machine; if not, the load fails (R1).
      networkMode: 'always',
      refetchOnReconnect: true,
    },
  },
})

/** Retries failed queries on window focus. The library does so only when the window becomes visible again. */
export function retryOnFocus(): void {
  window.addEventListener('focus', () => {
    const failed = { type: 'active', predicate: ({ state }: Query) => state.status === 'error' } as const
    void queryClient.refetchQueries(failed, { cancelRefetch: false })
  })
}
