import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { inRunFolder } from '../tests/support/run-folder.ts'
import { launchBrowser } from './browser.ts'
import { buildPage } from './client/build.ts'
import { loadAverage, machineFact } from './client/facts.ts'
import { installProbe } from './client/probe.ts'
import { servePages } from './client/served.ts'
import { percentile } from './client/stats.ts'
import { close, open, type } from './client/suites/palette.ts'
import { giveSession, logIn, newDemoFolder } from './demo.ts'
import { tableOf, writeSection } from './results.ts'

/**
 * Times the palette of the production build with 0, 1,000 and 10,000 further commands, on the real server with demo data:
 * from Ctrl+K until its input is focused and rows are painted, and from each key until its rows are painted. The CPU runs
 * at full speed and at a quarter of it. Rounds of all combinations alternate, so that other programs slow down all alike. Writes a
 * section of RESULTS.md.
 */
const rounds = 3
const counts = [0, 1_000, 10_000]
const slowdowns = [1, 4]
const queries = ['kam', 'otieno', 'dr-0042', 'susp']

const palette = { input: '[role=combobox]', item: '[role=option]' }

await inRunFolder(run)

async function run(): Promise<void> {
  const before = `${new Date().toISOString().slice(0, 10)}, ${machineFact()} before`
  const built = await buildPage(join(import.meta.dirname, 'palette'))
  const served = await servePages([built], await newDemoFolder(1_200))
  const [url = ''] = served.urls
  const token = await logIn(url)
  const browser = await launchBrowser()
  try {
    const times = new Map<string, { open: number[]; key: number[]; rows: number }>()
    for (let round = 0; round <= rounds; round++)
      for (const count of counts)
        for (const slowdown of slowdowns) {
          const page = await newPage(browser, { url: `${url}/?n=${String(count)}`, token, slowdown })
          const measured = await measure(page)
          await page.context().close()
          // The first round warms up the machine.
          if (round === 0) continue
          const name = `${count.toLocaleString('en')}, ${String(slowdown)}x`
          const all = times.get(name) ?? { open: [], key: [], rows: 0 }
          all.open.push(...measured.open)
          all.key.push(...measured.key)
          all.rows = Math.max(all.rows, measured.rows)
          times.set(name, all)
        }
    const head = ['further commands, processor', 'open', 'key', 'most rows']
    const lines = [...times].map(([name, { open, key, rows }]) => [
      ...[name, figuresOf(open), figuresOf(key)],
      String(rows),
    ])
    const title = '## The palette with up to 10,000 further commands'
    const about =
      'Written by `node bench/palette.ts`. In ms: the median, the 95th percentile and the longest, from Ctrl+K until the text field has the focus and rows are painted, and from a key until its rows are painted. ' +
      'The search on the server is not answered. Without further commands, some keys change rows only after the 300 ms for which the palette waits for that search.'
    const facts = [`${before} and ${loadAverage()} after`, `Chromium ${browser.version()}, headless`]
    const text = [title, about, facts.map((fact) => `- ${fact}`).join('\n'), tableOf(head, lines)]
    await writeSection('palette', text.join('\n\n'))
  } finally {
    await browser.close()
    served.close()
  }
}

async function newPage(
  browser: Browser,
  { url, token, slowdown }: { url: string; token: string; slowdown: number },
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await giveSession(context, token)
  await context.addInitScript(installProbe, { row: 'h1', texts: ['further commands'], timeout: 60_000 })
  const page = await context.newPage()
  // Local rows are timed; an answer that comes later would be taken for the effect of a key.
  await page.route('**/api/v1/oms/search/**', () => undefined)
  await page.goto(url)
  await page.evaluate(() => window.bench.firstRow)
  // The palette prepares itself while nobody types.
  await page.waitForTimeout(2_500)
  const cdp = await context.newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return page
}

async function measure(page: Page): Promise<{ open: number[]; key: number[]; rows: number }> {
  const opened: number[] = []
  const key: number[] = []
  let rows = 0
  for (let times = 0; times < 3; times++) {
    const ms = await open(page, palette)
    // The first one is not warm.
    if (times > 0) opened.push(ms)
    await close(page, palette)
  }
  await open(page, palette)
  for (const query of queries) {
    for (const letter of query) {
      const ms = await type(page, palette, letter)
      // Null: this key changed no row.
      if (ms !== null) key.push(ms)
      rows = Math.max(rows, await page.locator(palette.item).count())
    }
    await page.waitForTimeout(250)
    await page.locator(palette.input).fill('')
    await page.waitForTimeout(100)
  }
  return { open: opened, key, rows }
}

/** The median, the 95th of 100 and the worst. */
function figuresOf(times: readonly number[]): string {
  return [0.5, 0.95, 1].map((share) => (percentile(times, share) ?? NaN).toFixed(0)).join(', ')
}
