import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import pg from 'pg'
import { inRunFolder } from '../tests/support/run-folder.ts'
import { loadAverage, machineFact } from './client/facts.ts'
import { valueOf } from './client/lists.ts'
import { tableOf, writeSection } from './results.ts'
import { api } from './server/calls.ts'
import type { Subject } from './server/subjects.ts'
import { djangoMissing, startBare, startDjango, startProduct } from './server/subjects.ts'

/**
 * Measures the server process as `npm start` runs it, with authentication, validation, totals and logs, on the demo data that
 * OMS_DATA or DATABASE_URL names: calls per second and response times, with several numbers of connections. On PostgreSQL, Django
 * REST framework answers the same calls from the same database, if it is installed; the limit is Node's own server with an
 * answer of the size of the first page. Suspends and unsuspends drivers. Writes a section of RESULTS.md. Usage, with the defaults:
 * `node bench/server.ts --seconds 5 --connections 1,16,64 --only ''`; `--only` is part of a call's name. `--export` also times the
 * export of all drivers, which takes Django minutes.
 */
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '1,16,64' },
    only: { type: 'string', default: '' },
    export: { type: 'boolean', default: false },
  },
})

interface Call {
  name: string
  path: string
  change?: (nth: number) => string
}

/** Changes so far. */
let nth = 0
/**
 * So many drivers are suspended, then unsuspended, then the next ones. So nearly every call changes something, also on a database on which the bench has
 * run before. There are more of them than connections, so that no call waits for another one's lock.
 */
const block = 200
/** Calls that asked for a change and changed nothing. */
let unchanged = 0
const subjects: Subject[] = []
await inRunFolder(async () => {
  try {
    await run()
  } finally {
    for (const { stop } of subjects) stop()
  }
})

async function run(): Promise<void> {
  const before = `${new Date().toISOString().slice(0, 10)}, ${machineFact()} before`
  const product = await startProduct()
  subjects.push(product)
  const notes = [`the product was ready after ${product.ready.toFixed(1)} s and used ${product.memory()} MB`]
  const read = async (path: string) =>
    (await fetch(product.url + api + path, { headers: product.headers })).text()
  const first = await read('drivers/')
  const count = Number(valueOf(JSON.parse(first), 'count'))
  const middle: unknown = JSON.parse(await read(`drivers/?page=${Math.ceil(count / 100)}`))
  subjects.push(await startBare(first))
  const missing = djangoMissing()
  if (missing) notes.push(missing)
  else subjects.push(await startDjango())

  const calls = callsFor(count, middle).filter(({ name }) => name.includes(options.only))
  // A server that has just started is slower, until its code is compiled.
  for (const call of calls)
    for (const subject of subjects) {
      await measure(subject, call, 16, 2)
      await settle()
    }
  const lines: string[][] = []
  for (const call of calls)
    for (const many of options.connections.split(',').map(Number)) lines.push(await lineOf(call, many))
  if (options.export) lines.push(await exportLine())
  if (nth > 0)
    notes.push(
      `${unchanged} of the product’s calls to suspend or unsuspend changed nothing, because the driver was as wanted`,
    )
  notes.push(`${product.memory()} MB at the end`)

  const engine = process.env['DATABASE_URL'] ? 'PostgreSQL' : 'SQLite'
  const title = `## The server, ${count.toLocaleString('en')} drivers on ${engine}`
  const about =
    `Written by \`node bench/server.ts\`. Calls per second, and the median and 99th percentile of the response times in ms. ` +
    `The product checks tokens, writes audit rows and logs; the others do not.`
  const facts = [`${before} and ${loadAverage()} after`, `Node ${process.version}`, ...notes]
  const head = ['call, connections', ...subjects.map((subject) => subject.title), 'product / Django']
  await writeSection(
    `server ${engine} ${String(count)}`,
    [title, about, facts.map((fact) => `- ${fact}`).join('\n'), tableOf(head, lines)].join('\n\n'),
  )
}

