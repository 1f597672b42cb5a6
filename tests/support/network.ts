import { afterEach, beforeEach, expect, vi } from 'vitest'

/** A request that the console sent. */
export interface Call {
  method: string
  /** As in a route: `drivers/12`, or `/config.json` outside the API. */
  path: string
  origin: string
  query: Record<string, string>
  headers: Headers
  /** The JSON that was sent; `''` without a body. */
  body: unknown
  signal: AbortSignal
}

/** JSON, a whole response, or a function that returns either. Calling `lose()` in the function fails the request. */
type Answer = ((call: Call) => unknown) | object | null

/** Answers by method and path, where `:id` matches any one segment: `'GET drivers/:id'`. */
type Routes = Record<string, Answer>

const root = '/api/v1/oms/'
let routes: Routes = {}
/** Aborted when the test ends: its open requests are cancelled, so that none of them fails in a later test. */
let ending = new AbortController()
/** The requests of this test, in order. */
export const calls: Call[] = []

/** Answers these calls from now on; a route given again replaces the earlier one. */
export function serve(more: Routes): void {
  routes = { ...routes, ...more }
}

/** The requests to one route, in order. */
export function callsTo(route: string): Call[] {
  return calls.filter((call) => fits(route, call))
}

/** An error answer with a message. */
export function refuse(status: number, message = '', headers: Record<string, string> = {}): Response {
  return Response.json({ message }, { status, headers })
}

/** A 400 answer with the errors of each field. */
export function refuseFields(errors: Record<string, string[]>): Response {
  return Response.json({ message: 'Some values are invalid.', errors }, { status: 400 })
}

/** Fails the request as the browser does when the request or its reply is lost. */
export function lose(): never {
  throw new TypeError('Failed to fetch')
}

/** An answer that is sent when the test calls `give`, or fails when it calls `lose`. */
export function hold() {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  return { answer: () => promise, give: resolve, lose: () => reject(new TypeError('Failed to fetch')) }
}

/** For all tests of a file: no call leaves the page. A call without a route fails its test. */
export function useNetwork(): void {
  beforeEach(() => {
    calls.length = 0
    ending = new AbortController()
    routes = { 'GET capabilities/': () => refuse(404), 'POST logout/': null }
    vi.stubGlobal('fetch', answerFetch)
  })
  afterEach(async () => {
    ending.abort()
    // What waited for these requests goes on now.
    await new Promise((resolve) => setImmediate(resolve))
    const unknown = calls
      .filter((call) => routeOf(call) === undefined)
      .map(({ method, path }) => `${method} ${path}`)
    expect(unknown, 'calls without a route').toEqual([])
  })
}

async function answerFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const { signal: ended } = ending
  const request = new Request(input, init)
  const call = await callOf(request)
  calls.push(call)
  request.signal.throwIfAborted()
  const aborted = new Promise<never>((_resolve, reject) => {
    for (const signal of [request.signal, ended])
      signal.addEventListener('abort', () => reject(abortOf(signal)))
  })
  ended.throwIfAborted()
  return Promise.race([aborted, respond(call)])
}

async function respond(call: Call): Promise<Response> {
  const answer = routeOf(call)
  if (answer === undefined) return refuse(404)
  const found: unknown = typeof answer === 'function' ? await answer(call) : answer
  return found instanceof Response ? found.clone() : Response.json(found)
}

async function callOf(request: Request): Promise<Call> {
  const url = new URL(request.url)
  const body = await request.text()
  return {
    method: request.method,
    path: url.pathname.startsWith(root) ? url.pathname.slice(root.length) : url.pathname,
    origin: url.origin,
    query: Object.fromEntries(url.searchParams),
    headers: request.headers,
    body: body && JSON.parse(body),
    signal: request.signal,
  }
}

const routeOf = (call: Call): Answer | undefined => {
  const route = Object.keys(routes).findLast((one) => fits(one, call))
  return route === undefined ? undefined : routes[route]
}

function fits(route: string, { method, path }: Call): boolean {
  const [verb = '', pattern = ''] = route.split(' ')
  const [wanted, got] = [pattern.split('/'), path.split('/')]
  return (
    verb === method &&
    wanted.length === got.length &&
    wanted.every((part, at) => (part.startsWith(':') ? got[at] !== '' : part === got[at]))
  )
}

function abortOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new DOMException('Aborted', 'AbortError')
}
