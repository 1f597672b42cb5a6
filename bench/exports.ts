import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { loadAverage, machineFact } from './client/facts.ts'
import { valueOf } from './client/lists.ts'
import { percentile } from './client/stats.ts'
import { tableOf, writeSection } from './results.ts'
import type { Subject } from './server/subjects.ts'
import { withProduct } from './with-product.ts'

/**
 * Measures the export of all drivers, from a separate server process on the demo data that OMS_DATA or DATABASE_URL
 * names: the time until the first rows, the growth of the server's memory (on Linux only), and how much
 * longer a list takes during the export. Writes a section of RESULTS.md. `--slow` reads at most 4 MB per second and writes none.
 * docs/decisions/0009 says what keeps it small.
 */
const slow = process.argv.includes('--slow')
/** When this many bytes are received, the first rows are among them. The parts before the rows are smaller. */
const someRows = 16_384

const date = new Date().toISOString().slice(0, 10)
await withProduct(run)

async function run(server: Subject): Promise<void> {
  const memory = () => Number(server.memory())
  const alone: number[] = []
  for (let nth = 0; nth < 200; nth++) alone.push(await timeOfList(server))
  const before = memory()
  let peak = before
  const exporting = measureExport(server)
  const during: number[] = []
  while (!exporting.ended()) {
    during.push(await timeOfList(server))
    peak = Math.max(peak, memory())
    await wait(20)
  }
  const { bytes, firstRows, total } = await exporting.result
  const engine = process.env['DATABASE_URL'] ? 'PostgreSQL' : 'SQLite'
  const count = await countOfDrivers(server)
  const lines = [
    ['file', `${(bytes / 1_000_000).toFixed(0)} MB in ${(total / 1000).toFixed(1)} s`],
    ['first rows', `${firstRows.toFixed(0)} ms`],
    ['memory of the server', `${before} MiB, at most ${peak} MiB: ${peak - before} MiB more`],
    ['a list without export', times(alone)],
    [
      'a list during export',
      `${times(during)}; ${(p99(during) / p99(alone)).toFixed(1)} times the 99th percentile`,
    ],
  ]
  const facts = [`${date}, ${machineFact()} before and ${loadAverage()} after`, `Node ${process.version}`]
  const text = [
    `## The export of ${count.toLocaleString('en')} drivers on ${engine}`,
    'Written by `node bench/exports.ts`. Times of lists are the median, the 99th percentile and the longest.',
    facts.map((fact) => `- ${fact}`).join('\n'),
    tableOf(['', 'measured'], lines),
  ].join('\n\n')
  if (slow) console.log(text)
  else await writeSection(`exports ${engine} ${String(count)}`, text)
}

function measureExport({ url, headers }: Subject) {
  let ended = false
  const read = async () => {
    const start = performance.now()
    const response = await fetch(`${url}/api/v1/oms/drivers-export-excel/`, { headers })
    if (!response.ok || !response.body) throw new Error(`The export failed with status ${response.status}.`)
    let bytes = 0
    let firstRows = 0
    for await (const chunk of response.body) {
      bytes += chunk.length
      if (!firstRows && bytes >= someRows) firstRows = performance.now() - start
      if (slow) await wait(chunk.length / 4_000)
    }
    return { bytes, firstRows, total: performance.now() - start }
  }
  const result = read().finally(() => (ended = true))
  return { result, ended: () => ended }
}

async function timeOfList({ url, headers }: Subject): Promise<number> {
  const start = performance.now()
  const response = await fetch(`${url}/api/v1/oms/drivers/?page=7`, { headers })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`The list failed with status ${response.status}.`)
  return performance.now() - start
}

async function countOfDrivers({ url, headers }: Subject): Promise<number> {
  const answer = await fetch(`${url}/api/v1/oms/drivers/`, { headers })
  return Number(valueOf(await answer.json(), 'count'))
}

function p99(values: readonly number[]): number {
  return percentile(values, 0.99) ?? NaN
}

function times(values: number[]): string {
  const most = Math.max(...values)
  return `${(percentile(values, 0.5) ?? NaN).toFixed(1)}, ${p99(values).toFixed(1)}, ${most.toFixed(0)} ms`
}
