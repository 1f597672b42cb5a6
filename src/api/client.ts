import { getDefaultStore } from 'jotai'
import type { KyInstance } from 'ky'
import ky from 'ky'
import type { ListState } from '../state/list.ts'
import { endSession, sessionAtom } from '../state/session.ts'
import { capabilitiesAtom, configAtom } from './config.ts'
import type { Page, Row } from './loose.ts'
import { isRow, readPage } from './loose.ts'

const store = getDefaultStore()

/**
 * The one HTTP client: base address, token, and what a 401 means. GET is repeated once after a network failure or a
 * passing status; a mutation only where the server is known to honour its Idempotency-Key (R8).
 */
const http: KyInstance = ky.create({
  timeout: 30_000,
  retry: { limit: 1, methods: ['get'] },
  hooks: {
    beforeRequest: [
      ({ request }) => {
        const token = authorization()
        if (token) request.headers.set('authorization', token)
      },
    ],
    afterResponse: [
      ({ request, response }) => {
        const session = store.get(sessionAtom)
        // A late 401 of an earlier session says nothing about this one.
        if (
          response.status === 401 &&
          session &&
          request.headers.get('authorization')?.endsWith(` ${session.token}`)
        )
          endSession()
      },
    ],
  },
})

function authorization(): string | undefined {
  const session = store.get(sessionAtom)
  return session ? `${store.get(configAtom).authScheme} ${session.token}` : undefined
}

const call = (path: string) => `${store.get(configAtom).apiHost}/api/v1/oms/${path}`

/** A list call: `page`, `s` and `phone` always go out (S7.3); sizes and order only to a server that knows them. */
export function list<T extends object>(noun: string, path: string) {
  return async (state: ListState, signal: AbortSignal): Promise<Page<T>> => {
    const { page_size, ordering } = store.get(capabilitiesAtom)
    const searchParams = {
      page: state.page,
      s: state.s,
      phone: state.phone,
      ...(page_size && { page_size: state.size }),
      ...(state.ordering &&
        ordering[noun]?.includes(state.ordering.replace(/^-/, '')) && { ordering: state.ordering }),
    }
    return readPage<T>(await http.get(call(path), { searchParams, signal }).json(), state.page)
  }
}

/** A list that belongs to one record, five rows a page (S9.4). */
export function listOf<T extends object>(path: (id: string) => string) {
  return async (id: string, page: number, signal: AbortSignal): Promise<Page<T>> => {
    const searchParams = { page_size: 5, page }
    return readPage<T>(
      await http.get(call(path(encodeURIComponent(id))), { searchParams, signal }).json(),
      page,
    )
  }
}

/** One record. */
export async function read<T extends object>(path: string, signal: AbortSignal): Promise<Row<T>> {
  const json = await http.get(call(path), { signal }).json()
  if (!isRow<T>(json)) throw new TypeError('The answer is no record.')
  return json
}

/** A mutation; resolves to the server's message, blank if it sent none. `key` is the intent's Idempotency-Key. */
export async function mutate(path: string, key: string, json?: unknown): Promise<string> {
  const response = await http.post(call(path), {
    headers: { 'idempotency-key': key },
    ...(json !== undefined && { json }),
    retry: { limit: store.get(capabilitiesAtom).idempotency ? 2 : 0, methods: ['post'] },
  })
  const answer: unknown = await response.json().catch(() => null)
  return isRow<{ message: string }>(answer) && typeof answer.message === 'string' ? answer.message : ''
}

/**
 * A call outside the mutation path: login and logout. Resolves to the answer's JSON, or null. The token is that of the
 * moment: a logout needs the one that is given up meanwhile.
 */
export async function post(path: string, json?: unknown): Promise<unknown> {
  const response = await http.post(call(path), {
    headers: { authorization: authorization() },
    retry: 0,
    ...(json !== undefined && { json }),
  })
  return response.json().catch(() => null)
}
