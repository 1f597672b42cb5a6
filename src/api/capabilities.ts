import { getDefaultStore } from 'jotai'
import { replaceEqualDeep } from '@tanstack/react-query'
import { read, statusOf } from './client.ts'
import { capabilitiesAskedAtom, capabilitiesAtom } from './config.ts'
import type { Capabilities } from './contract.ts'
import type { Row } from './loose.ts'
import { isRow } from './loose.ts'
import { queryClient } from './query-client.ts'

/**
 * Asks what the server offers beyond section 7, unless that is under way or its answer fresh. A 404 counts as none; after other
 * failures the earlier values stay. Never rejects.
 */
export async function loadCapabilities(signal?: AbortSignal): Promise<void> {
  const json = await queryClient.query(capabilitiesLoad).catch(() => null)
  if (signal?.aborted) return
  if (json) takeCapabilities(json)
  getDefaultStore().set(capabilitiesAskedAtom, true)
}

export const capabilitiesLoad = {
  queryKey: ['capabilities'],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<Row<Capabilities>> =>
    read<Capabilities>('capabilities/', signal).catch((error: unknown) => {
      if (statusOf(error) === 404) return {}
      throw error
    }),
}

/** From now on the server offers this. */
export function takeCapabilities(json: Row<Capabilities>): void {
  const store = getDefaultStore()
  const known = store.get(capabilitiesAtom)
  // Mostly the same as before, and then nothing is rendered again.
  const now = replaceEqualDeep(known, capabilitiesOf(json))
  if (now === known) return
  store.set(capabilitiesAtom, now)
  // Lists were asked for without the filter and order that their address has.
  if (store.get(capabilitiesAskedAtom))
    void queryClient.invalidateQueries({ predicate: ({ queryKey: [, part] }) => part === 'list' })
}

function capabilitiesOf(json: Row<Capabilities>): Capabilities {
  return {
    count: json.count === true,
    page_size: json.page_size === true,
    idempotency: json.idempotency === true,
    logout: json.logout === true,
    search: json.search === true,
    acknowledge: json.acknowledge === true,
    views: json.views === true,
    trends: json.trends === true,
    counts: json.counts === true,
    sessions: json.sessions === true,
    ordering: namesByNoun(json.ordering),
    filters: namesByNoun(json.filters),
  }
}

/** For each noun, the strings in its array. Omits values that are not arrays. */
function namesByNoun(value: unknown): Record<string, string[]> {
  const lists: [string, unknown][] = Object.entries(isRow<object>(value) ? value : {})
  return Object.fromEntries(
    lists.flatMap(([noun, names]) =>
      Array.isArray(names) ? [[noun, names.filter((name) => typeof name === 'string')]] : [],
    ),
  )
}
