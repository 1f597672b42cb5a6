import { parseArgs } from 'node:util'
import { loadAverage, machineFact } from './client/facts.ts'
import { valueOf } from './client/lists.ts'
import { tableOf, writeSection } from './results.ts'
import { api, read, timed } from './server/calls.ts'
import type { Subject } from './server/subjects.ts'
import { withProduct } from './with-product.ts'
import { Times } from './server/times.ts'

/**
 * Measures lists while heavy reads are under way: two exports of all drivers and ten searches for two letters at any time, from the
 * server as `npm start` runs it, on the demo data that OMS_DATA or DATABASE_URL names. Writes a section of RESULTS.md. Usage, with the
 * defaults: `node bench/heavy.ts --seconds 60`.
 */
const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } })
const lists = [
  'drivers/',
  'trips/',
  'all-invoices/',
  'customers/?page=70',
  'trips/?filter=completed',
  'drivers/321',
]
const searches = ['ka', 'wa', 'mu', 'an', 'ng'].flatMap((text) => [`drivers/?s=${text}`, `trips/?s=${text}`])

await withProduct(run)

async function run(server: Subject): Promise<void> {
  const before = `${new Date().toISOString().slice(0, 10)}, ${machineFact()} before`
  const count = async (list: string) => Number(valueOf(await read(server, api + list), 'count'))
  const [drivers, trips] = [await count('drivers/'), await count('trips/')]
  const [idle, during, heavy] = [new Times(), new Times(), new Times()]
  const askLists = async (times: Times, seconds: number) => {
    const end = performance.now() + seconds * 1000
    while (performance.now() < end)
      for (const list of lists) await times.measure(list, () => timed(server, api + list))
  }
  await askLists(new Times(), 2)
  await askLists(idle, 10)
  const end = new AbortController()
  const { signal } = end
  const again = async (name: string, path: string) => {
    while (!signal.aborted) await heavy.measure(name, () => timed(server, api + path, { signal }))
  }
  const working = [
    ...[1, 2].map(() => again('export of all drivers', 'drivers-export-excel/')),
    ...searches.map((search) => again(search, search)),
  ]
  await askLists(during, Number(options.seconds))
  const memory = server.memory()
  const failed = [idle, during, heavy].flatMap((times) =>
    [...times.failed].map(([message, times]) => `${String(times)} times ${message}`),
  )
  end.abort()
  await Promise.all(working)

  const engine = process.env['DATABASE_URL'] ? 'PostgreSQL' : 'SQLite'
  const size = `${drivers.toLocaleString('en')} drivers and ${trips.toLocaleString('en')} trips on ${engine}`
  const title = `## Lists during heavy reads, ${size}`
  const about =
    'Written by `node bench/heavy.ts`. Times in ms. Idle: one list after the other, without anything else. Heavy: the same during two ' +
    'exports of all drivers and ten searches for two letters at any time.'
  const facts = [
    `${before} and ${loadAverage()} after`,
    `Node ${process.version}`,
    `${memory} MB of memory at the end`,
    `failed: ${failed.join('; ') || 'none'}`,
  ]
  const head = ['call', 'idle p50', 'idle p99', 'heavy p50', 'heavy p99', 'longest', 'p99 / idle p99']
  const figure = (times: Times, name: string, share: number) =>
    (times.percentile(name, share) ?? NaN).toFixed(1)
  const lines = lists.map((list) => [
    list,
    ...[0.5, 0.99].map((share) => figure(idle, list, share)),
    ...[0.5, 0.99, 1].map((share) => figure(during, list, share)),
    ((during.percentile(list, 0.99) ?? NaN) / (idle.percentile(list, 0.99) ?? NaN)).toFixed(1),
  ])
  const under = heavy
    .names()
    .map((name) => [name, '', '', ...[0.5, 0.99, 1].map((share) => figure(heavy, name, share)), ''])
  const text = [
    title,
    about,
    facts.map((fact) => `- ${fact}`).join('\n'),
    tableOf(head, [...lines, ...under]),
  ]
  console.log(text.join('\n\n'))
  await writeSection(`heavy ${engine} ${String(drivers)}`, text.join('\n\n'))
}
