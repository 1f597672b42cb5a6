import type { Page } from 'playwright-core'

/** S2.b.2: the entries of the side navigation with the paths of S2.a, and the keys that open each. */
export const navigation = [
  ['Dashboard', '/', 'g h'],
  ['Drivers', '/riders', 'g d'],
  ['Customers', '/customers', 'g c'],
  ['Staff', '/staff', 'g s'],
  ['Vehicles', '/vehicles', 'g v'],
  ['Invoices', '/invoices', 'g i'],
  ['Trips', '/trips', 'g t'],
  ['Bookings', '/bookings', 'g b'],
  ['Attractions', '/attractions', 'g a'],
  ['Invites', '/invites', 'g n'],
  ['Blogs', '/blogs', 'g l'],
  ['Coupons', '/coupons', 'g u'],
  ['Promotions', '/promos', 'g p'],
  ['SOS logs', '/sos', 'g o'],
] as const

/** The paths of every screen except the details of single records, and an unknown path. */
export const routes = [...navigation.map(([, path]) => path), '/nowhere']

/** Waits until a screen has loaded. */
export async function isFilled(page: Page): Promise<void> {
  await page.getByRole('heading').first().waitFor()
  await page.locator('main [data-loading=true], [aria-busy=true]').first().waitFor({ state: 'detached' })
}

/** Layout faults: a page or screen wider than its window, and table rows of different heights. */
export const misfits = (page: Page) =>
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
