/** Metrics in the text format of Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/ */

type Labels = Record<string, string | number>

/** A value of a metric whose values are known when it is read. */
export interface Sample {
  labels?: Labels
  value: number
}

/** The text of a metric; empty without samples. */
export function textOf(name: string, kind: 'gauge' | 'counter', help: string, samples: Sample[]): string {
  if (samples.length === 0) return ''
  const lines = samples.map(({ labels = {}, value }) => `${name}${written(labels)} ${String(value)}\n`)
  return `${headOf(name, kind, help)}${lines.join('')}`
}

/** In seconds: from a record to the longest statement of PostgreSQL. */
const limits = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30]

/** Counts durations by labels, each in all buckets whose limit it does not exceed. */
export function durations(name: string, help: string) {
  const series = new Map<string, { labels: Labels; buckets: number[]; count: number; sum: number }>()
  return {
    add: (labels: Labels, seconds: number): void => {
      const key = Object.values(labels).join(' ')
      const one = series.get(key) ?? { labels, buckets: limits.map(() => 0), count: 0, sum: 0 }
      series.set(key, one)
      for (const [at, limit] of limits.entries())
        if (seconds <= limit) one.buckets[at] = (one.buckets[at] ?? 0) + 1
      one.count++
      one.sum += seconds
    },
    text: (): string => {
      if (series.size === 0) return ''
      const lines = [...series.values()].map(({ labels, buckets, count, sum }) =>
        [
          ...limits.map((le, at) => `${name}_bucket${written({ ...labels, le })} ${buckets[at] ?? 0}`),
          `${name}_bucket${written({ ...labels, le: '+Inf' })} ${count}`,
          `${name}_sum${written(labels)} ${sum}`,
          `${name}_count${written(labels)} ${count}\n`,
        ].join('\n'),
      )
      return headOf(name, 'histogram', help) + lines.join('')
    },
  }
}

const headOf = (name: string, kind: string, help: string) =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n`

function written(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${String(value).replace(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`))}"`,
  )
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}
