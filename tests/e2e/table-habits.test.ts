import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { reload, useConsole } from '../support/console.ts'
import { isFilled } from '../support/screens.ts'

const twende = useConsole()

/** The left and right edges of the headers, in whole pixels. */
const edgesOf = (page: Page) =>
  page.getByRole('columnheader').evaluateAll((all) =>
    all.map((one) => {
      const { left, right } = one.getBoundingClientRect()
      return { left: Math.round(left), right: Math.round(right) }
    }),
  )

/** Drags the edge of a header by so many pixels. */
async function drag(page: Page, column: number, by: number): Promise<void> {
  const { right = 0 } = (await edgesOf(page))[column] ?? {}
  const top = await page.getByRole('columnheader').first().boundingBox()
  const y = (top?.y ?? 0) + 10
  await page.mouse.move(right - 3, y)
  await page.mouse.down()
  await page.mouse.move(right - 3 + by / 2, y)
  await page.mouse.move(right - 3 + by, y)
  await page.mouse.up()
}

test('the edge of a header is dragged, a double click fits it, no number is cut, and the width is remembered', async () => {
  const page = await twende.open('/riders')
  await isFilled(page)
  const [id, name] = await edgesOf(page)
  await drag(page, 1, 80)
  const [, wider] = await edgesOf(page)
  // The browser gives each column a part of the few pixels that rounding down has left.
  const expectNear = (found = 0, wanted = 0) => expect(Math.abs(found - wanted)).toBeLessThanOrEqual(2)
  expectNear(wider?.left, id?.right)
  expectNear(wider?.right, (name?.right ?? 0) + 80)
  await reload(page)
  await isFilled(page)
  const [, again] = await edgesOf(page)
  expectNear(again?.left, wider?.left)
  expectNear(again?.right, wider?.right)
  // A window of another size keeps the chosen width.
  await page.setViewportSize({ width: 1100, height: 700 })
  await expect.poll(async () => (await edgesOf(page))[1]?.left).toBeLessThan(wider?.left ?? 0)
  const [, narrow] = await edgesOf(page)
  expectNear((narrow?.right ?? 0) - (narrow?.left ?? 0), (wider?.right ?? 0) - (wider?.left ?? 0))
  await page.setViewportSize({ width: 1440, height: 900 })
  await drag(page, 6, -500)
  const cut = await page
    .locator('td[data-align=end]')
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)
  expect(cut).toBe(0)
  const { right = 0 } = (await edgesOf(page))[1] ?? {}
  const y = ((await page.getByRole('columnheader').first().boundingBox())?.y ?? 0) + 10
  await page.mouse.dblclick(right - 3, y)
  await expect.poll(async () => (await edgesOf(page))[1]?.right).toBeLessThan(right)
  const names = await page
    .locator('td:nth-child(2)')
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)
  expect(names).toBe(0)
})

test('a right click on a row opens its menu beside the pointer, inside the window', async () => {
  const page = await twende.open('/riders')
  await isFilled(page)
  const box = await page.getByRole('row').nth(12).boundingBox()
  await page.mouse.click(1400, (box?.y ?? 0) + 10, { button: 'right' })
  const menu = page.getByRole('menu', { name: 'Commands of the row' })
  await menu.waitFor()
  const { x = 0, y = 0, width = 0, height = 0 } = (await menu.boundingBox()) ?? {}
  expect(x + width).toBeLessThanOrEqual(1440)
  expect(y + height).toBeLessThanOrEqual(900)
  await page.keyboard.press('Escape')
  // Radix gives the focus back in a timer after the menu is gone.
  const focused = () => page.evaluate(() => document.activeElement?.closest('tr')?.dataset['index'])
  await expect.poll(focused).toBe('11')
  expect(await menu.count()).toBe(0)
})

test.each([1440, 390])(
  'at %i px the table and its pager stay where they are when rows come, are selected and fail to reload',
  async (width) => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const page = await twende.open('/riders', {
      answers: true,
      viewport: { width, height: 844 },
      prepare: (before) =>
        before.route('**/oms/drivers/?*', async (route) => {
          await promise
          await route.continue()
        }),
    })
    await page.getByRole('status', { name: 'Loading' }).waitFor()
    const filter = page.getByRole('button', { name: 'Filter' })
    await filter.waitFor()
    /** Top and height of the header, the first row, the table and the pager, and where the pages are turned. */
    const places = () =>
      page.evaluate(() => {
        const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
        const found = ['thead', 'tbody tr:not([aria-hidden])', 'div:has(> table)', 'nav[aria-label^=Pages]']
        return [
          ...found.flatMap((selector) => [
            box(selector)?.top,
            selector === 'thead' ? 0 : box(selector)?.height,
          ]),
          box('[aria-label="Previous page"]')?.left,
        ].map((one) => Math.round(one ?? -1))
      })
    const names = () => page.locator('th').allTextContents()
    const [before, header] = [await places(), await names()]
    expect(before).not.toContain(-1)
    resolve(undefined)
    await isFilled(page)
    await page.getByText('1,200 in all').waitFor()
    expect([await places(), await names()]).toEqual([before, header])
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByRole('button', { name: 'Clear selection' }).waitFor()
    expect(await places()).toEqual(before)
    await page.getByRole('button', { name: 'Clear selection' }).click()
    await page.unroute('**/oms/drivers/?*')
    twende.expectTrouble(/status of 400/)
    await page.route('**/oms/drivers/?*', (route) => route.fulfill({ status: 400, json: {} }))
    await page.keyboard.press('r')
    await page.getByRole('button', { name: 'Retry' }).waitFor()
    expect(await places()).toEqual(before)
  },
)
