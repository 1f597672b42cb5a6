import { getDefaultStore } from 'jotai'
import type { KyInstance } from 'ky'
import ky, { HTTPError } from 'ky'
import { formatFilter, parseFilter } from '../state/list.ts'
import { endSession, sessionAtom } from '../state/session.ts'
import { capabilitiesAtom, configAtom } from './config.ts'
import type { ListQuery, SearchAnswer } from './contract.ts'
import type { Page, Row } from './loose.ts'
import { isRow, readPage } from './loose.ts'

const store = getDefaultStore()

function authorization(): string | null {
  const session = store.get(sessionAtom)
  return session && `${store.get(configAtom).authScheme} ${session.token}`
}

const apiOrigin = () => new URL(store.get(configAtom).apiHost || '/', window.location.href).origin

/** A 401 ends the session, unless the call was sent with the token of an earlier session. */
function noticeRefusal(status: number, sent: string | null): void {
  if (status === 401 && sent !== null && sent === authorization()) endSession()
}

/** The answer to the same call that was sent before the code of the console had come, once; null if none was sent. */
function answerOfFirst(request: unknown): Promise<Response> | null {
  const { authorization, sent } = window.firstCall ?? {}
  if (!(request instanceof Request) || request.method !== 'GET') return null
  const answer = sent?.get(request.url)
  if (!answer || request.headers.get('authorization') !== authorization) return null
  sent?.delete(request.url)
  return answer
}

/**
 * The one HTTP client: timeout, token, and the 401 that ends the session. A GET is retried once after a network
 * failure or a status that ky retries (408, 413, 429, 500, 502, 503, 504); a mutation only if the server's capabilities
 * say that it supports the Idempotency-Key (R8). It waits at most 5 seconds, also if Retry-After says more, as on a maintenance
 * page: until then loads would not end, and a change would be made when nobody expects it any more.
 */
const http: KyInstance = ky.create({
  timeout: 30_000,
  retry: { limit: 1, methods: ['get'], maxRetryAfter: 5000 },
  fetch: (input, init) => answerOfFirst(input) ?? fetch(input, init),
  hooks: {
    beforeRequest: [
      ({ request }) => {
        const token = authorization()
        // Calls to our own gazetteer must not carry the token of another host.
        if (token && new URL(request.url).origin === apiOrigin()) request.headers.set('authorization', token)
      },
    ],
    afterResponse: [
      ({ request, response }) => {
        noticeRefusal(response.status, request.headers.get('authorization'))
      },
    ],
  },
})

const call = (path: string) => `${store.get(configAtom).apiHost}/api/v1/oms/${path}`

/** The API paths for the records of one noun. `{id}` stands for a record's id. */
export interface Calls {
  /** The name of the list in the `ordering` of the server's capabilities. */
  collection: string
  list: string
  /** The filter parameters of the list; `s` and `phone` if absent (S7.3). */
  filters?: readonly ('s' | 'phone' | 'name')[]
  one?: string
  create?: string
  update?: string
}

export const pathTo = (path: string, id: string) => path.replace('{id}', encodeURIComponent(id))

/**
 * One page of a list. `page`, `s` and `phone` are always sent; `page_size`, `ordering` and the terms of `filter` only to
 * a server whose capabilities include them.
 */
export async function list<T extends object>(
  { collection, list: path, filters = ['s', 'phone'] }: Calls,
  query: ListQuery,
  signal: AbortSignal,
): Promise<Page<T>> {
  const { page_size, ordering, filters: offered } = store.get(capabilitiesAtom)
  const terms = parseFilter(query.filter).filter(({ name }) => offered[collection]?.includes(name))
  const searchParams = {
    ...Object.fromEntries(filters.map((name) => [name, query[name]])),
    ...(page_size && { page_size: query.size }),
    ...(query.ordering &&
      ordering[collection]?.includes(query.ordering.replace(/^-/, '')) && { ordering: query.ordering }),
    ...(terms.length > 0 && { filter: formatFilter(terms) }),
  }
  return pageOf<T>(query.page, (page) =>
    http.get(call(path), { searchParams: { page, ...searchParams }, signal }).json(),
  )
}

/** A page of five rows from a list that belongs to one record (S9.4). */
export function listOf<T extends object>(path: string, page: number, signal: AbortSignal): Promise<Page<T>> {
  return pageOf<T>(page, (page) =>
    http.get(call(path), { searchParams: { page_size: 5, page }, signal }).json(),
  )
}

/** If the server answers 404 beyond the end, page 1 is read for the number of the last page (rulings, lists). */
async function pageOf<T extends object>(
  page: number,
  ask: (page: number) => Promise<unknown>,
): Promise<Page<T>> {
  try {
    return readPage<T>(await ask(page), page)
  } catch (error) {
    if (page === 1 || statusOf(error) !== 404) throw error
    const first = readPage<T>(await ask(1), 1)
    if (first.totalPages >= page) throw error
    return { ...first, results: [], page: Math.max(first.totalPages, 1) }
  }
}

/** One record. */
export async function read<T extends object>(path: string, signal: AbortSignal): Promise<Row<T>> {
  const json = await http.get(call(path), { signal }).json()
  if (!isRow<T>(json)) throw new TypeError('The answer is not a record.')
  return json
}

