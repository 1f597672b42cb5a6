import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { Sent } from './plain-data.ts'
import { plainRecords } from './plain-data.ts'

/** How a call fails: by a closed connection, an unreadable body, an empty body, or an error status. */
type Trouble = 'reset' | 'html' | 'empty' | 400 | 401 | 429 | 500

/** A backend other than our server: it has the calls of section 7 of the specification and no others. */
interface PlainBackend {
  url: string
  scheme: string
  login: { email: string; password: string }
  /** Calls to matching paths fail until `mend`. */
  spoil(path: RegExp, how: Trouble): void
  /** Calls to matching paths get no answer until `mend`. */
  hold(path: RegExp): void
  mend(): void
  /** The matching calls of this test, such as `POST driver/5/suspend/`. */
  callsTo(call: RegExp): string[]
  /** The JSON that the last matching call sent. */
  sentTo(call: RegExp): Sent
}

const api = '/api/v1/oms/'
const login = { email: 'asha@plain.test', password: 'plain password' }
const token = 'a-token-of-another-make'
/** The only call outside section 7 that the console may make. */
const question = 'GET capabilities/'

/** For all tests of a group. A call outside section 7 fails its test. */
export function usePlainBackend(): PlainBackend {
  let records = plainRecords()
  let calls: { call: string; sent: Sent }[] = []
  let spoilt: { path: RegExp; how: Trouble | Promise<void> }[] = []
  let release = () => {}
  let url = ''

  const replyTo = async (request: IncomingMessage): Promise<Reply> => {
    if (request.method === 'OPTIONS') return { status: 204 }
    const { pathname, searchParams: query } = new URL(request.url ?? '', url)
    const path = pathname.replace(api, '')
    const call = `${request.method ?? ''} ${path}`
    const sent = recordOf(await text(request))
    calls.push({ call, sent })
    const how = spoilt.find((one) => one.path.test(path))?.how
    if (how instanceof Promise) await how
    else if (how !== undefined) return spoiltReply(how)
    const route = routeOf(call)
    if (!route) return notFound
    if (path !== 'login/' && request.headers.authorization !== `Token ${token}`)
      return { status: 401, json: { detail: 'Authentication credentials were not provided.' } }
    const id = decodeURIComponent(route.pattern.exec(call)?.[1] ?? '')
    return route.reply({ records, id, query, sent })
  }
  const server = createServer((request, response) => {
    void replyTo(request).then((reply) => give(response, reply))
  })

  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (typeof address === 'object' && address) url = `http://127.0.0.1:${address.port}`
  })
  afterEach(() => {
    const beyond = calls.map(({ call }) => call).filter((call) => !routeOf(call) && call !== question)
    records = plainRecords()
    calls = []
    spoilt = []
    release()
    expect(beyond, 'calls beyond section 7').toEqual([])
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  return {
    get url() {
      return url
    },
    scheme: 'Token',
    login,
    spoil: (path, how) => {
      spoilt.push({ path, how })
    },
    hold: (path) => {
      spoilt.push({ path, how: new Promise((resolve) => (release = resolve)) })
    },
    mend: () => {
      spoilt = []
      release()
    },
    callsTo: (wanted) => calls.map(({ call }) => call).filter((call) => wanted.test(call)),
    sentTo: (wanted) => calls.findLast(({ call }) => wanted.test(call))?.sent ?? {},
  }
}

interface Asked {
  records: ReturnType<typeof plainRecords>
  id: string
  query: URLSearchParams
  sent: Sent
}

/** A null status closes the connection without a reply. */
interface Reply {
  status: number | null
  json?: unknown
  body?: string | Buffer
  headers?: Record<string, string>
}

interface Route {
  pattern: RegExp
  reply: (asked: Asked) => Reply
}

/** The names of the record lists; the analytics are a single record. */
type Kind = Exclude<keyof Asked['records'], 'analytics'>

const notFound: Reply = { status: 404, json: { detail: 'Not found.' } }

const route = (call: string, reply: Route['reply']): Route => ({
  pattern: new RegExp(`^${call.replace('{id}', '([^/]+)')}$`),
  reply,
})

const list = (path: string, kind: Kind) =>
  route(`GET ${path}`, ({ records, query }) => {
    const rows = records[kind].filter((row) => kind === 'drivers' || row['deleted'] !== true)
    return pageOf(rows.filter(fitting(query)), query, 20)
  })

const listOfDriver = (path: string, kind: Kind) =>
  route(`GET ${path}`, ({ records, query }) => pageOf(records[kind], query, Number(query.get('page_size'))))

const detail = (path: string, kind: Kind) =>
  route(`GET ${path}`, ({ records, id }) => {
    const row = find(records[kind], id)
    return row ? { status: 200, json: row } : notFound
  })

const create = (path: string, kind: Kind, reply: Reply) =>
  route(`POST ${path}`, ({ records, sent }) => {
    records[kind].unshift({ ...sent, id: 1000 + records[kind].length })
    return reply
  })

const update = (path: string, kind: Kind, reply: Reply) =>
  route(`POST ${path}`, ({ records, id, sent }) => {
    const row = find(records[kind], id)
    if (!row) return notFound
    Object.assign(row, sent)
    return reply
  })

const setSuspended = (path: string, deleted: boolean, word: string) =>
  route(`POST ${path}`, ({ records, id }) => {
    const driver = find(records.drivers, id)
    if (!driver) return notFound
    driver['deleted'] = deleted
    return { status: 200, json: { message: `Account ${id} is ${word}` } }
  })

const spreadsheet = (path: string, headers: Record<string, string>) =>
  route(`GET ${path}`, () => ({ status: 200, body: emptyArchive, headers }))

const emptyArchive = Buffer.from('504b0506'.padEnd(44, '0'), 'hex')

/** The calls of section 7 in its order. Where it does not specify an answer, the answers differ on purpose. */
const routes: Route[] = [
  route('GET analytics/', ({ records }) => ({ status: 200, json: records.analytics })),
  list('drivers/', 'drivers'),
  detail('drivers/{id}', 'drivers'),
  listOfDriver('drivers/{id}/trips/', 'driverTrips'),
  listOfDriver('drivers/{id}/transactions/', 'driverTransactions'),
  setSuspended('driver/{id}/suspend/', true, 'frozen'),
  setSuspended('driver/{id}/unfreeze/', false, 'unfrozen'),
  spreadsheet('drivers-export-excel/', {
    'content-disposition': 'attachment; filename="drivers in March.xlsx"',
    'access-control-expose-headers': 'content-disposition',
  }),
  spreadsheet('customers-export-excel/', {}),
  list('customers/', 'customers'),
  list('staff-users/', 'staffUsers'),
  list('vehicles/', 'vehicles'),
  list('trips/', 'trips'),
  list('pre-bookings/', 'bookings'),
  route('POST login/', ({ sent: { email, password } }) =>
    email === login.email && password === login.password
      ? { status: 200, json: { token } }
      : { status: 400, json: { non_field_errors: ['Unable to log in with provided credentials.'] } },
  ),
  list('attractions/all/', 'attractions'),
  detail('attractions/all/{id}/', 'attractions'),
  create('attraction/create/oms/', 'attractions', { status: 201 }),
  update('attractions/all/{id}/', 'attractions', { status: 200, json: 'updated' }),
  route('POST invoice/update/', ({ records, sent }) => {
    const invoice = find(records.invoices, String(sent['invoice_id']))
    if (!invoice) return notFound
    invoice['paid'] = true
    return { status: 200, json: { message: `Receipt for ${String(invoice['id'])}` } }
  }),
  list('all-invoices/', 'invoices'),
  list('driver-invites/', 'invites'),
  list('blogs-adm/', 'blogs'),
  create('blog/create/', 'blogs', { status: 200, json: {} }),
  update('blogs/{id}/update/', 'blogs', { status: 200, json: null }),
  list('coupons/', 'coupons'),
  create('coupons/create/', 'coupons', { status: 201, json: 'created' }),
  update('coupons/{id}/update/', 'coupons', { status: 204 }),
  list('promo-codes/', 'promoCodes'),
  create('promo-code/create/', 'promoCodes', { status: 200, json: 5 }),
  update('promo-codes/{id}/update/', 'promoCodes', { status: 200, json: [] }),
  list('sos-lists/', 'sosLogs'),
]

const routeOf = (call: string) => routes.find(({ pattern }) => pattern.test(call))

const find = (rows: Sent[], id: string) => rows.find((row) => String(row['id']) === id)

/** Matches `s` or `name` anywhere in the record, and `phone` among its digits. */
function fitting(query: URLSearchParams): (row: Sent) => boolean {
  const words = (query.get('s') || query.get('name') || '').toLowerCase()
  const phone = query.get('phone') ?? ''
  return (row) => {
    const json = JSON.stringify(row).toLowerCase()
    return json.includes(words) && (!phone || json.replace(/[^\d"]/g, '').includes(phone))
  }
}

/** S3.17. A page after the last one is a 404. */
function pageOf(rows: Sent[], query: URLSearchParams, size: number): Reply {
  const page = Number(query.get('page') ?? 1)
  const total_pages = Math.ceil(rows.length / size)
  if (!(page >= 1 && page <= Math.max(total_pages, 1)))
    return { status: 404, json: { detail: 'Invalid page.' } }
  const results = rows.slice((page - 1) * size, page * size)
  const next_page = page < total_pages ? page + 1 : null
  const previous_page = page > 1 ? page - 1 : null
  return { status: 200, json: { results, current_page_number: page, total_pages, next_page, previous_page } }
}

function spoiltReply(how: Trouble): Reply {
  if (how === 'reset') return { status: null }
  if (how === 'empty') return { status: 200 }
  if (how === 'html')
    return { status: 200, body: '<!doctype html><p>Hello', headers: { 'content-type': 'text/html' } }
  return { status: how, json: { detail: 'This went wrong.' } }
}

function give(response: ServerResponse, { status, json, body, headers }: Reply): void {
  if (status === null) {
    response.destroy()
    return
  }
  response.writeHead(status, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'authorization, content-type, idempotency-key',
    'access-control-max-age': '600',
    'content-type': 'application/json',
    ...headers,
  })
  response.end(body ?? (json === undefined ? '' : JSON.stringify(json)))
}

function recordOf(body: string): Sent {
  const json: unknown = body ? JSON.parse(body) : {}
  return typeof json === 'object' && json !== null ? { ...json } : {}
}
