import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { inTransaction } from '../server/db/bulk.ts'
import type { Engine } from '../server/db/engine.ts'
import { openDatabase } from '../server/db/open.ts'
import { beginMonth, partitionsOf, partitionTrips } from '../server/db/partitions.ts'
import { loadAverage, machineFact } from './client/facts.ts'
import { valueOf } from './client/lists.ts'
import { tableOf, writeSection } from './results.ts'
import { api, read, timed } from './server/calls.ts'
import type { Subject } from './server/subjects.ts'
import { Times } from './server/times.ts'
import { withProduct } from './with-product.ts'

/**
 * Partitions the trips of the demo data on PostgreSQL that DATABASE_URL names, lets months begin, each after new trips, and compares
 * calls before and after. The server as `npm start` runs it goes on meanwhile. The database stays partitioned: use one that nobody needs.
 * Writes a section of RESULTS.md. Usage, with the defaults: `node bench/partitions.ts --months 12 --trips 20000 --rounds 100`.
 */
const { values: options } = parseArgs({
  options: {
    months: { type: 'string', default: '12' },
    trips: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '100' },
  },
})
const [months, newTrips, rounds] = [options.months, options.trips, options.rounds].map(Number)
const monthLength = 31 * 24 * 60 * 60_000

const calls = {
  'first page': 'trips/',
  'page 1,000': 'trips/?page=1000',
  'page 100,000': 'trips/?page=100000',
  'completed, first page': 'trips/?filter=completed',
  'completed, page 1,000': 'trips/?filter=completed&page=1000',
  'trips of one driver': 'drivers/4321/trips/',
  'one place': 'trips/?s=kibera%20drive',
  'SOS, first page': 'sos-lists/',
  'dashboard of 90 days': 'trends/?days=90',
}

await withProduct(run)

async function run(server: Subject): Promise<void> {
  const engine = openDatabase({ databaseUrl: process.env['DATABASE_URL'] ?? null, dataFolder: '' })
  try {
    const began = `${new Date().toISOString().slice(0, 10)}, ${machineFact()} before`
    const trips = Number(valueOf(await read(server, `${api}trips/`), 'count'))
    const before = await measured(server)
    const now = Date.now()
    const conversion = await timeOf(() => partitionTrips(engine, now))
    const converted = await measured(server)
    const changes: number[] = []
    for (let month = 1; month <= (months ?? 0); month++) {
      await addTrips(engine)
      changes.push(await timeOf(() => beginMonth(engine, now + month * monthLength)))
    }
    const after = await measured(server)
    const count = (await partitionsOf(engine)).length
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
    const facts = [
      `${began} and ${loadAverage()} after`,
      `Node ${process.version}`,
      `making trips a partitioned table took ${seconds(conversion)}, with the statistics`,
      `each of the ${options.months} months began after ${Number(options.trips).toLocaleString('en')} new trips and took at most ${seconds(Math.max(...changes))}, with the statistics`,
      `failed: ${[before, converted, after].flatMap(({ failed }) => [...failed.keys()]).join('; ') || 'none'}`,
    ]
    const figure = (times: Times, name: string) =>
      [0.5, 0.95].map((share) => times.percentile(name, share)?.toFixed(1) ?? '–')
    const head = [
      'call',
      ...['one table', '2 partitions', `${String(count)} partitions`].flatMap((at) => [`${at}, p50`, 'p95']),
    ]
    const lines = Object.keys(calls).map((name) => [
      name,
      ...[before, converted, after].flatMap((times) => figure(times, name)),
    ])
    const title = `## Partitions of ${trips.toLocaleString('en')} trips on PostgreSQL`
    const about = `Written by \`node bench/partitions.ts\`. Times of calls in ms, ${options.rounds} of each, one after the other.`
    const text = [title, about, facts.map((fact) => `- ${fact}`).join('\n'), tableOf(head, lines)]
    console.log(text.join('\n\n'))
    await writeSection(`partitions ${String(trips)}`, text.join('\n\n'))
  } finally {
    await engine.close()
  }
}

async function measured(server: Subject): Promise<Times> {
  for (const path of Object.values(calls)) await timed(server, api + path)
  const times = new Times()
  for (let round = 0; round < (rounds ?? 0); round++)
    for (const [name, path] of Object.entries(calls))
      await times.measure(name, () => timed(server, api + path))
  return times
}

/** As the newest trips are. */
async function addTrips(engine: Engine): Promise<void> {
  const names = sql.raw(
    'driver_id, customer_id, start_name, destination_name, status, notes, search, created_at, cost, distance',
  )
  await inTransaction(engine, async (trx) => {
    await sql`insert into trips (${names})
      select ${names} from (select * from trips order by id desc limit ${newTrips}) as newest order by id`.execute(
      trx,
    )
  })
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
