import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { inRunFolder } from '../tests/support/run-folder.ts'
import { launchBrowser } from './browser.ts'
import { chooseProfiles } from './client/choose.ts'
import { loadAverage, machineFact } from './client/facts.ts'
import { pages } from './client/pages.ts'
import { prepare } from './client/prepare.ts'
import { nav } from './client/suites/nav.ts'
import { palette } from './client/suites/palette.ts'
import type { Target } from './client/target.ts'
import type { Spent } from './client/trace.ts'
import { categories, spentIn } from './client/trace.ts'
import type { Profile } from './client/visit.ts'
import { visit } from './client/visit.ts'
import { tableOf, writeSection } from './results.ts'

/**
 * Shows where the time of the console's interactions goes, and of the same ones of the bare React page: traces of Chromium, the means
 * of all measures of all rounds. Writes a section of RESULTS.md. Usage, with the defaults: `node bench/where.ts --profiles 1x,4x --runs 3`.
 */
const { values: options } = parseArgs({
  options: { profiles: { type: 'string', default: '1x,4x' }, runs: { type: 'string', default: '3' } },
})
const profiles = chooseProfiles(options.profiles)

const titles = [
  'first load',
  'another list, again',
  'Ctrl+K',
  'a key in the palette',
  'Enter to the list',
] as const
type Title = (typeof titles)[number]

const kinds = [
  'total',
  'script',
  'compile',
  'collection',
  'style',
  'layout',
  'paint',
  'other',
  'waiting',
] as const

await inRunFolder(run)

async function run(): Promise<void> {
  const { targets, close } = await prepare(pages.filter(({ kind }) => kind === 'product' || kind === 'limit'))
  const before = `${new Date().toISOString().slice(0, 10)}, ${machineFact()} before`
  const browser = await launchBrowser()
  const tables: string[] = []
  try {
    for (const profile of profiles) {
      const found = new Map<Target, Map<Title, Spent[]>>(targets.map((target) => [target, new Map()]))
      for (let round = 0; round < Number(options.runs); round++)
        for (const target of targets)
          for (const [title, spent] of await trace(browser, target, profile)) {
            const all = found.get(target)
            all?.set(title, [...(all.get(title) ?? []), spent])
          }
      tables.push(`### ${profile}`, tableOf(['', 'page', ...kinds], linesOf(found)))
    }
    const title = '## Where the time of an interaction goes'
    const about =
      'Written by `node bench/where.ts`. What the main thread did from the input to the frame that shows its effect, in ms, and the time in which it had ' +
      'nothing to do: traces of Chromium, which take some time themselves. Means, not medians as above, so that they add up.'
    const facts = [`${before} and ${loadAverage()} after`, `Chromium ${browser.version()}, headless`]
    const text = [title, about, facts.map((fact) => `- ${fact}`).join('\n'), ...tables].join('\n\n')
    console.log(text)
    await writeSection('where', text)
  } finally {
    await browser.close()
    close()
  }
}

/** One visit that does everything. */
async function trace(browser: Browser, target: Target, profile: Profile): Promise<[Title, Spent][]> {
  await browser.startTracing(undefined, { categories: [...categories] })
  await visit(browser, target, { profile, rows: 50 }, async (opened) => {
    const { page, firstRow } = opened
    await page.evaluate((end) => performance.measure('bench load', { start: 0, end }), firstRow)
    await nav.measure(opened)
    await palette.measure(opened)
  })
  const spent = spentIn((await browser.stopTracing()).toString())
  const rows = spent.filter(({ name }) => name === 'row')
  // Six lists twice, then the lists of the palette. The first time and the first opening of the palette are left out.
  const again = rows.slice(6, 12)
  const jumps = rows.slice(12)
  const named = (wanted: string) => spent.filter(({ name }) => name === wanted)
  const all: [Title, typeof spent][] = [
    ['first load', named('load')],
    ['another list, again', again],
    ['Ctrl+K', named('ready').slice(1)],
    ['a key in the palette', named('key')],
    ['Enter to the list', jumps],
  ]
  return all.flatMap(([title, ones]) => ones.map((one): [Title, Spent] => [title, one.spent]))
}

function linesOf(found: ReadonlyMap<Target, ReadonlyMap<Title, readonly Spent[]>>): string[][] {
  return titles.flatMap((title) =>
    [...found].map(([target, all]) => {
      const ones = all.get(title) ?? []
      const mean = (kind: keyof Spent) => ones.reduce((sum, spent) => sum + spent[kind], 0) / ones.length
      return [title, target.title, ...kinds.map((kind) => mean(kind).toFixed(1))]
    }),
  )
}
