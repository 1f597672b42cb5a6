import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { useConsole } from '../support/console.ts'
import { isFilled } from '../support/screens.ts'
import { wireDriver, wirePage } from '../support/wire.ts'

const twende = useConsole()

const tables = [
  ...['/riders', '/customers', '/staff', '/vehicles', '/invoices', '/trips', '/bookings'],
  ...['/attractions', '/invites', '/coupons', '/promos', '/sos'],
]

/** Adds styles before the first paint. */
const withStyles = (css: string) => (page: Page) =>
  page.addInitScript((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [sheet]
  }, css)

/** What does not fit in a table: cut cells beside columns with space to spare, and columns out of view. */
const misfits = (page: Page) =>
  page.evaluate(() => {
    const table = document.querySelector('table')
    const scroller = table?.parentElement
    if (!table || !scroller) return ['there is no table']
    const headers = [...table.querySelectorAll('th')]
    const widths = () => headers.map((header) => header.getBoundingClientRect().width)
    const edge = scroller.getBoundingClientRect().right
    const outside = headers.filter((header) => header.getBoundingClientRect().right > edge)
    const unread = headers.filter(
      ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
        scrollWidth > clientWidth || scrollHeight > clientHeight,
    )
    const cut = [...table.querySelectorAll('td')].filter(
      ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
    )
    const given = widths()
    table.style.cssText = 'table-layout: auto; inline-size: max-content; min-inline-size: 0'
    for (const column of table.querySelectorAll('col')) column.style.inlineSize = 'auto'
    const natural = widths()
    const roomy = headers.filter((_header, at) => (given[at] ?? 0) - (natural[at] ?? 0) > 16)
    return [
      ...outside.map(({ textContent }) => `${textContent} is out of view`),
      ...unread.map(({ textContent }) => `the header ${textContent} is cut`),
      ...(cut.length > 0
        ? roomy.map(({ textContent }) => `${textContent} has space to spare, and ${cut.length} cells are cut`)
        : []),
    ]
  })

/** The texts of the cells that are longer than their cells: those that end with an ellipsis, and those that go on over the next cell. */
const longTexts = (page: Page) =>
  page.locator('td[role=gridcell]').evaluateAll((all) => {
    const long = all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    const isCut = (cell: Element) => {
      const { overflowX, textOverflow } = getComputedStyle(cell)
      return overflowX === 'clip' && textOverflow === 'ellipsis'
    }
    const texts = (cells: Element[]) => cells.map(({ textContent }) => textContent)
    return { cut: texts(long.filter(isCut)), spilt: texts(long.filter((cell) => !isCut(cell))) }
  })

/** The columns whose cells would not be cut although they had to be: the style sheet does not name them. */
const uncuttable = (page: Page) =>
  page.locator('[role=grid]').evaluate((table) => {
    const headers = [...table.querySelectorAll('th')]
    table.dataset['cut'] = headers.map((_header, at) => at).join(' ')
    const cells = [...(table.querySelector('tr[data-index]')?.children ?? [])]
    const left = cells.flatMap((cell, at) => (getComputedStyle(cell).overflowX === 'clip' ? [] : [at]))
    return left.map((at) => headers[at]?.textContent)
  })

describe.each([
  ['the default font', ''],
  ['a narrow font', 'body { letter-spacing: -0.04em }'],
  ['a wide font', 'body { letter-spacing: 0.05em }'],
])(
  'at 1440 px, with %s, all columns are in view, none has space that another one needs, and no text goes on over the next cell',
  (_font, css) => {
    test.each(tables)('in the list %s', async (path) => {
      const page = await twende.open(path, { prepare: withStyles(css) })
      await isFilled(page)
      expect((await longTexts(page)).spilt).toEqual([])
      expect(await misfits(page)).toEqual([])
      expect(await uncuttable(page)).toEqual([])
    })
  },
)

/** Opens the drivers; the name of the one on each page is given, or more of it. */
const openDrivers = (
  drivers: (string | Parameters<typeof wireDriver>[0])[],
  prepare?: (page: Page) => Promise<unknown>,
  options: { viewport?: { width: number; height: number } } = {},
) =>
  twende.open('/riders', {
    ...options,
    prepare: async (page) => {
      await prepare?.(page)
      await page.route('**/oms/drivers/?*', async (route) => {
        const at = Number(new URL(route.request().url()).searchParams.get('page') ?? 1)
        const driver = drivers[at - 1]
        const rows = [wireDriver({ id: at, ...(typeof driver === 'string' ? { name: driver } : driver) })]
        const count = drivers.length
        await route.fulfill({
          json: wirePage(rows, { current_page_number: at, total_pages: count, count }),
        })
      })
    },
  })

