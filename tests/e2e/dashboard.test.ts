import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { Analytics } from '../../src/api/contract.ts'
import { Type } from 'typebox'
import { useConsole } from '../support/console.ts'

const twende = useConsole()

const figuresSchema = Type.Intersect([Analytics, Type.Object({ total_twende_amount: Type.Number() })])

/** Label and value of every card of a section, in order. */
const cardsOf = (page: Page, section: string) =>
  page
    .getByRole('region', { name: section })
    .locator('dl > div')
    .evaluateAll((cards) =>
      cards.map((card) => [card.querySelector('dt')?.textContent, card.querySelector('dd')?.textContent]),
    )

test('the dashboard shows every figure of the analytics call in its format (S2.c.1, S2.c.2, S7.2, S9.1)', async () => {
  const figures = await twende.read('analytics/', figuresSchema)
  const page = await twende.open('/')
  await page.getByText('Ksh').first().waitFor()
  const ksh = (value: number | undefined) => `Ksh ${Math.round(value ?? NaN).toLocaleString('en')}.00`
  expect(await cardsOf(page, 'Revenue/Cash')).toEqual([
    ['Total cash in hand', ksh(figures.cash_in_hand)],
    ['Pending reconciliation', ksh(figures.pending_reconciliation)],
    ['Total revenue', ksh(figures.total_revenue)],
    ['Total cash generated', ksh(figures.total_amount)],
    ['Total driver amount', ksh(figures.total_driver_amount)],
    ['Total commission', ksh(figures.total_twende_amount)],
  ])
  const count = (value: number) => value.toLocaleString('en')
  expect(await cardsOf(page, 'Statistics')).toEqual([
    ['Total riders', count(figures.total_riders)],
    ['Total customers', count(figures.total_customers)],
    ['Total trips completed', count(figures.total_completed_trips)],
    ['Suspended riders', count(figures.total_suspended_riders)],
    ['Total failed trips', count(figures.total_failed_trips)],
    ['Total bookings', count(figures.total_bookings)],
    ['Ongoing bookings', count(figures.total_ongoing_bookings)],
    ['Completed bookings', count(figures.total_completed_bookings)],
    ['Pending bookings', count(figures.total_pending_bookings)],
  ])
  expect(figures.total_riders).toBeGreaterThan(1000)
  expect(Math.round(figures.total_twende_amount)).toBe(Math.round(figures.total_amount * 0.18))
})

test('with letters more than twice as large, every figure is in its card (S9.6)', async () => {
  const page = await twende.open('/', { viewport: { width: 1440, height: 900 } })
  await page.getByText('Ksh').first().waitFor()
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '36px'
  })
  const outside = page
    .locator('dl > div > dd')
    .evaluateAll((all) =>
      all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
    )
  expect(await outside).toEqual([])
})

test('the tooltip of a rounded amount gives the exact value (R4)', async () => {
  const { cash_in_hand } = await twende.read('analytics/', figuresSchema)
  const page = await twende.open('/')
  const card = page.locator('dl > div', { hasText: 'Total cash in hand' })
  await expect.poll(() => card.locator('dd').first().getAttribute('title')).toBe(String(cash_in_hand))
})

test('the caption names the month in Nairobi, whatever the browser’s time zone (S2.c.1, S9.3)', async () => {
  const page = await twende.open('/', {
    // At this moment it is still November in New York, the time zone of the browser.
    prepare: (before) => before.clock.setFixedTime('2026-11-30T21:30:00Z'),
  })
  const captions = page.getByText('as of December 2026')
  await captions.first().waitFor()
  expect(await captions.count()).toBe(6)
  expect(await page.locator('dl > div', { hasText: 'Total commission' }).textContent()).toContain('18%')
})

test('the gauge shows the number of online drivers, and its ring the percentage (S2.c.3)', async () => {
  const figures = await twende.read('analytics/', figuresSchema)
  const page = await twende.open('/')
  const gauge = page.getByRole('region', { name: 'Online drivers' })
  await gauge.getByText('%').waitFor()
  expect(await gauge.locator('strong').textContent()).toBe(figures.online_drivers.toLocaleString('en'))
  expect(await gauge.textContent()).toContain(`${figures.percent_online_drivers}%`)
  const share = await gauge
    .locator('circle')
    .last()
    .evaluate((circle) => {
      const [drawn = NaN, around = NaN] = (circle.getAttribute('stroke-dasharray') ?? '')
        .split(' ')
        .map(Number)
      return drawn / around
    })
  expect(share).toBeCloseTo(figures.percent_online_drivers / 100, 5)
})

test('a missing figure shows as 0 with the tooltip "no value", and more than 100 percent fills the ring (S9.2, R4)', async () => {
  const page = await twende.open('/', {
    prepare: (before) =>
      before.route('**/oms/analytics/', (route) =>
        route.fulfill({
          json: {
            cash_in_hand: null,
            total_revenue: 'x',
            total_other_amount: 7.5,
            percent_online_drivers: 250,
          },
        }),
      ),
  })
  const cards = page.getByRole('region', { name: 'Revenue/Cash' }).locator('dl > div')
  await page.getByText('Ksh 0').first().waitFor()
  const value = cards.filter({ hasText: 'Total cash in hand' }).locator('dd').first()
  expect(await value.textContent()).toBe('Ksh 0')
  expect(await value.getAttribute('title')).toBe('no value')
  // From `total_other_amount`: another server names the commission by its own product.
  expect(await cards.filter({ hasText: 'Total commission' }).locator('dd').first().textContent()).toBe(
    'Ksh 8.00',
  )
  const arc = await page.locator('circle').last().getAttribute('stroke-dasharray')
  const [drawn, around] = (arc ?? '').split(' ')
  expect(drawn).toBe(around)
  expect(await page.locator('main').textContent()).not.toMatch(/NaN|undefined|null|Invalid/)
})

test.each([1440, 390])(
  'at %i px the areas of the trips add up to the trips, and nothing of them is cut',
  async (width) => {
    const page = await twende.open('/', { viewport: { width, height: 900 } })
    await page.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight))
    const areas = page.getByRole('region', { name: 'Completed trips by area' })
    await areas.waitFor()
    const trips = page.locator('figcaption', { hasText: 'Trips completed' }).locator('strong')
    const cells = await areas
      .locator('tbody td:nth-of-type(1), tfoot td:nth-of-type(1)')
      .evaluateAll((all) => all.map((one) => Number(one.textContent.replaceAll(',', ''))))
    const sum = cells.slice(0, -1).reduce((all, one) => all + one, 0)
    expect([sum, sum.toLocaleString('en')]).toEqual([cells.at(-1), await trips.textContent()])
    expect(sum).toBeGreaterThan(100)
    expect(await areas.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
  },
)
