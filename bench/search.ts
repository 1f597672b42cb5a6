import { performance } from 'node:perf_hooks'
import { readConfig } from '../server/config.ts'
import { openDatabase } from '../server/db/open.ts'
import { nouns } from '../server/nouns.ts'
import { search } from '../server/queries/search.ts'

/**
 * Measures the search over everything on the database that OMS_DATA or DATABASE_URL names, for each of the searches of
 * decision 0017: the median, the 95th percentile and the slowest in milliseconds. Every round runs all of them, so that one
 * search does not keep the caches for itself; the first round finds them empty if the server has just started.
 */
const rounds = Number(process.argv[2] ?? 40)
const searches: { q: string; named?: string[]; filter?: string }[] = [
  ...['ka', 'ian tumanka', '0712', '342h', 'tumnaka', 'kamua', '1200', 'itt', 'ja mo'].map((q) => ({ q })),
  { q: 'kamau', named: ['trip'] },
  { q: 'kamau', filter: 'suspended' },
  { q: 'kamau', filter: 'unpaid' },
]

const engine = openDatabase(readConfig(process.env))
const times = searches.map((): number[] => [])
for (let round = 0; round < rounds; round++)
  for (const [nth, { q, named = [], filter = '' }] of searches.entries()) {
    const start = performance.now()
    await search(engine, nouns, { q, nouns: named, filter, limit: 5 }, Date.now())
    times[nth]?.push(performance.now() - start)
  }
await engine.close()

console.log(`${engine.name}, ${rounds} rounds${' '.repeat(20)}median      p95    worst`)
for (const [nth, { q, named = [], filter = '' }] of searches.entries()) {
  const sorted = (times[nth] ?? []).toSorted((a, b) => a - b)
  const part = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? NaN
  const what = [`"${q}"`, named.map((name) => `among ${name}s`).join(), filter].filter(Boolean).join(', ')
  console.log(
    `${what.padEnd(30)} ${[part(0.5), part(0.95), part(1)].map((ms) => ms.toFixed(1).padStart(8)).join(' ')}`,
  )
}
