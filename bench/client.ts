import { parseArgs } from 'node:util'
import { inRunFolder } from '../tests/support/run-folder.ts'
import { launchBrowser } from './browser.ts'
import { choose, chooseProfiles } from './client/choose.ts'
import { loadAverage, machineFact, pageFact } from './client/facts.ts'
import { pages } from './client/pages.ts'
import { prepare } from './client/prepare.ts'
import { sectionOf } from './client/report.ts'
import type { Cell } from './client/rounds.ts'
import { runRound } from './client/rounds.ts'
import type { Suite } from './client/suite.ts'
import { load } from './client/suites/load.ts'
import { nav } from './client/suites/nav.ts'
import { palette } from './client/suites/palette.ts'
import { scroll } from './client/suites/scroll.ts'
import type { Page } from './client/target.ts'
import type { Profile } from './client/visit.ts'
import { writeSection } from './results.ts'

/**
 * Compares the console in Chromium with what its users would choose instead, and with a bare React page as the limit. All show
 * the same lists from the product's server with demo data. Writes a section of RESULTS.md for each profile. Usage, with the defaults:
 * `node bench/client.ts --targets product,bare,react-admin,refine-antd,ag-grid --suites load,nav,palette,scroll
 * --profiles 1x,4x --runs 5`. Another profile is slow4g.
 */
const allSuites = { load, nav, palette, scroll }
const { values: options } = parseArgs({
  options: {
    targets: { type: 'string', default: pages.map(({ name }) => name).join() },
    suites: { type: 'string', default: Object.keys(allSuites).join() },
    profiles: { type: 'string', default: '1x,4x' },
    runs: { type: 'string', default: '5' },
  },
})
const wanted = choose<Page>(options.targets, Object.fromEntries(pages.map((page) => [page.name, page])))
const newCells = () =>
  chooseProfiles(options.profiles).flatMap((profile) =>
    choose<Suite>(options.suites, allSuites).map((suite): Cell => ({ suite, profile, values: new Map() })),
  )
const cells = newCells()
const rounds = Number(options.runs)
if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--runs is "${options.runs}".`)

const title = (profile: Profile) =>
  `## The console and its alternatives, in Chromium: ${{ '1x': 'full speed', '4x': 'a quarter of the speed', slow4g: 'slow 4G' }[profile]}`
const about = (done: number) =>
  `Written by \`node bench/client.ts\`. All pages show the same lists, from the product's server with 10,000 drivers on SQLite. ` +
  `Medians of ${done === 1 ? 'one round' : `${done} rounds`}; less is better. ` +
  `A key counts until other results are painted: if it changes none of those that a page finds itself, until the server's answer brings others, which only the product shows.`

await inRunFolder(run)

async function run(): Promise<void> {
  const { targets, missing, close } = await prepare(wanted)
  const browser = await launchBrowser()
  try {
    const before = `${new Date().toISOString().slice(0, 10)}, ${machineFact()} before`
    const versions = `Chromium ${browser.version()}, headless; Node ${process.version}`
    const notes = [versions, ...targets.map(pageFact), ...missing]
    // Its figures are not counted: the first visits are slower.
    await runRound(browser, targets, newCells().slice(0, 1), 0)
    for (let round = 1; round <= rounds; round++) {
      notes.push(...(await runRound(browser, targets, cells, round)))
      console.log(`round ${round} of ${rounds} is done`)
      const facts = [`${before} and ${loadAverage()} after`, ...notes].map((fact) => `- ${fact}`).join('\n')
      for (const [profile, ofProfile] of Map.groupBy(cells, ({ profile }) => profile)) {
        const tables = ofProfile.map((cell) => sectionOf(cell, targets))
        await writeSection(`client ${profile}`, [title(profile), about(round), facts, ...tables].join('\n\n'))
      }
    }
  } finally {
    await browser.close()
    close()
  }
}
