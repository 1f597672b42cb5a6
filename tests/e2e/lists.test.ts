import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { colourOf, press, useConsole } from '../support/console.ts'
import { wireBlog, wireInvoice, wirePage } from '../support/wire.ts'

const twende = useConsole()

/** Opens a screen whose list call is answered with these rows. */
const open = (path: string, call: string, rows: unknown[]) =>
  twende.open(path, {
    prepare: (before) => before.route(`**/oms/${call}?*`, (route) => route.fulfill({ json: wirePage(rows) })),
  })

test.each([
  [500, 1],
  [700, 2],
  [1000, 3],
  [1600, 3],
])('a window of %i pixels shows the blogs in %i columns (S2.o.2)', async (width, columns) => {
  const rows = Array.from({ length: 5 }, () => wireBlog({ image: '' }))
  const page = await open('/blogs', 'blogs-adm/', rows)
  await page.setViewportSize({ width, height: 900 })
  const cards = page.getByRole('article')
  await cards.first().waitFor()
  const lefts = await cards.evaluateAll((all) => all.map((card) => card.getBoundingClientRect().left))
  expect(lefts).toHaveLength(5)
  expect(new Set(lefts).size).toBe(columns)
})

/** In degrees. */
const hues = { red: 0, amber: 35, green: 135, teal: 180, blue: 215 }

function hueOf([red = NaN, green = NaN, blue = NaN]: number[]): number {
  const most = Math.max(red, green, blue)
  const range = most - Math.min(red, green, blue)
  if (most === red) return (60 * (green - blue)) / range
  return most === green ? 120 + (60 * (blue - red)) / range : 240 + (60 * (red - green)) / range
}

/** The colour name of each element, by its text or accessible name. */
async function coloursOf(page: Page, names: string[]) {
  const found = names.map(async (name) => {
    const element = page
      .getByRole('grid')
      .getByText(name, { exact: true })
      .or(page.getByRole('img', { name }))
    const hue = hueOf(await colourOf(element, 'color'))
    const isNear = ([, degrees]: [string, number]) => Math.abs(degrees - hue) < 15
    return [name, Object.entries(hues).find(isNear)?.[0] ?? hue] as const
  })
  return Object.fromEntries(await Promise.all(found))
}

const withStatus = (status: string, id: number) => ({ id, status })

test('each status of a trip has its colour (S4.4)', async () => {
  const expected = { Completed: 'green', Ongoing: 'amber', Cancelled: 'red', Scheduled: 'blue' }
  const page = await open('/trips', 'trips/', Object.keys(expected).map(withStatus))
  expect(await coloursOf(page, Object.keys(expected))).toEqual(expected)
})

test('each status of a booking has its colour (S4.5)', async () => {
  const expected = {
    Completed: 'green',
    Ongoing: 'amber',
    'Not Started': 'red',
    Accepted: 'blue',
    Pending: 'red',
    Cancelled: 'teal',
  }
  const page = await open('/bookings', 'pre-bookings/', Object.keys(expected).map(withStatus))
  expect(await coloursOf(page, Object.keys(expected))).toEqual(expected)
})

test('an invoice has green ticks and red crosses (S2.k.3)', async () => {
  const page = await open('/invoices', 'all-invoices/', [wireInvoice({ paid: true, over_due: false })])
  const expected = { 'Paid: yes': 'green', 'Over Due: no': 'red' }
  expect(await coloursOf(page, Object.keys(expected))).toEqual(expected)
})

test('the two dates of a filter do not overlap in windows of 390 px, with wider letters either', async () => {
  const page = await twende.open('/invoices', { viewport: { width: 390, height: 800 } })
  // Which filters there are is only known once the server has said so.
  await page.getByRole('button', { name: 'Filter', exact: true }).waitFor()
  await press(page, 'f')
  await page.getByRole('menuitem', { name: /dates/i }).click()
  const dates = page.getByRole('dialog').locator('input[type=date]')
  await dates.nth(1).waitFor()
  const boxes = () =>
    dates.evaluateAll((all) =>
      all.map((input) => {
        const { left, right, top } = input.getBoundingClientRect()
        return { left, right, top }
      }),
    )
  const [from, to] = await boxes()
  expect(to?.top).toBe(from?.top)
  expect(to?.left).toBeGreaterThan(from?.right ?? 0)
  // As WCAG 1.4.12 asks for.
  await dates.evaluateAll((all) => {
    for (const input of all) if (input instanceof HTMLElement) input.style.letterSpacing = '0.12em'
  })
  const [, wide] = await boxes()
  expect(wide?.top).toBeGreaterThan(from?.top ?? 0)
  expect(wide?.left).toBe(from?.left)
})
