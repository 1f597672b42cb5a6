import { performance } from 'node:perf_hooks'
import gazetteer from '../server/gazetteer/places-ke.json' with { type: 'json' }
import { fold } from '../server/fold.ts'
import { searchPlaces } from '../server/places.ts'

/**
 * Compares the place search with a plain substring filter, in one run. The time of a query is its fastest round, because
 * other programs may slow down a round. Prints the median and the slowest query in milliseconds. Between machines, compare
 * only the ratio.
 */
const rounds = 15

/** Every fourth name. That is enough for a median. */
const names = gazetteer.places.filter((_, nth) => nth % 4 === 0).map(({ name }) => name)
const folded = gazetteer.places.map(({ name, aliases = [] }) => [name, ...aliases].map(fold))
const plain = (question: string) =>
  folded.filter((own) => own.some((name) => name.includes(fold(question)))).slice(0, 8)

const typos = names.map((name, nth) => {
  const at = (nth * 7) % name.length
  return name.slice(0, at) + name.slice(at + 1)
})

const heap = process.memoryUsage().heapUsed
const start = performance.now()
searchPlaces('nairobi')
const first = performance.now() - start
const kept = (process.memoryUsage().heapUsed - heap) / 2 ** 20
console.log(
  `${folded.length} places; the first search took ${first.toFixed(1)} ms and ${kept.toFixed(1)} MiB`,
)

compare('whole names', names)
compare('beginnings of 3 letters', [...new Set(names.map((name) => name.slice(0, 3)))])
compare('one letter missing', typos)
compare('words in any order', ['java westlands', 'masai mara lodge', 'hotel java', 'zoo carnivore'])
compare('eight other words', ['abcd efgh ijkl mnop qrst uvwx yzab cdef'])

function compare(what: string, questions: string[]): void {
  const [mine, theirs] = [measure(searchPlaces, questions), measure(plain, questions)]
  const figures = `${mine.median.toFixed(3)} worst ${mine.worst.toFixed(3)}   plain ${theirs.median.toFixed(3)}`
  console.log(`${what.padEnd(24)} median ${figures}   ratio ${(mine.median / theirs.median).toFixed(1)}`)
}

function measure(search: (question: string) => unknown, questions: string[]) {
  const times = questions.map((question) =>
    Math.min(...Array.from({ length: rounds }, () => timed(search, question))),
  )
  return { median: medianOf(times), worst: Math.max(...times) }
}

function timed(search: (question: string) => unknown, question: string): number {
  const begin = performance.now()
  search(question)
  return performance.now() - begin
}

function medianOf(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN
}
