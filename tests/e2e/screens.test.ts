import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { faultsOf } from '../support/axe.ts'
import { press, useConsole } from '../support/console.ts'
import { usePlainBackend } from '../support/plain-backend.ts'

/** Its names are of 300 characters, Arabic, or emoji; values are missing. */
const odd = useConsole(usePlainBackend())
const twende = useConsole()

const lists = [
  ...['/riders', '/customers', '/staff', '/vehicles', '/trips', '/invoices', '/bookings'],
  ...['/attractions', '/invites', '/blogs', '/coupons', '/promos', '/sos'],
]
const routes = ['/', ...lists, '/riders/1', '/attractions/1', '/nowhere']

const isFilled = async (page: Page) => {
  await page.getByRole('heading').first().waitFor()
  await page
    .getByRole('main')
    .getByText(/^Loading/)
    .waitFor({ state: 'detached' })
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
}

/** What reaches beyond the window, or a row that its contents have made higher than its neighbours. */
const misfits = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const main = document.querySelector('main')
    const rows = [...document.querySelectorAll('tbody tr:not([aria-hidden])')]
    const heights = new Set(rows.map((row) => Math.round(row.getBoundingClientRect().height)))
    return [
      ...(scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide`] : []),
      ...(main && main.scrollWidth > main.clientWidth ? [`the screen is ${main.scrollWidth} px wide`] : []),
      ...(heights.size > 1 ? [`rows are ${[...heights].join(', ')} px high`] : []),
    ]
  })

describe('names of 300 characters, Arabic and emoji break no layout', () => {
  test.each(routes)('on %s, at 1440, 1024 and 390 px (S9.6)', async (path) => {
    const page = await odd.open(path)
    await isFilled(page)
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await expect.poll(() => misfits(page), { message: `at ${width} px` }).toEqual([])
    }
  })
})

describe.each(['light', 'dark'] as const)('axe finds nothing in the %s theme', (colorScheme) => {
  test('on any screen, full', async () => {
    const page = await twende.open('/', { colorScheme })
    for (const path of routes) {
      await page.goto(twende.url + path)
      await isFilled(page)
      expect(await faultsOf(page), path).toEqual([])
    }
  })

  test('on a selection, a sorted column and the menu of columns', async () => {
    const page = await twende.open('/riders?ordering=fullname', { colorScheme })
    await page.getByRole('grid').waitFor()
    await press(page, 'j', 'x', 'Shift+J')
    await page.getByRole('group', { name: 'Selection' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menu').waitFor()
    expect(await faultsOf(page)).toEqual([])
  })

  test.each([
    ['/coupons', 'Create coupon'],
    ['/promos', 'Create promo code'],
    ['/blogs', 'Create Blog'],
    ['/attractions', 'Add attraction'],
  ])('on the dialog of %s, with a draft and a refused field', async (path, opener) => {
    twende.expectTrouble(/status of 400/)
    const page = await twende.open(path, { colorScheme })
    await page.getByRole('button', { name: opener }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').first().fill('x'.repeat(300))
    await dialog.getByRole('button', { name: 'Discard draft' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    for (const width of [1024, 390]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await misfits(page)).toEqual([])
    }
    await dialog.getByRole('button', { name: 'Discard draft' }).click()
  })
})
