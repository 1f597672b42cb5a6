import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { loadAverage, machineFact } from './client/facts.ts'
import { valueOf } from './client/lists.ts'
import { percentile } from './client/stats.ts'
import { logIn } from './demo.ts'
import { tableOf, writeSection } from './results.ts'
import { api, read, timed } from './server/calls.ts'
import { act, actionsFor, any, upload } from './server/staff-work.ts'
import type { Subject } from './server/subjects.ts'
import { withProduct } from './with-product.ts'
import { Times } from './server/times.ts'

/**
 * Many users work at the same time with the server as `npm start` runs it, on the demo data that OMS_DATA or DATABASE_URL names: each has a
 * session of its own and does something about every two seconds. Beside them, all drivers are exported once a minute and a picture is
 * uploaded every five seconds. Suspends and unsuspends drivers; deletes the pictures. Writes a section of RESULTS.md. Usage, with
 * the defaults: `node bench/shift.ts --minutes 30 --users 50`.
 */
const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    users: { type: 'string', default: '50' },
  },
})
const minute = 60_000

await withProduct(run)

async function run(server: Subject): Promise<void> {
  const [minutes, users] = [Number(options.minutes), Number(options.users)]
  const before = `${new Date().toISOString().slice(0, 10)}, ${machineFact()} before`
  const drivers = Number(valueOf(await read(server, `${api}drivers/`), 'count'))
  const trips = Number(valueOf(await read(server, `${api}trips/`), 'count'))
  const actions = actionsFor(drivers)
  const idle = new Times()
  for (let nth = 0; nth < 100; nth++)
    for (const action of actions)
      if (!action.change) await idle.measure(action.name, () => act(server, action))

  // One after the other, because the server delays logins of one account.
  const tokens: string[] = []
  while (tokens.length < users) tokens.push(await logIn(server.url))
  const during = new Times()
  const memory: number[] = []
  const end = performance.now() + minutes * minute
  const isOver = () => performance.now() >= end
  const repeat = async (pause: () => number, work: () => Promise<void>) => {
    while (!isOver()) {
      await wait(Math.min(pause(), Math.max(end - performance.now(), 0)))
      if (!isOver()) await work()
    }
  }
  const chosen = actions.flatMap((action) => Array.from({ length: action.weight }, () => action))
  const user = (token: string) => {
    const own = { url: server.url, headers: { authorization: `Bearer ${token}` } }
    return repeat(
      () => 500 + any(3_000),
      async () => {
        const action = chosen[any(chosen.length)]
        if (action) await during.measure(action.name, () => act(own, action))
      },
    )
  }
  await Promise.all([
    ...tokens.map(user),
    repeat(
      () => minute,
      () => during.measure('export of all drivers', () => timed(server, `${api}drivers-export-excel/`)),
    ),
    repeat(
      () => 5_000,
      () => during.measure('upload of a picture', () => upload(server)),
    ),
    repeat(
      () => 5_000,
      async () => {
        memory.push(Number(server.memory()))
        return Promise.resolve()
      },
    ),
  ])
  await report({ server, before, drivers, trips, idle, during, memory })
}

interface Shift {
  server: Subject
  before: string
  drivers: number
  trips: number
  idle: Times
  during: Times
  /** In MB, in the order of time. */
  memory: readonly number[]
}

async function report({ server, before, drivers, trips, idle, during, memory }: Shift): Promise<void> {
  const engine = process.env['DATABASE_URL'] ? 'PostgreSQL' : 'SQLite'
  const size = `${drivers.toLocaleString('en')} drivers and ${trips.toLocaleString('en')} trips on ${engine}`
  const title = `## ${options.minutes} minutes with ${options.users} users, ${size}`
  const about =
    'Written by `node bench/shift.ts`. Times in ms. Idle: one call after the other, without anything else. Each user has a session ' +
    'and does something every two seconds; all drivers are exported once a minute, a picture is uploaded every five seconds.'
  const ofMinute = (nth: number) =>
    (percentile(memory.slice((nth - 1) * 12, nth * 12), 0.5) ?? NaN).toFixed(0)
  const last = Math.floor(memory.length / 12)
  const failed = [...during.failed].map(([message, times]) => `${String(times)} times ${message}`)
  const facts = [
    `${before} and ${loadAverage()} after`,
    `Node ${process.version}`,
    `memory of the server: ${ofMinute(3)} MB in the third minute, ${ofMinute(last)} MB in the last one, at most ${String(Math.max(...memory))} MB`,
    `the longest call took ${(during.slowest() / 1000).toFixed(1)} s`,
    `failed: ${failed.join('; ') || 'none'}`,
    `${server.memory()} MB at the end`,
  ]
  const figure = (times: Times, name: string, share: number) =>
    times.percentile(name, share)?.toFixed(1) ?? '–'
  const head = ['call', 'calls', 'idle p50', 'idle p95', 'p50', 'p95', 'p99', 'longest', 'p95 / idle p95']
  const lines = during.names().map((name) => {
    const [p95, idleP95] = [during.percentile(name, 0.95), idle.percentile(name, 0.95)]
    return [
      ...[name, during.count(name).toLocaleString('en')],
      ...[0.5, 0.95].map((share) => figure(idle, name, share)),
      ...[0.5, 0.95, 0.99, 1].map((share) => figure(during, name, share)),
      p95 !== null && idleP95 !== null ? (p95 / idleP95).toFixed(1) : '–',
    ]
  })
  const text = [title, about, facts.map((fact) => `- ${fact}`).join('\n'), tableOf(head, lines)]
  console.log(text.join('\n\n'))
  await writeSection(`shift ${engine} ${String(drivers)} ${options.users}`, text.join('\n\n'))
}