/** What the server answered to a mutation. */
export interface Answer {
  /** Blank if the server sent none. */
  message: string
  /** False if the record already was as the change would make it. True if the server does not tell. */
  hasChanged: boolean
  /** The record as it is stored now; null if the answer is not a record with an `id`. */
  record: Row<object> | null
}

/** The Idempotency-Keys under which the server may have stored a change: a try got no answer, or a 5xx. They are few, and stay after a success. */
export const lostKeys = new Set<string>()

/** The status of an answer that is an error; 0 without an answer. */
export const statusOf = (error: unknown): number => (error instanceof HTTPError ? error.response.status : 0)

/**
 * Whether the change with this Idempotency-Key may be stored, now that a try has failed. 401, 403, 408 and 429 can come from the check of the session, a limit or a
 * proxy, before anything looks for the key. So these say nothing about earlier tries.
 */
export function mayBeStored(key: string, error: unknown): boolean {
  const status = statusOf(error)
  if (status === 0 || status >= 500) lostKeys.add(key)
  else if (![401, 403, 408, 429].includes(status)) lostKeys.delete(key)
  return lostKeys.has(key)
}

/** Sends a mutation as a POST. `key` is its Idempotency-Key, the same for every retry. */
export async function mutate(path: string, key: string, json?: unknown): Promise<Answer> {
  const sent = http.post(call(path), {
    headers: { 'idempotency-key': key },
    ...(json !== undefined && { json }),
    retry: { limit: store.get(capabilitiesAtom).idempotency ? 2 : 0, methods: ['post'] },
    hooks: { beforeRetry: [({ error }) => void mayBeStored(key, error)] },
  })
  const { headers } = await sent
  // By ky, whose timeout then covers the body too.
  const body = await sent.text().catch(() => '')
  if (isWebPage(body)) throw new TypeError('The answer is a web page.')
  const answer = jsonOf(body)
  return {
    message: messageOf(answer),
    hasChanged: !headers.has('record-unchanged'),
    record: isRow(answer) && 'id' in answer ? answer : null,
  }
}

/** A proxy or captive portal between console and server can answer any call with a web page. */
const isWebPage = (answer: string) => /^\s*<(!doctype|html)/i.test(answer)

function jsonOf(answer: string): unknown {
  try {
    return JSON.parse(answer)
  } catch {
    return null // The answer to a change need not be JSON (S7.19).
  }
}

function messageOf(answer: unknown): string {
  return isRow<{ message: string }>(answer) && typeof answer.message === 'string' ? answer.message : ''
}

/** Finds records of any noun; only for a server that announces it. */
export async function search(searchParams: Record<string, string>, signal: AbortSignal) {
  const answer = await http.get(call('search/'), { searchParams, signal }).json()
  if (!isRow<SearchAnswer>(answer) || !Array.isArray(answer.results))
    throw new TypeError('The answer is not a list.')
  return answer.results.filter((one) => isRow<SearchAnswer['results'][number]>(one))
}

/** A GET to the host that served the page, whatever `apiHost` is. Resolves to the answer's JSON. */
export function readOwn(path: string, searchParams: Record<string, string>, signal: AbortSignal) {
  return http.get(`/api/v1/oms/${path}`, { searchParams, signal }).json<unknown>()
}

/**
 * A POST without Idempotency-Key and retries, for login and logout. Resolves to the answer's JSON, or null if it has
 * none. The token is read before the first await: a logout must send it, although the session is removed at once.
 */
export async function post(path: string, json?: unknown): Promise<unknown> {
  const sent = http.post(call(path), {
    headers: { authorization: authorization() ?? undefined },
    retry: 0,
    ...(json !== undefined && { json }),
  })
  await sent
  return sent.json().catch(() => null)
}

interface DownloadOptions {
  signal: AbortSignal
  /** Called with the number of bytes received so far. */
  onProgress: (bytes: number) => void
}

interface Download {
  name: string
  blob: Blob
}

/** Downloads a whole file; rejects if it is empty or a web page. Without a name from the server it gets `fallback`. */
export async function download(
  path: string,
  fallback: string,
  { signal, onProgress }: DownloadOptions,
): Promise<Download> {
  const response = await http.get(call(path), {
    signal,
    retry: 0,
    timeout: false,
    onDownloadProgress: ({ transferredBytes }) => onProgress(transferredBytes),
  })
  const blob = await response.blob()
  if (!blob.size || isWebPage(await blob.slice(0, 200).text())) throw new TypeError('The answer is no file.')
  return { name: fileNameOf(response.headers.get('content-disposition')) || fallback, blob }
}

/** RFC 6266: `filename*` if present, else `filename`, with path separators replaced; blank if the header has none. */
function fileNameOf(header: string | null): string {
  const extended = /filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header ?? '')?.[1]
  // Some servers send a name with spaces without quotes.
  const [, quoted, plain] = /filename\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;]*))/i.exec(header ?? '') ?? []
  const name = extended ? decode(extended) : (quoted?.replace(/\\(.)/g, '$1') ?? plain)
  return (name ?? '').replace(/[/\\:*?"<>|\p{Cc}]/gu, '_').trim()
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return '' // Malformed percent-encoding counts as no name.
  }
}
