import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import autocannon from 'autocannon'
import { demoLogin } from '../server/demo/access.ts'

/**
 * Measures the server process as `npm start` runs it, with authentication, validation, totals and logs, on the database that
 * OMS_DATA or DATABASE_URL names: calls per second and response times of the main calls with 1, 16 and 64 connections. It signs
 * in with the demo login and suspends and unsuspends drivers, so it needs a database of demo data. Usage:
 * `node bench/server.ts [seconds for each measurement] [part of a call's name]`.
 */
const seconds = Number(process.argv[2] ?? 5)
const wanted = process.argv[3] ?? ''
const connections = [1, 16, 64]
const api = '/api/v1/oms/'

interface Call {
  name: string
  path: string
  /** A change: another record each time. */
  change?: (nth: number) => string
}

/** Changes so far. */
let nth = 0
const started = performance.now()
const child = spawn(
  process.execPath,
  [...nodeFlags(), join(import.meta.dirname, '..', 'server', 'main.ts')],
  {
    env: { ...process.env, PORT: '0', OMS_DEMO: 'on' },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
)
try {
  await run()
} finally {
  child.kill('SIGTERM')
}

/** The flags with which `npm start` starts the server. */
function nodeFlags(): string[] {
  const text = readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')
  return (/"start": "node (.*)server\/main\.ts"/.exec(text)?.[1] ?? '').split(' ').filter(Boolean)
}

async function run(): Promise<void> {
  const url = await ready()
  console.log(`ready after ${((performance.now() - started) / 1000).toFixed(1)} s, ${memory()} MB`)
  const headers = { authorization: `Bearer ${await tokenOf(url)}` }
  const read = async (path: string): Promise<unknown> => (await fetch(url + api + path, { headers })).json()
  const first = await read('drivers/')
  const count = fieldOf(first, 'count')
  const one = fieldOf(await read(`drivers/?page=${String(Math.ceil(Number(count) / 100))}`), 'results', '0')
  const name = String(fieldOf(one, 'user', 'fullname'))
  const calls: Call[] = [
    { name: 'first page', path: 'drivers/' },
    { name: 'page 10,000', path: 'drivers/?page=10000' },
    { name: `rare text "${name}"`, path: `drivers/?s=${encodeURIComponent(name)}` },
    { name: 'common text "wan"', path: 'drivers/?s=wan' },
    { name: 'phone number', path: `drivers/?phone=${String(fieldOf(one, 'user', 'phone_number'))}` },
    { name: 'one driver', path: `drivers/${String(fieldOf(one, 'id'))}` },
    {
      name: 'suspend, unsuspend',
      path: '',
      change: (nth) =>
        `driver/${String(1 + ((nth >> 1) % Math.min(Number(count), 50_000)))}/${nth % 2 ? 'unfreeze' : 'suspend'}/`,
    },
    { name: 'analytics', path: 'analytics/' },
  ]
  console.log(`${Number(count).toLocaleString('en')} drivers; calls/s, median and 99th percentile in ms`)
  for (const call of calls.filter((call) => call.name.includes(wanted))) {
    const figures = []
    for (const many of connections) figures.push(await measure(url, call, many, headers))
    console.log(`${call.name.padEnd(34)} ${figures.join('   ')}   ${memory()} MB`)
  }
}

async function measure(
  url: string,
  call: Call,
  many: number,
  headers: Record<string, string>,
): Promise<string> {
  const { change } = call
  const result = await autocannon({
    url,
    connections: many,
    duration: seconds,
    headers,
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
        : { method: 'GET', path: api + call.path },
    ],
  })
  const failed = result.errors + result.non2xx
  const { p50, p99 } = result.latency
  return (
    `${result.requests.average.toFixed(0).padStart(6)} ${p50.toFixed(0).padStart(4)} ${p99.toFixed(0).padStart(4)}` +
    (failed ? ` (${String(failed)} failed)` : '')
  )
}

function ready(): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output = (output + String(chunk)).slice(-10_000)
      const url = /ready: (http:\/\/\S+?)\/\s/.exec(output)?.[1]
      if (url) resolve(url)
    })
    child.once('exit', () => reject(new Error(`The server has stopped.\n${output}`)))
  })
}

async function tokenOf(url: string): Promise<string> {
  const answer = await fetch(`${url}${api}login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(demoLogin),
  })
  return String(fieldOf(await answer.json(), 'token'))
}

function fieldOf(value: unknown, ...names: string[]): unknown {
  return names.reduce<unknown>(
    (of, name) => new Map<string, unknown>(Object.entries(of ?? {})).get(name),
    value,
  )
}

/** Resident memory of the server process; blank where there is no /proc. */
function memory(): string {
  try {
    const status = readFileSync(`/proc/${String(child.pid)}/status`, 'utf8')
    return (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024).toFixed(0)
  } catch {
    return ''
  }
}
