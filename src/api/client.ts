import { getDefaultStore } from 'jotai'
import type { KyInstance } from 'ky'
import ky, { HTTPError } from 'ky'
import { endSession, sessionAtom } from '../state/session.ts'
import { capabilitiesAtom, configAtom } from './config.ts'
import type { ListQuery } from './contract.ts'
import type { Page, Row } from './loose.ts'
import { isRow, readPage } from './loose.ts'

const store = getDefaultStore()

function authorization(): string | null {
  const session = store.get(sessionAtom)
  return session && `${store.get(configAtom).authScheme} ${session.token}`
}

const apiOrigin = () => new URL(store.get(configAtom).apiHost || '/', window.location.href).origin

/** A late 401 of an earlier session says nothing about this one. */
function noticeRefusal(status: number, sent: string | null): void {
  if (status === 401 && sent !== null && sent === authorization()) endSession()
}

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
        // The gazetteer is always our own; another host's token is none of its business.
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

/** Where the server offers the records of one noun. `{id}` stands for a record's id. */
export interface Calls {
  /** Under this name the server says by what it can order the list. */
  collection: string
  list: string
  /** What the list is filtered by; `s` and `phone` for most (S7.3). */
  filters?: readonly ('s' | 'phone' | 'name')[]
  one?: string
  create?: string
  update?: string
}

export const pathTo = (path: string, id: string) => path.replace('{id}', encodeURIComponent(id))

/**
 * One page of a list: `page` and its filters always go out; sizes and order only to a server that knows them.
 */
export async function list<T extends object>(
  { collection, list: path, filters = ['s', 'phone'] }: Calls,
  query: ListQuery,
  signal: AbortSignal,
): Promise<Page<T>> {
  const { page_size, ordering } = store.get(capabilitiesAtom)
  const searchParams = {
    ...Object.fromEntries(filters.map((name) => [name, query[name]])),
    ...(page_size && { page_size: query.size }),
    ...(query.ordering &&
      ordering[collection]?.includes(query.ordering.replace(/^-/, '')) && { ordering: query.ordering }),
  }
  return pageOf<T>(query.page, (page) =>
    http.get(call(path), { searchParams: { page, ...searchParams }, signal }).json(),
  )
}

/** A page of a list that belongs to one record, five rows long (S9.4). */
export function listOf<T extends object>(path: string, page: number, signal: AbortSignal): Promise<Page<T>> {
  return pageOf<T>(page, (page) =>
    http.get(call(path), { searchParams: { page_size: 5, page }, signal }).json(),
  )
}

/** Where a server has no page beyond the end, its first one says which is the last (rulings, lists). */
async function pageOf<T extends object>(
  page: number,
  ask: (page: number) => Promise<unknown>,
): Promise<Page<T>> {
  try {
    return readPage<T>(await ask(page), page)
  } catch (error) {
    if (page === 1 || !(error instanceof HTTPError) || error.response.status !== 404) throw error
    const first = readPage<T>(await ask(1), 1)
    if (first.totalPages >= page) throw error
    return { ...first, results: [], page: Math.max(first.totalPages, 1) }
  }
}

/** One record. */
export async function read<T extends object>(path: string, signal: AbortSignal): Promise<Row<T>> {
  const json = await http.get(call(path), { signal }).json()
  if (!isRow<T>(json)) throw new TypeError('The answer is no record.')
  return json
}

/** What the server answered to a mutation. */
export interface Answer {
  /** Blank if it sent none. */
  message: string
  /** The record as it is stored now, where the server says; null otherwise. */
  record: Row<object> | null
}

/** A mutation. `key` is the intent's Idempotency-Key. */
export async function mutate(path: string, key: string, json?: unknown): Promise<Answer> {
  const response = await http.post(call(path), {
    headers: { 'idempotency-key': key },
    ...(json !== undefined && { json }),
    retry: { limit: store.get(capabilitiesAtom).idempotency ? 2 : 0, methods: ['post'] },
  })
  const body = await response.text().catch(() => '')
  if (isWebPage(body)) throw new TypeError('The answer is a web page.')
  const answer = jsonOf(body)
  return { message: messageOf(answer), record: isRow(answer) && 'id' in answer ? answer : null }
}

/** What stands between a console and its server answers with one, whatever was asked. */
const isWebPage = (answer: string) => /^\s*<(!doctype|html)/i.test(answer)

function jsonOf(answer: string): unknown {
  try {
    return JSON.parse(answer)
  } catch {
    return null // What a change answers is not shown to be JSON (S7.19).
  }
}

function messageOf(answer: unknown): string {
  return isRow<{ message: string }>(answer) && typeof answer.message === 'string' ? answer.message : ''
}

/** A question to this console's own server, whatever host the other calls go to. Resolves to the answer's JSON. */
export function readOwn(path: string, searchParams: Record<string, string>, signal: AbortSignal) {
  return http.get(`/api/v1/oms/${path}`, { searchParams, signal }).json<unknown>()
}

/**
 * A call outside the mutation path: login and logout. Resolves to the answer's JSON, or null. The token is that of the
 * moment: a logout needs the one that is given up meanwhile.
 */
export async function post(path: string, json?: unknown): Promise<unknown> {
  const response = await http.post(call(path), {
    headers: { authorization: authorization() ?? undefined },
    retry: 0,
    ...(json !== undefined && { json }),
  })
  return response.json().catch(() => null)
}

interface DownloadOptions {
  signal: AbortSignal
  /** Bytes so far. */
  onProgress: (bytes: number) => void
}

interface Download {
  name: string
  blob: Blob
}

/** A file, whole or not at all. Its name is the server's, or `fallback`. */
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

/** RFC 6266: the extended name if there is one, never a path. */
function fileNameOf(header: string | null): string {
  const extended = /filename\*=(?:UTF-8|utf-8)''([^;]+)/.exec(header ?? '')?.[1]
  const plain = /filename="([^"]*)"/.exec(header ?? '')?.[1] ?? /filename=([^;"\s]+)/.exec(header ?? '')?.[1]
  const name = extended ? decode(extended) : plain
  return (name ?? '').replace(/[/\\:*?"<>|\p{Cc}]/gu, '_').trim()
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return '' // A malformed name is none.
  }
}
