import { describe, expect, test } from 'vitest'
import { faultsOf } from '../support/axe.ts'
import { press, useConsole } from '../support/console.ts'
import { isFilled, misfits, routes } from '../support/screens.ts'

const twende = useConsole()

test('an SOS log is readable at 1280 px: no column is off-screen, no cell is cut off, all rows are equally high', async () => {
  const page = await twende.open('/sos', { viewport: { width: 1280, height: 850 } })
  await page.getByText('Near ').first().waitFor()
  expect(await page.getByRole('navigation', { name: 'Main' }).getByText('SOS logs').isVisible()).toBe(true)
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll('main :is(th, td, td > div, div:has(> table))')]
      .filter(
        (one) =>
          one.scrollWidth > one.clientWidth ||
          (one.matches('td > div') && one.scrollHeight > one.clientHeight),
      )
      .map(({ textContent }) => textContent),
  )
  // The longest names of places in the demo data; the tooltip has them in full.
  expect(cut.filter((text) => text.length <= 55)).toEqual([])
  expect(await misfits(page)).toEqual([])
  expect(await page.getByRole('columnheader').count()).toBe(9)
})

describe.each(['light', 'dark'] as const)('in the %s theme axe reports no violation', (colorScheme) => {
  test.each([...routes, '/riders/1', '/attractions/1'])('on %s with data', async (path) => {
    // Each row adds to the time of axe, and 25 rows have the same markup as 50.
    const page = await twende.open(`${path}?size=25`, { colorScheme })
    await isFilled(page)
    expect(await faultsOf(page)).toEqual([])
  })

  test('on a list with a selection and a sorted column, and in the Columns menu', async () => {
    const page = await twende.open('/riders?ordering=fullname&size=25', { colorScheme })
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
  ])('in the form of %s with a draft, which fits into 1024 and 390 px', async (path, opener) => {
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
