import { tableOf } from '../results.ts'
import type { Cell } from './rounds.ts'
import { percentile } from './stats.ts'
import type { Page } from './target.ts'

/** A table with its title: a line for each measurement, a column for each page, and the product's ratios to the others. */
export function sectionOf({ suite, values }: Cell, pages: readonly Page[]): string {
  const of = (kind: Page['kind']) => pages.filter((page) => page.kind === kind)
  const lines = suite.measurements.map(({ name, from, share = 0.5 }) => {
    const figure = (page: Page) =>
      percentile(
        (values.get(page.name) ?? []).flatMap((visit) => visit[from] ?? []),
        share,
      )
    const ratioTo = (others: readonly Page[]) => {
      const [own = null] = of('product').map(figure)
      const best = Math.min(...others.map((page) => figure(page) ?? Infinity))
      return own === null || best === 0 || best === Infinity ? '–' : (own / best).toFixed(2)
    }
    return [name, ...pages.map((page) => formatted(figure(page))), ratioTo(of('peer')), ratioTo(of('limit'))]
  })
  const head = ['', ...pages.map(({ title }) => title), 'product / best peer', 'product / bare page']
  return `### ${suite.title}\n\n${tableOf(head, lines)}`
}

function formatted(value: number | null): string {
  if (value === null) return '–'
  return value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 })
}
