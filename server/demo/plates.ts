import fleet from './data/fleet-ke.json' with { type: 'json' }
import type { Random } from './random.ts'
import { shuffled, weighted } from './random.ts'

export type VehicleType = 'vehicles' | 'motorcycles' | 'tuktuks'

/** Returns a function that makes valid number plates, each one only once. */
export function createPlates(): (random: Random, type: VehicleType) => string {
  const used = new Map<Series, number>()
  const issue = (series: Series) => {
    const count = used.get(series) ?? 0
    used.set(series, count + 1)
    return series.plate(count)
  }
  return (random, type) => {
    if (type === 'motorcycles') return issue(motorcycles)
    return issue(type === 'tuktuks' ? tuktuks : pickCarSeries(random))
  }
}

const { letters_not_used, series_skipped, formats } = fleet.plates
const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ').filter(
  (letter) => !letters_not_used.includes(letter),
)
const car = formats.find((format) => format.id === 'car')

const pickCarSeries = weighted(
  Object.entries(car?.series_weights ?? {}).map(([start, weight], index) => ({
    weight,
    ...seriesOf(carPrefixes(start), index),
  })),
  (series) => series.weight,
)
const motorcycles = seriesOf(
  Array.from('ABCDEFGH').flatMap((third) => letters.map((fourth) => `KM${third}${fourth}`)),
  11,
)
const tuktuks = seriesOf(
  Array.from('ABCD', (fourth) => `KTW${fourth}`),
  12,
)

interface Series {
  plate: (index: number) => string
}

/** The plates with these prefixes, in random order: prefix, three digits from 001 to 999, a letter. */
function seriesOf(prefixes: string[], seed: number): Series {
  const order = shuffled(prefixes.length * 999 * letters.length, seed)
  return {
    plate: (index) => {
      const place = order(index)
      const digits = String((place % 999) + 1).padStart(3, '0')
      const rest = Math.floor(place / 999)
      return `${prefixes[Math.floor(rest / letters.length)] ?? ''} ${digits}${letters[rest % letters.length] ?? ''}`
    },
  }
}

function carPrefixes(start: string): string[] {
  const newest: Record<string, string> = car?.last_series_letter ?? {}
  return letters
    .filter((letter) => letter <= (newest[start] ?? 'Z'))
    .map((letter) => start + letter)
    .filter((prefix) => !series_skipped.includes(prefix))
}