const widthsOf = (page: Page) =>
  page
    .getByRole('columnheader')
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().width)))

test('the columns stay where they are on the next page, unless a cell would be cut', async () => {
  const long = 'Wanjiku Njeri wa Kamau'
  const page = await openDrivers([long, 'Jo', `${long} ${long} ${long}`])
  await isFilled(page)
  const first = await widthsOf(page)
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('Jo', { exact: true }).waitFor()
  expect(await widthsOf(page)).toEqual(first)
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText(`${long} ${long}`).waitFor()
  expect((await widthsOf(page))[1]).toBeGreaterThan(first[1] ?? 0)
})

/** From now on, counts how often columns are measured. */
async function countMeasurings(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const options = { subtree: true, attributeFilter: ['data-measured'] }
    new MutationObserver(() => performance.mark('measured')).observe(document, options)
  })
  return () => page.evaluate(() => performance.getEntriesByName('measured').length)
}

test('columns are not measured again with a page whose cells fit into them', async () => {
  const page = await openDrivers(['Wanjiku Njeri', 'Jo', 'Wanjiku Njeri wa Kamau wa Githinji wa Mwangi'])
  await isFilled(page)
  const measurings = await countMeasurings(page)
  const next = page.getByRole('button', { name: 'Next page' })
  await next.click()
  await page.getByText('Jo', { exact: true }).waitFor()
  expect(await measurings()).toBe(0)
  await next.click()
  await page.getByText('Githinji').waitFor()
  await expect.poll(measurings).toBeGreaterThan(0)
})

test('in a tight table, a longer number on the next page is not cut', async () => {
  const name = 'Wanjiku Njeri wa Kamau wa Githinji'
  const short = { name, wallet_balance: 12_345_678.5 }
  const long = { name, wallet_balance: 123_456_789.5 }
  const page = await openDrivers([short, long], undefined, { viewport: { width: 930, height: 800 } })
  await isFilled(page)
  expect(await page.getByRole('grid').getAttribute('data-tight')).toBe('true')
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('123,456,789').waitFor()
  const numbers = page.locator('td[data-align=end]')
  expect(await numbers.count()).toBeGreaterThan(0)
  expect(
    await numbers.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length),
  ).toBe(0)
})

test('a list that is opened again with the same rows is not measured again', async () => {
  const page = await twende.open('/vehicles')
  await isFilled(page)
  const widths = await widthsOf(page)
  const measurings = await countMeasurings(page)
  const open = async (name: string) => {
    await page.getByRole('link', { name, exact: true }).click()
    await page.getByRole('grid', { name }).waitFor()
  }
  await open('Customers')
  await expect.poll(measurings).toBeGreaterThan(0)
  const before = await measurings()
  await open('Vehicles')
  expect(await widthsOf(page)).toEqual(widths)
  await open('Customers')
  expect(await measurings()).toBe(before)
})

