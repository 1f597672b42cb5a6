import { getDefaultStore } from 'jotai'
import { replaceEqualDeep } from '@tanstack/react-query'
import { HTTPError } from 'ky'
import { post, read } from './client.ts'
import { capabilitiesAskedAtom, capabilitiesAtom } from './config.ts'
import type { Capabilities } from './contract.ts'
import type { Row } from './loose.ts'
import { isRow } from './loose.ts'
import { queryClient } from './query-client.ts'

/** S7.16: resolves to the token. Throws on any failure. */
export async function logIn(email: string, password: string): Promise<string> {
  const answer = await post('login/', { email, password })
  if (isRow<{ token: string }>(answer) && typeof answer.token === 'string' && answer.token)
    return answer.token
  throw new TypeError('The answer holds no token.')
}

/** Ends the session on the server. Never rejects: a missing call or a lost connection does not prevent a logout. */
export async function logOut(): Promise<void> {
  if (getDefaultStore().get(capabilitiesAtom).logout) await post('logout/').catch(() => null)
}

/**
 * Asks what the server offers beyond section 7, unless that is under way or its answer fresh. A 404 counts as none; after other
 * failures the earlier values stay. Never rejects.
 */
export async function loadCapabilities(signal?: AbortSignal): Promise<void> {
  const json = await queryClient
    .query({ queryKey: ['capabilities'], queryFn: readCapabilities })
    .catch(() => null)
  if (signal?.aborted) return
  // Mostly the same as before, and then nothing is rendered again.
  if (json) getDefaultStore().set(capabilitiesAtom, (known) => replaceEqualDeep(known, capabilitiesOf(json)))
  getDefaultStore().set(capabilitiesAskedAtom, true)
}

const readCapabilities = ({ signal }: { signal: AbortSignal }): Promise<Row<Capabilities>> =>
  read<Capabilities>('capabilities/', signal).catch((error: unknown) => {
    if (error instanceof HTTPError && error.response.status === 404) return {}
    throw error
  })

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