function callsFor(count: number, middle: unknown): Call[] {
  const of = (path: string) => encodeURIComponent(String(valueOf(middle, `results.0.${path}`)))
  const known = Math.min(count, 10_000)
  return [
    { name: 'first page', path: 'drivers/' },
    {
      name: 'page 10,000 or the last',
      path: `drivers/?page=${String(Math.min(10_000, Math.ceil(count / 50)))}`,
    },
    { name: 'full name', path: `drivers/?s=${of('user.fullname')}` },
    { name: 'common text `wan`', path: 'drivers/?s=wan' },
    { name: 'whole phone number', path: `drivers/?phone=${of('user.phone_number')}` },
    { name: 'one driver', path: `drivers/${of('id')}` },
    {
      name: 'suspend, unsuspend',
      path: '',
      change: (nth) => {
        const pass = Math.floor(nth / block)
        const driver = 1 + ((Math.floor(pass / 2) * block + (nth % block)) % known)
        return `driver/${String(driver)}/${pass % 2 ? 'unfreeze' : 'suspend'}/`
      },
    },
    { name: 'analytics', path: 'analytics/' },
  ]
}

/** The figures of one call, from one server after the other. */
async function lineOf(call: Call, many: number): Promise<string[]> {
  const line = [`${call.name}, ${many}`]
  const rates = new Map<Subject, number>()
  for (const subject of subjects) {
    const { requests, latency, errors, non2xx } = await measure(subject, call, many)
    await settle()
    rates.set(subject, requests.average)
    const failed = errors + non2xx > 0 ? `, ${errors + non2xx} failed` : ''
    line.push(`${rate(requests.average)} (${latency.p50.toFixed(0)}, ${latency.p99.toFixed(0)}${failed})`)
  }
  line.push(ratio((subject) => rates.get(subject)))
  console.log(line.join('   '))
  return line
}

/** Waits until PostgreSQL has ended the statements of calls that nobody waits for any more. */
async function settle(): Promise<void> {
  const url = process.env['DATABASE_URL']
  if (!url) return
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (;;) {
    const { rowCount } = await client.query(
      `select 1 from pg_stat_activity where state = 'active' and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    if (rowCount === 0) break
    await wait(200)
  }
  await client.end()
}

function measure(
  { url, headers }: Subject,
  { path, change }: Call,
  many: number,
  seconds = Number(options.seconds),
) {
  return autocannon({
    url,
    connections: many,
    duration: seconds,
    headers,
    timeout: 60,
    setupClient: (client) => {
      client.on('headers', ({ headers = [] }) => {
        if (headers.includes('record-unchanged')) unchanged++
      })
    },
    requests: [
      change
        ? {
            method: 'POST',
            setupRequest: (request) => ({
              ...request,
              path: api + change(nth++),
              headers: { ...request.headers, 'idempotency-key': randomUUID() },
            }),
          }
        : { method: 'GET', path: api + path },
    ],
  })
}

async function exportLine(): Promise<string[]> {
  const times = new Map<Subject, number>()
  for (const subject of subjects.filter(({ title }) => !title.startsWith('bare'))) {
    const start = performance.now()
    const answer = await fetch(`${subject.url}${api}drivers-export-excel/`, { headers: subject.headers })
    await answer.arrayBuffer()
    times.set(subject, (performance.now() - start) / 1000)
  }
  const figures = subjects.map((subject) => times.get(subject)?.toFixed(1) ?? '–')
  return ['export of all drivers, seconds', ...figures, ratio((subject) => 1 / (times.get(subject) ?? NaN))]
}

/** How many times as fast as Django the product is. */
function ratio(of: (subject: Subject) => number | undefined): string {
  const [product, , django] = subjects.map(of)
  return product && django ? rate(product / django) : '–'
}

function rate(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 })
}
