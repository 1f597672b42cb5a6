import type { Page } from 'playwright-core'
import type { TSchema } from 'typebox'
import { expect, test } from 'vitest'
import {
  Attraction,
  Blog,
  Coupon,
  Customer,
  Driver,
  Invoice,
  Page as PageOf,
  PromoCode,
  SosLog,
  Vehicle,
} from '../../src/api/contract.ts'
import { patience } from '../../src/commands/find/slots.ts'
import { press, useConsole } from '../support/console.ts'
import type { Query } from '../support/palette-queries.ts'
import { queriesOver } from '../support/palette-queries.ts'

const twende = useConsole()

/** All pages of a list. */
async function all<T extends TSchema>(path: string, shape: T) {
  const first = await twende.read(`${path}?page_size=1000`, PageOf(shape))
  const pages = [first]
  for (let page = 2; page <= first.total_pages; page++)
    pages.push(await twende.read(`${path}?page_size=1000&page=${page}`, PageOf(shape)))
  return pages.flatMap(({ results }) => results)
}

async function readQueries(): Promise<Record<string, Query[]>> {
  return queriesOver({
    drivers: await all('drivers/', Driver),
    customers: await all('customers/', Customer),
    vehicles: await all('vehicles/', Vehicle),
    invoices: await all('all-invoices/', Invoice),
    attractions: await all('attractions/all/', Attraction),
    blogs: await all('blogs-adm/', Blog),
    coupons: await all('coupons/', Coupon),
    promos: await all('promo-codes/', PromoCode),
    sos: await all('sos-lists/', SosLog),
  })
}

/**
 * Makes the palette wait for any search. It would otherwise show rows that match badly below the room that it keeps for
 * records, as it does when a search is slow, and these queries are about the order when searches are fast.
 */
const waitForSearches = (page: Page) =>
  page.addInitScript((tooSlow) => {
    const set = window.setTimeout.bind(window)
    const setTimeout = (handler: TimerHandler, delay = 0) => set(handler, delay === tooSlow ? 60_000 : delay)
    Object.assign(window, { setTimeout })
  }, patience)

const field = (page: Page) => page.getByRole('dialog').getByRole('combobox')

/** The titles of the rows that the palette shows for a query once its search has ended. */
async function rowsFor(page: Page, typed: string): Promise<string[]> {
  const input = field(page)
  await input.fill('')
  await input.fill(typed)
  await page.waitForFunction(
    (text) =>
      document.querySelector('[role=dialog] [role=listbox]')?.getAttribute('aria-busy') === 'false' &&
      document.querySelector<HTMLInputElement>('[role=dialog] [role=combobox]')?.value === text,
    typed,
  )
  // A search starts after a pause; the list is busy from the first letter on.
  return page.evaluate(() =>
    [...document.querySelectorAll('[role=dialog] [role=option]')].map(
      (row) => row.querySelector('span > span')?.textContent ?? '',
    ),
  )
}

const isRight = ({ first, never }: Query, rows: string[], places: number) =>
  rows
    .slice(0, places)
    .some((title) =>
      first === undefined
        ? never !== undefined && !never.test(title)
        : first instanceof RegExp
          ? first.test(title)
          : title === first,
    ) ||
  (rows.length === 0 && never !== undefined)

const kinds = [
  ...['phones', 'names', 'actions', 'invoices', 'plates', 'trips', 'content'],
  ...['ids', 'screens', 'swahili', 'console', 'safety'],
]
const asked: string[] = []
const notFirst: string[] = []
let queries: Promise<Record<string, Query[]>> | undefined

test.each(kinds)('queries about %s give the right row among the first three', async (kind) => {
  queries ??= readQueries()
  const missing: string[] = []
  const page = await twende.open('/', { prepare: waitForSearches })
  let shown = '/'
  for (const query of (await queries)[kind] ?? []) {
    const { typed, first, on = '/', isRowFocused = false } = query
    if (on !== shown || isRowFocused) {
      await page.goto(twende.url + on)
      await (on === '/' ? page.locator('main') : page.locator('main').getByRole('row').nth(2)).waitFor()
      shown = isRowFocused ? '' : on
      if (isRowFocused) await press(page, 'j')
      await press(page, 'Control+k')
    } else if (!(await field(page).isVisible())) await press(page, 'Control+k')
    const rows = await rowsFor(page, typed)
    const line = `“${typed}” gives “${rows.slice(0, 3).join('”, “')}” instead of ${String(first)}`
    asked.push(typed)
    if (!isRight(query, rows, 1)) notFirst.push(line)
    // A wrong first row of these would end the session, delete or clear: none is allowed.
    if (!isRight(query, rows, kind === 'safety' ? 1 : 3)) missing.push(line)
  }
  expect(missing).toEqual([])
})

test('at least 95 % of 200 queries give the right row first', () => {
  expect(asked.length).toBeGreaterThanOrEqual(200)
  expect(notFirst.length / asked.length, notFirst.join('\n')).toBeLessThanOrEqual(0.05)
})
