import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { press, useConsole } from '../support/console.ts'
import { isFilled } from '../support/screens.ts'
import { wireDriver, wirePage } from '../support/wire.ts'

const twende = useConsole()

declare global {
  interface Window {
    /** Lets the frames come that `holdFrames` holds. */
    releaseFrames?: () => void
  }
}

/** From now on, callbacks of `requestAnimationFrame` wait until `window.releaseFrames` is called. */
const holdFrames = (page: Page) =>
  page.evaluate(() => {
    const own = window.requestAnimationFrame.bind(window)
    const held: FrameRequestCallback[] = []
    window.requestAnimationFrame = (callback) => held.push(callback)
    window.releaseFrames = () => {
      window.requestAnimationFrame = own
      for (const callback of held) own(callback)
    }
  })

const rows = (page: Page) => page.locator('tbody tr[aria-rowindex]')

const heights = (page: Page) =>
  page
    .getByRole('grid')
    .evaluate((grid) => ({ table: grid.clientHeight, scroller: grid.parentElement?.scrollHeight }))

async function showDriversAgain(page: Page): Promise<void> {
  await isFilled(page)
  await press(page, 'g', 'c')
  await page.getByRole('heading', { name: 'Customers' }).waitFor()
  await isFilled(page)
  await holdFrames(page)
  await press(page, 'g', 'd')
  await rows(page).first().waitFor()
}

test('a list that is shown again has the rows of the window first and all in the next frame, without moving', async () => {
  const page = await twende.open('/riders')
  await isFilled(page)
  const whole = await heights(page)
  const texts = await rows(page).allTextContents()
  expect(texts).toHaveLength(50)
  await showDriversAgain(page)
  const first = await rows(page).allTextContents()
  // 900 px less 160 px, in rows of 36 px.
  expect(first).toEqual(texts.slice(0, 21))
  expect(await heights(page)).toEqual(whole)
  await page.evaluate(() => window.releaseFrames?.())
  await expect.poll(() => rows(page).allTextContents()).toEqual(texts)
  expect(await heights(page)).toEqual(whole)
})

test.each([
  ['comfortable', 36, { width: 1440, height: 900 }],
  ['compact', 28, { width: 1440, height: 900 }],
  ['comfortable', 36, { width: 1024, height: 600 }],
  ['compact', 28, { width: 1920, height: 1080 }],
])(
  'the rows of the first frame fill the %s list, of rows of %s px, in a window of %o',
  async (density, height, size) => {
    const page = await twende.open('/riders', {
      prepare: async (before) => {
        await before.setViewportSize(size)
        await before.addInitScript((chosen) => {
          localStorage.setItem('oms.settings', JSON.stringify({ density: chosen }))
        }, density)
      },
    })
    await showDriversAgain(page)
    const first = await page.getByRole('grid').evaluate((grid) => {
      const shown = [...grid.querySelectorAll('tr[data-index]')].map((row) => row.getBoundingClientRect())
      return {
        height: shown[0]?.height,
        end: shown.at(-1)?.bottom ?? 0,
        list: grid.parentElement?.getBoundingClientRect().bottom ?? 0,
      }
    })
    expect(first.height).toBe(height)
    expect(first.end).toBeGreaterThanOrEqual(first.list)
  },
)

test('the next page has the rows of the window first, and those with the longest texts, so that no column moves', async () => {
  const long = 'Wanjiku Njeri wa Kamau wa Githinji'
  const page = await twende.open('/riders', {
    prepare: (before) =>
      before.route('**/oms/drivers/?*', (route) => {
        const at = Number(new URL(route.request().url()).searchParams.get('page') ?? 1)
        const drivers = Array.from({ length: 50 }, (_, index) =>
          wireDriver({ id: at * 100 + index, name: at === 2 && index === 40 ? long : `Jo ${at}` }),
        )
        return route.fulfill({
          json: wirePage(drivers, { current_page_number: at, total_pages: 2, count: 100 }),
        })
      }),
  })
  await isFilled(page)
  const widths = () =>
    page.getByRole('columnheader').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width))
  const before = await widths()
  await holdFrames(page)
  await press(page, ']')
  await page.getByText('Jo 2').first().waitFor()
  const shown = () => rows(page).evaluateAll((all) => all.map((one) => Number(one.dataset['index'])))
  expect(await shown()).toEqual([...Array.from({ length: 21 }, (_, index) => index), 40])
  const first = await widths()
  expect(first[1]).toBeGreaterThan(before[1] ?? 0)
  await page.evaluate(() => window.releaseFrames?.())
  await expect.poll(() => rows(page).count()).toBe(50)
  expect(await widths()).toEqual(first)
})

