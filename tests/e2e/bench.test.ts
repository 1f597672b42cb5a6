import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Cell } from '../../bench/client/rounds.ts'
import { runRound } from '../../bench/client/rounds.ts'
import { droppedOf, percentile } from '../../bench/client/stats.ts'
import type { Suite } from '../../bench/client/suite.ts'
import { load } from '../../bench/client/suites/load.ts'
import { goTo } from '../../bench/client/suites/nav.ts'
import { close, enter, open, type } from '../../bench/client/suites/palette.ts'
import type { Target } from '../../bench/client/target.ts'
import type { Profile, Visit } from '../../bench/client/visit.ts'
import { visit } from '../../bench/client/visit.ts'
import { launchBrowser } from '../support/browser.ts'
import type { Known } from '../support/known-page.ts'
import { serveKnownPage } from '../support/known-page.ts'

/** The client bench on a page whose times are known. */
let browser: Browser
let served: Awaited<ReturnType<typeof serveKnownPage>>
beforeAll(async () => {
  ;[browser, served] = await Promise.all([launchBrowser(), serveKnownPage()])
})
afterAll(async () => {
  await browser.close()
  served.close()
})

const palette = { input: '#text', item: '.item' }
const customers = { name: 'customers', title: 'Customers', call: '', columns: [] }

const knownTarget = (known: Known): Target => ({
  name: 'known',
  title: 'known',
  kind: 'peer',
  folder: '',
  url: served.url,
  token: '',
  drivers: () => `/?known=${encodeURIComponent(JSON.stringify(known))}`,
  row: '.row',
  scroller: null,
  link: ({ name }) => `#${name}`,
  palette,
  textsOn: (list) => [`${list} `, '7'],
})

const visitKnown = <Result>(
  known: Known,
  measure: (visit: Visit) => Promise<Result>,
  { profile = '1x', timeout = 20_000 }: { profile?: Profile; timeout?: number } = {},
): Promise<Result> => visit(browser, knownTarget(known), { profile, rows: 50, timeout }, measure)

/** Expects a time that lies between the layout of the change and the third frame after it. */
async function expectTold(page: Page, time: number | null, least: number): Promise<void> {
  const { input, shown, painted } = await page.evaluate(() => window.told)
  expect(shown - input).toBeGreaterThanOrEqual(least - 1)
  expect(time).toBeGreaterThanOrEqual(shown - input)
  expect(time).toBeLessThanOrEqual(painted - input)
}

describe('the load', () => {
  test('ends when the first row is painted', async () => {
    await visitKnown({ firstRow: 300, layout: 100 }, ({ page, firstRow }) => expectTold(page, firstRow, 400))
  })

  test('counts the bytes of scripts, and on slow 4G they take as long as they must', async () => {
    const values = await visitKnown({ script: 200 }, load.measure, { profile: 'slow4g' })
    expect(values?.['firstRow']?.[0]).toBeGreaterThan(1_000)
    expect(values?.['script']?.[0]).toBeCloseTo(200, 0)
  })

  test('fails when the row does not come', async () => {
    const never = visitKnown({ firstRow: null }, () => Promise.resolve(), { timeout: 500 })
    await expect(never).rejects.toThrow('No row of the drivers in 500 ms.')
  })

  test('takes at least twice as long with the processor at a quarter of its speed', async () => {
    const timesOf = ({ page }: Visit) =>
      page.evaluate(() =>
        Array.from({ length: 100 }, () => {
          const start = performance.now()
          let sum = 0
          for (let i = 0; i < 2e6; i++) sum += Math.sqrt(i)
          return sum > 0 ? performance.now() - start : 0
        }),
      )
    const full = await visitKnown({}, timesOf)
    const quarter = await visitKnown({}, timesOf, { profile: '4x' })
    const sum = quarter.reduce((total, time) => total + time, 0)
    // Other programs slow down the sum, but not the fastest.
    expect(sum / (Math.min(...full) * full.length)).toBeGreaterThan(2)
  })
})

test('a click counts until the rows of the next list are painted, not those that are still on screen', async () => {
  await visitKnown({ list: 150 }, async (seen) => {
    await expectTold(seen.page, await goTo(seen, customers), 150)
  })
})

describe('the palette', () => {
  test('is ready when it is opaque', async () => {
    await visitKnown({ fade: 300 }, async ({ page }) => {
      expect(await open(page, palette)).toBeGreaterThan(280)
    })
  })

  test('opens, narrows its results and leads to a list in the times that the page needs', async () => {
    await visitKnown({ key: 100, list: 120 }, async (seen) => {
      const { page } = seen
      // The second time: after it was closed.
      await open(page, palette)
      await close(page, palette)
      await expectTold(page, await open(page, palette), 0)
      await expectTold(page, await type(page, palette, 'b'), 100)
      await expectTold(page, await enter(seen, 'vehicles'), 120)
    })
  })

  test('counts from the key, not from the modifier before it', async () => {
    await visitKnown({}, async ({ page }) => {
      await page.evaluate((ready) => window.bench.arm('ready', 'keydown', ready, 5_000), {
        is: 'ready',
        ...palette,
      } as const)
      await page.keyboard.down('Control')
      await page.waitForTimeout(200)
      await page.keyboard.press('k')
      await page.keyboard.up('Control')
      await expectTold(page, await page.evaluate(() => window.bench.result('ready')), 0)
    })
  })

  test('gives no time for a key that changes no result', async () => {
    await visitKnown({}, async ({ page }) => {
      await open(page, palette)
      expect(await type(page, palette, 'a')).toBeNull()
    })
  })
})

describe('scrolling', () => {
  const scroll = ({ page }: Visit, looks: boolean, speed = 5_000) =>
    page.evaluate((given) => window.bench.scroll(given), {
      row: '.row',
      scroller: null,
      speed,
      duration: 600,
      looks,
    })

  test('drops two of three frames when each one takes 45 ms', async () => {
    const { frames } = await visitKnown({ scroll: 45 }, (seen) => scroll(seen, false))
    expect(percentile(frames, 0.5)).toBeGreaterThan(40)
    expect(droppedOf(frames)).toBeGreaterThan(50)
  })

  test('finds the points without a row', async () => {
    const whole = await visitKnown({}, (seen) => scroll(seen, true))
    expect(whole.looked).toBeGreaterThan(0)
    expect(whole.blank).toBe(0)
    // The list stands still, so that the share does not depend on when the frames come: of the rows 7, 12 and 17, two are empty.
    const partly = await visitKnown({ emptyFrom: 10 }, (seen) => scroll(seen, true, 0))
    expect(partly.blank / partly.looked).toBeCloseTo(2 / 3)
  })
})

describe('a round', () => {
  const newCell = (measure: Suite['measure']): Cell => ({
    suite: { title: 'known suite', rows: 50, measurements: [], measure },
    profile: '1x',
    values: new Map(),
  })

  test('names a visit that failed and goes on with the next', async () => {
    const failing = newCell(() => Promise.reject(new Error('known failure')))
    const working = newCell(() => Promise.resolve({ known: [1] }))
    expect(await runRound(browser, [knownTarget({})], [failing, working], 1)).toEqual([
      'a visit failed: known, known suite, 1x: Error: known failure',
    ])
    expect(working.values.get('known')).toEqual([{ known: [1] }])
  })

  test('fails when the browser has ended, so that no figures of it are written', async () => {
    const ended = await launchBrowser()
    await ended.close()
    const cell = newCell(() => Promise.resolve({ known: [1] }))
    await expect(runRound(ended, [knownTarget({})], [cell], 1)).rejects.toThrow('closed')
  })
})
