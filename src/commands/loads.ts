import { readAnalytics } from '../api/analytics.ts'
import { list, pathTo, read } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import type { ListQuery } from '../api/contract.ts'
import type { Page, Row } from '../api/loose.ts'
import type { Noun } from './noun.ts'

/** One load of React Query: its key (see cache.ts) and its call. */
export interface Load<T> {
  queryKey: readonly unknown[]
  queryFn: (given: { signal: AbortSignal }) => Promise<T>
}

/** One page of the list of a noun, with the query that it answers. */
export const listLoad = <T extends object>(
  { name, calls }: Noun<T>,
  query: ListQuery,
): Load<Page<T> & { asked: ListQuery }> => ({
  queryKey: [name, 'list', query],
  queryFn: async ({ signal }) => ({ ...(await list<T>(calls, query, signal)), asked: query }),
})

/** One record of a noun that has a call for it. */
export const recordLoad = <T extends object>({ name, calls }: Noun<T>, id: string): Load<Row<T>> => ({
  queryKey: [name, 'one', id],
  queryFn: ({ signal }) => read<T>(pathTo(calls.one ?? '', id), signal),
})

/** The figures of the dashboard. */
export const analyticsLoad: Load<Awaited<ReturnType<typeof readAnalytics>>> = {
  queryKey: ['analytics'],
  queryFn: ({ signal }) => readAnalytics(signal),
}

/**
 * Starts a load, unless its data are fresh or under way, so that a screen that is opened next need not wait for it. Resolves
 * when it has ended; never rejects.
 */
export async function prefetch(load: Load<object> | null): Promise<void> {
  if (load) await queryClient.query(load).catch(() => undefined)
}