describe.each([1440, 390])('what comes after the rows of a list moves nothing, at %d px', (width) => {
  const views = /views\/$|dialogs-/
  const all = /capabilities\/$|views\/$|dialogs-/
  test.each([
    ['/riders', all],
    ['/riders?name=an', all],
    ['/trips?s=na', all],
    ['/riders?view=Mornings', all],
    // These wait for the capabilities of the server.
    ['/riders?size=25', views],
    ['/riders?filter=online', views],
    ['/sos', all],
    ['/blogs', all],
  ])('on %s (S9.6)', async (path, late) => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const page = await twende.open(path, {
      early: true,
      answers: true,
      viewport: { width, height: 900 },
      prepare: async (before) => {
        const view = {
          id: 1,
          list: 'drivers',
          name: 'Mornings',
          query: 'size=100',
          hidden: '',
          pinned: false,
        }
        await before.route('**/oms/views/', (route) => route.fulfill({ json: { results: [view] } }))
        await before.route(late, async (route) => {
          await released
          await route.fallback()
        })
      },
    })
    await isFilled(page)
    const size = new URL(page.url()).searchParams.get('size')
    if (!/sos|blogs/.test(path)) await expect.poll(() => rows(page).count()).toBe(Number(size ?? 50))
    const places = () =>
      page.locator('main').evaluate((main) =>
        // Chips get the names of their records, so those beside them move.
        [...main.querySelectorAll('h1,tr,article,:is(article,tr,nav,header) :is(button,input)')].map(
          (one) => {
            const name =
              one.getAttribute('aria-rowindex') ?? one.getAttribute('aria-label') ?? one.textContent
            const { left, top } = one.getBoundingClientRect()
            return `${one.tagName} ${name || one.getAttribute('placeholder')}, ${left}, ${top}`
          },
        ),
      )
    const before = await places()
    release()
    await page.getByRole('button', { name: 'Views' }).waitFor()
    if (path.includes('view=')) await page.getByText('View: Mornings').waitFor()
    else if (path.includes('?')) await page.getByRole('button', { name: 'Save view' }).waitFor()
    if (path !== '/blogs') await page.getByRole('button', { name: 'Filter', exact: true }).waitFor()
    expect(before.length).toBeGreaterThan(20)
    const after = await places()
    expect(before.filter((place) => !after.includes(place))).toEqual([])
  })
})

test('a key that comes before the other rows reaches the last one', async () => {
  const page = await twende.open('/riders')
  await showDriversAgain(page)
  await press(page, 'j', 'Control+End')
  const focused = () => page.evaluate(() => document.activeElement?.closest('tr')?.dataset['index'])
  expect(await focused()).toBe('49')
  expect(await rows(page).count()).toBe(22)
  await page.evaluate(() => window.releaseFrames?.())
  await expect.poll(() => rows(page).count()).toBe(50)
  expect(await focused()).toBe('49')
})

test('the palette shows the rows in sight first, then those below them, and no row twice', async () => {
  const page = await twende.open('/riders')
  await isFilled(page)
  await press(page, 'Control+k', 'Escape')
  const states = await page.evaluateHandle(() => {
    const states: (string | undefined)[][] = []
    new MutationObserver(() => {
      const options = document.querySelectorAll<HTMLElement>('[role=option]')
      states.push(Array.from(options, ({ dataset }) => dataset['id']))
    }).observe(document.body, { childList: true, subtree: true, attributes: true })
    return states
  })
  const taken = async () => (await states.jsonValue()).filter((ids) => ids.length > 0)
  const lastCount = async () => (await taken()).at(-1)?.length
  await press(page, 'Control+k')
  await expect.poll(lastCount).toBeGreaterThan(12)
  expect((await taken())[0]).toHaveLength(12)
  await press(page, 's')
  await expect.poll(lastCount).toBe(20)
  for (const ids of await taken()) expect(new Set(ids).size).toBe(ids.length)
})
