import { parseArgs } from 'node:util'
import { nouns } from '../server/nouns.ts'
import type { Noun } from '../server/nouns/noun.ts'
import { loadAverage, machineFact } from './client/facts.ts'
import { valueOf } from './client/lists.ts'
import { percentile } from './client/stats.ts'
import { tableOf, writeSection } from './results.ts'
import { api, read, timed } from './server/calls.ts'
import type { Subject } from './server/subjects.ts'
import { withProduct } from './with-product.ts'

/**
 * Compares the first page of every list under each of its filters with the first page without a filter, from the server as
 * `npm start` runs it, on the demo data that OMS_DATA or DATABASE_URL names. The pages with and without the filter are asked for in
 * turn. Writes a section of RESULTS.md. Usage, with the defaults: `node bench/filters.ts --rounds 15`.
 */
const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } })
const day = 24 * 60 * 60_000
/** Of a person or a record, among the others and not at their end. */
const someId = '4321'

interface Compared {
  list: string
  filter: string
  count: number
  /** Medians in ms. */
  plain: number
  filtered: number
  ratio: number
}

function lineOf({ list, filter, count, plain, filtered, ratio }: Compared): string[] {
  const figures = [plain.toFixed(1), filtered.toFixed(1), ratio.toFixed(2)]
  return [`${list} \`${filter}\``, count.toLocaleString('en'), ...figures]
}

await withProduct(run)

async function run(server: Subject): Promise<void> {
  const before = `${new Date().toISOString().slice(0, 10)}, ${machineFact()} before`
  const lines: Compared[] = []
  const sizes: string[] = []
  for (const noun of nouns) {
    const { path } = noun.list
    const count = await countOf(server, path)
    sizes.push(`${count.toLocaleString('en')} ${noun.plural}`)
    // Lists of a few rows take the same time with any filter.
    if (count < 1_000) continue
    for (const filter of filtersOf(noun)) lines.push(await compare(server, path, filter))
  }
  const engine = process.env['DATABASE_URL'] ? 'PostgreSQL' : 'SQLite'
  const [drivers = '', , , , trips = ''] = sizes
  const title = `## Filters, ${drivers} and ${trips} on ${engine}`
  const about =
    `Written by \`node bench/filters.ts\`. Medians of the first page in ms, ${options.rounds} times with and without the filter in turn. ` +
    `Lists of fewer than 1,000 records are left out.`
  const facts = [`${before} and ${loadAverage()} after`, `Node ${process.version}`, sizes.join(', ')]
  const head = ['list and filter', 'records', 'without filter', 'with filter', 'ratio']
  const rows = lines.toSorted((a, b) => b.ratio - a.ratio).map(lineOf)
  const text = [title, about, facts.map((fact) => `- ${fact}`).join('\n'), tableOf(head, rows)]
  await writeSection(`filters ${engine} ${drivers}`, text.join('\n\n'))
}

/** Each term of the list alone, with a value if it has one, and days: one day, 30 and 400 days, and with a state. */
function filtersOf({ list }: Noun): string[] {
  const dayOf = (ago: number) => new Date(Date.now() - ago * day).toISOString().slice(0, 10)
  const since = (ago: number) => `from:${dayOf(ago)},to:${dayOf(1)}`
  const value = new Map([
    ['from:', since(1)],
    ['to:', since(400)],
    ...['driver:', 'customer:', 'id:'].map((term) => [term, term + someId] as const),
  ])
  const state = list.terms.find((term) => ['completed', 'paid', 'suspended', 'handled'].includes(term))
  const longer = [since(30), ...(state ? [`${state},${since(1)}`, `${state},${since(30)}`] : [])]
  return [
    ...list.terms.map((term) => value.get(term) ?? term),
    ...(list.terms.includes('from:') ? longer : []),
  ]
}

async function compare(server: Subject, list: string, filter: string): Promise<Compared> {
  const [plain, filtered]: [number[], number[]] = [[], []]
  for (let round = 0; round <= Number(options.rounds); round++)
    for (const [times, terms] of [
      [plain, ''],
      [filtered, filter],
    ] as const) {
      const time = await timed(server, addressOf(list, terms))
      if (round > 0) times.push(time)
    }
  const [a, b] = [percentile(plain, 0.5) ?? NaN, percentile(filtered, 0.5) ?? NaN]
  const count = await countOf(server, list, filter)
  const line = { list, filter, count, plain: a, filtered: b, ratio: b / a }
  console.log(lineOf(line).join('   '))
  return line
}

async function countOf(server: Subject, list: string, filter = ''): Promise<number> {
  return Number(valueOf(await read(server, addressOf(list, filter)), 'count'))
}

function addressOf(list: string, filter: string): string {
  return `${api}${list}?filter=${filter}`
}
