import { QueryClient } from '@tanstack/react-query'

/** Server state. Repeats are the HTTP client's business; what is on screen is re-read when the tab is looked at. */
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