test('the columns have their widths when the rows are painted first, and follow the window', async () => {
  const page = await openDrivers(['Jo'], (before) =>
    before.addInitScript(() => {
      const seen = new Set<string>()
      const look = () => {
        const widths = [...document.querySelectorAll<HTMLElement>('[role=grid] th')].map(
          ({ offsetWidth }) => offsetWidth,
        )
        if (widths.length > 0)
          document.documentElement.dataset['seen'] = [...seen.add(widths.join())].join(' then ')
        requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    }),
  )
  await isFilled(page)
  const widths = await widthsOf(page)
  expect(await page.evaluate(() => document.documentElement.dataset['seen'])).toBe(widths.join())
  await page.setViewportSize({ width: 1300, height: 800 })
  await expect.poll(async () => (await widthsOf(page))[1]).toBeLessThan(widths[1] ?? 0)
  expect(await misfits(page)).toEqual([])
})

/** Notes in `asked` what makes the browser compute the layout of a table whose columns have no widths yet, except measuring them. */
const watchLayout = `
  window.asked = []
  const note = (what) => {
    const column = document.querySelector('[role=grid]:not([data-measured]) col')
    if (column && column.style.inlineSize === '') asked.push(what)
  }
  const scrollLeft = Object.getOwnPropertyDescriptor(Element.prototype, 'scrollLeft')
  Object.defineProperty(Element.prototype, 'scrollLeft', {
    ...scrollLeft,
    get() {
      note('scrollLeft')
      return scrollLeft.get.call(this)
    },
  })
  const focus = HTMLElement.prototype.focus
  HTMLElement.prototype.focus = function (options) {
    note('focus')
    focus.call(this, options)
  }`

test('the layout of a table is computed once before its columns have their widths', async () => {
  const page = await openDrivers(['Jo'], (before) => before.addInitScript({ content: watchLayout }))
  await isFilled(page)
  await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe('main')
  expect(await page.evaluate<unknown>('asked')).toEqual([])
})

test('a table that was moved sideways stays there when its columns are measured again', async () => {
  const drivers = [{ name: 'Wanjiku Njeri', wallet_balance: 1 }]
  // While it is measured, a column has no chosen width, and the table is narrower.
  const widen = () => localStorage.setItem('oms.settings', '{"widths":{"/riders name":1200}}')
  const page = await openDrivers(drivers, (before) => before.addInitScript(widen))
  await isFilled(page)
  const scroller = page.locator('div:has(> [role=grid])')
  await scroller.evaluate((one) => one.scrollTo({ left: 40 }))
  await page.locator('[data-moved]').waitFor()
  const measurings = await countMeasurings(page)
  drivers[0] = { name: 'Wanjiku Njeri', wallet_balance: 123_456_789 }
  await page.keyboard.press('r')
  await page.getByText('123,456,789').waitFor()
  await expect.poll(measurings).toBeGreaterThan(0)
  expect(await scroller.evaluate((one) => one.scrollLeft)).toBe(40)
})

test.each([1440, 1024, 800])(
  'at %i px, texts that are cut end with an ellipsis, also those that change, and columns with space do not clip their cells',
  async (width) => {
    const driver = { id: 7, name: 'Wanjiku Njeri' }
    const page = await openDrivers([driver], undefined, { viewport: { width, height: 800 } })
    await isFilled(page)
    const clipping = () =>
      page
        .locator('td[role=gridcell]')
        .evaluateAll((all) => all.filter((one) => getComputedStyle(one).overflowX === 'clip').length)
    expect(await longTexts(page)).toEqual({ cut: [], spilt: [] })
    expect(await clipping()).toBe(0)
    driver.name = 'Wanjiku Njeri wa Kamau wa Githinji '.repeat(8).trim()
    await page.keyboard.press('r')
    await page.getByText(driver.name).waitFor()
    expect(await longTexts(page)).toEqual({ cut: [driver.name], spilt: [] })
    expect(await clipping()).toBe(1)
  },
)

test.each([1440, 1280, 1080, 390])(
  'at %i px no number is cut, as its beginning is another number',
  async (width) => {
    for (const path of ['/bookings', '/trips', '/riders']) {
      const page = await twende.open(path, { viewport: { width, height: 800 } })
      await isFilled(page)
      const numbers = page.locator('td[data-align=end]')
      expect(await numbers.count(), path).toBeGreaterThan(0)
      const cut = await numbers.evaluateAll((all) =>
        all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
      )
      expect(cut, path).toEqual([])
    }
  },
)

test('in a list of 1,000 rows, a long name below the window has its width from the beginning', async () => {
  const name = 'Wanjiku Njeri wa Kamau wa Githinji'
  const page = await twende.open('/riders?size=1000', {
    prepare: (before) =>
      before.route('**/oms/drivers/?*', (route) =>
        route.fulfill({
          json: wirePage(
            Array.from({ length: 1000 }, (_, at) => wireDriver({ id: at, name: at === 800 ? name : 'Jo' })),
          ),
        }),
      ),
  })
  await isFilled(page)
  const link = page.getByRole('link', { name })
  expect(
    await link.evaluate(
      (one) => (one.closest('td')?.scrollWidth ?? 0) <= (one.closest('td')?.clientWidth ?? 0),
    ),
  ).toBe(true)
})

test('in a list of 1,000 rows, a name in capital letters does not go on over the next cell, also if others have more letters', async () => {
  const name = 'WANJIKU WAMBUI MWANGI WAMBUA'
  const page = await twende.open('/riders?size=1000', {
    prepare: (before) =>
      before.route('**/oms/drivers/?*', (route) =>
        route.fulfill({
          json: wirePage(
            Array.from({ length: 1000 }, (_, at) =>
              wireDriver({ id: at, name: at === 800 ? name : 'Philip Kiprotich Kiptoo Jillo' }),
            ),
          ),
        }),
      ),
  })
  await isFilled(page)
  await page.locator('div:has(> [role=grid])').evaluate((one) => one.scrollTo({ top: 800 * 36 - 200 }))
  await page.getByText(name).waitFor()
  expect((await longTexts(page)).spilt).toEqual([])
})
