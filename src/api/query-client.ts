import type { Query } from '@tanstack/react-query'
import { QueryClient } from '@tanstack/react-query'

/** Server state. Quick repeats are the HTTP client's business; what is on screen is re-read when the tab is looked at. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 5_000,
      refetchOnWindowFocus: 'always',
      // A browser that thinks itself offline still reaches a server on this machine; if not, the load fails (R1).
      networkMode: 'always',
      refetchOnReconnect: true,
    },
  },
})

/** A window that gets the focus may have been visible all along, which the library does not take for a return. */
export function retryOnFocus(): void {
  window.addEventListener('focus', () => {
    const failed = { type: 'active', predicate: ({ state }: Query) => state.status === 'error' } as const
    void queryClient.refetchQueries(failed, { cancelRefetch: false })
  })
}
