import { expect, test } from 'vitest'
import { colourOf, press, useConsole } from '../support/console.ts'
import { isFilled } from '../support/screens.ts'
import { wireCoupon, wirePage } from '../support/wire.ts'

const twende = useConsole()

test('a table that is too wide keeps its first column and its buttons in view, and shows where it goes on', async () => {
  const page = await twende.open('/riders', { viewport: { width: 800, height: 700 } })
  await isFilled(page)
  const edges = () =>
    page
      .getByRole('row')
      .nth(1)
      .evaluate((row) => {
        const cells = [...row.querySelectorAll('td')]
        const shadow = (cell?: Element) =>
          cell !== undefined && getComputedStyle(cell).boxShadow.includes('2px 0px')
        const left = cells[0]?.getBoundingClientRect().left
        return { left, before: shadow(cells[0]), after: shadow(cells.at(-1)) }
      })
  const first = await edges()
  expect(first).toMatchObject({ before: false, after: true })
  const scrollTo = (left: number) =>
    page.getByRole('grid').evaluate((grid, to) => grid.parentElement?.scrollTo({ left: to }), left)
  await scrollTo(40)
  await expect.poll(edges).toEqual({ left: first.left, before: true, after: true })
  await scrollTo(5_000)
  await expect.poll(edges).toEqual({ left: first.left, before: true, after: false })
  await page.setViewportSize({ width: 1440, height: 700 })
  await expect.poll(edges).toMatchObject({ before: false, after: false })
})

test('the focused, the selected and other rows have different backgrounds', async () => {
  const page = await twende.open('/riders', { reducedMotion: 'reduce' })
  await isFilled(page)
  await press(page, 'j', 'x', 'j')
  const colours = [1, 2, 3].map((at) =>
    colourOf(page.getByRole('row').nth(at).getByRole('gridcell').nth(2), 'backgroundColor'),
  )
  expect(new Set((await Promise.all(colours)).map(String)).size).toBe(3)
})

test('the checkbox of a row is seen only under the pointer, in the focused row and when it is checked', async () => {
  const page = await twende.open('/riders', { reducedMotion: 'reduce' })
  await isFilled(page)
  await press(page, 'j')
  const boxes = page.locator('tr[data-index] input')
  // The pixels of a row change when what is seen in it is hidden.
  const isSeen = async (at: number) => {
    const box = boxes.nth(at)
    const clip = await box.boundingBox()
    if (!clip) throw new Error('The checkbox has no place.')
    const shot = () => page.screenshot({ clip })
    const before = await shot()
    await box.evaluate((one) => (one.style.visibility = 'hidden'))
    const after = await shot()
    await box.evaluate((one) => (one.style.visibility = ''))
    return !before.equals(after)
  }
  const seen = async () => [await isSeen(0), await isSeen(1), await isSeen(2)]
  expect(await seen()).toEqual([true, false, false])
  await page.getByRole('row').nth(3).hover()
  expect(await seen()).toEqual([true, false, true])
  await boxes.nth(2).click()
  await page.getByRole('row').nth(2).hover()
  expect(await seen()).toEqual([false, true, true])
})

test.each([false, true])(
  'the buttons of a row are calm until it is used; with touch (%s) they always show',
  async (hasTouch) => {
    const rows = [wireCoupon({ id: 1 }), { ...wireCoupon({ id: 2 }), valid_till: '2020-01-31' }]
    const page = await twende.open('/coupons', {
      reducedMotion: 'reduce',
      ...(hasTouch && { hasTouch, isMobile: true }),
      prepare: (before) =>
        before.route('**/oms/coupons/?*', (route) => route.fulfill({ json: wirePage(rows) })),
    })
    await isFilled(page)
    const looks = () =>
      page
        .getByRole('row')
        .getByRole('button', { name: /^Edit/ })
        .evaluateAll((all) =>
          all.map((one) => {
            const { borderTopColor, color } = getComputedStyle(one)
            return `${borderTopColor} ${color}`
          }),
        )
    const [valid, expired] = await looks()
    expect(expired).toBe(valid)
    // Without a border while it is calm.
    const isCalm = valid?.startsWith('rgba(0, 0, 0, 0) ')
    expect(isCalm).toBe(!hasTouch)
    if (hasTouch) return
    await page.getByRole('row').nth(2).hover()
    const [other, used] = await looks()
    expect(other).toBe(valid)
    expect(used).not.toBe(valid)
  },
)

test('a table has the attributes of its rules for wide, high and cut rows only where they apply, as the browser would look at them for each cell', async () => {
  const page = await twende.open('/riders', { viewport: { width: 1440, height: 900 } })
  await isFilled(page)
  const names = () =>
    page
      .getByRole('grid')
      .evaluate((grid) =>
        [grid, grid.parentElement].flatMap((one) =>
          ['data-cut', 'data-tight', 'data-tall', 'data-wide'].filter((name) => one?.hasAttribute(name)),
        ),
      )
  await expect.poll(names).toEqual([])
  await page.setViewportSize({ width: 800, height: 900 })
  await expect.poll(names).toContain('data-wide')
})
