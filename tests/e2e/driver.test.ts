import type { Page } from 'playwright-core'
import type { Static } from 'typebox'
import { describe, expect, test } from 'vitest'
import { Driver, DriverTransaction, Page as PageOf, Trip } from '../../src/api/contract.ts'
import { addressOf, press, reload, toasts, useConsole } from '../support/console.ts'
import { day, twoDecimals } from '../support/reading.ts'

const twende = useConsole()

const head = (page: Page) => page.getByRole('region', { name: 'Driver' })
const linesOf = (page: Page, of: string) =>
  page
    .getByRole('list', { name: of })
    .getByRole('listitem')
    .evaluateAll((items) => items.map((item) => [...item.children].map((part) => part.textContent)))

/**
 * A driver with a portrait, a vehicle and more than one page of trips and transactions. Which drivers have them changes
 * with the day on which the demo data are made.
 */
async function busyDriver(): Promise<Static<typeof Driver>> {
  const { results } = await twende.read('drivers/?page_size=1000', PageOf(Driver))
  const complete = results.filter(
    ({ total_trips, deleted, image, vehicle }) => total_trips > 5 && !deleted && image && vehicle,
  )
  for (const driver of complete) {
    const { count } = await twende.read(`drivers/${driver.id}/transactions/`, PageOf(DriverTransaction))
    if (count > 5) return driver
  }
  throw new Error(
    'The demo data have no driver with a portrait, a vehicle, and more than five trips and transactions.',
  )
}

async function open(path: string): Promise<Page> {
  const page = await twende.open(path, { answers: true })
  await head(page).waitFor()
  return page
}

/** How far things on a page have moved since it was opened, without what a person did. */
const shifted = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const sum = (entries: PerformanceEntry[]) =>
          entries.reduce((all, entry) => all + ('value' in entry ? Number(entry.value) : 0), 0)
        let found = 0
        const observer = new PerformanceObserver((list) => {
          found += sum(list.getEntries())
        })
        observer.observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(found + sum(observer.takeRecords()))))
      }),
  )

describe('the driver detail', () => {
  test('nothing moves when its later cards come', async () => {
    const page = await open(`/riders/${(await busyDriver()).id}`)
    await page.getByRole('link', { name: 'All SOS logs' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await shifted(page)).toBe(0)
  })

  test('shows name, state, contact, vehicle and tiles as the detail call gives them (S2.e.2, S2.e.3, S2.e.5, S9.2)', async () => {
    const driver = await busyDriver()
    const page = await open(`/riders/${driver.id}`)
    await page.getByRole('heading', { name: driver.user.fullname }).waitFor()
    const state = `${driver.online ? 'Online' : 'Offline'}${driver.busy ? ' / Busy' : ''}`
    expect(await head(page).getByText(state, { exact: true }).count()).toBe(1)
    const card = (title: string) =>
      page.locator('section', { has: page.getByRole('heading', { name: title }) })
    expect(await card('Contact details').locator('p').textContent()).toBe(`+${driver.user.phone_number}`)
    expect(await card('Vehicle details').locator('p').textContent()).toBe(
      driver.vehicle?.registration.toUpperCase(),
    )
    expect(
      await page
        .locator('dl > div')
        .evaluateAll((tiles) =>
          tiles.map((tile) => [tile.querySelector('dt')?.textContent, tile.querySelector('dd')?.textContent]),
        ),
    ).toEqual([
      ['Total trips', driver.total_trips.toLocaleString('en')],
      ['Total earnings (KSh)', twoDecimals(driver.total_earnings)],
      ['Completed trips', driver.total_completed_trips.toLocaleString('en')],
      ['Failed trips', driver.total_failed_trips.toLocaleString('en')],
    ])
  })

  test('shows the portrait and loads the three document pictures (S2.e.2, S2.e.4)', async () => {
    const driver = await busyDriver()
    const page = await open(`/riders/${driver.id}`)
    for (const label of ['ID front image', 'ID back image', 'License image']) {
      const figure = page.locator('figure', { hasText: label })
      await figure.scrollIntoViewIfNeeded()
      await expect
        .poll(
          () =>
            figure
              .locator('img')
              .evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth),
          {
            message: label,
          },
        )
        .toBeGreaterThan(0)
    }
    await head(page).getByRole('img', { name: driver.user.fullname }).waitFor()
  })

  test('shows initials and blank values for a driver without pictures and vehicle (S2.e.2)', async () => {
    const page = await twende.open('/riders/9', {
      prepare: (before) =>
        before.route('**/oms/drivers/9', (route) =>
          route.fulfill({
            json: { id: 9, user: { fullname: 'Amina wa Yusuf' }, image: null, vehicle: null, deleted: 'no' },
          }),
        ),
    })
    await head(page).getByText('AY', { exact: true }).waitFor()
    expect(await page.getByRole('img', { name: /^No / }).count()).toBe(3)
    expect(await page.locator('main').textContent()).not.toMatch(/undefined|null|NaN|Invalid/)
    await head(page).getByRole('button', { name: 'Suspend Amina wa Yusuf' }).waitFor()
  })

  test('has a Back link to the list (S2.e.1)', async () => {
    const page = await open('/riders/5')
    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByRole('grid', { name: 'Drivers' }).waitFor()
    expect(addressOf(page)).toBe('/riders')
  })

  test('has a button that suspends and unsuspends, sends one request at a time, and reloads the detail (S2.e.2, S4.3, S7.7, S7.8)', async () => {
    const { id, user } = await busyDriver()
    const page = await open(`/riders/${id}`)
    const held: (() => void)[] = []
    await page.route('**/suspend/', async (route) => {
      await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    })
    const button = head(page).getByRole('button')
    await button.click()
    await expect.poll(() => button.textContent()).toBe('...')
    // The request reaches this test a little later than the button shows it.
    await expect.poll(() => held.length).toBe(1)
    await button.click({ force: true })
    held[0]?.()
    await toasts(page).getByText(`${user.fullname} has been suspended.`).waitFor()
    await expect.poll(() => button.textContent()).toBe('Unsuspend')
    expect((await twende.read(`drivers/${id}`, Driver)).deleted).toBe(true)
    await press(page, 'u')
    await toasts(page).getByText(`${user.fullname} has been unsuspended.`).waitFor()
    await expect.poll(() => button.textContent()).toBe('Suspend')
    expect(held).toHaveLength(1)
  })
})

describe('the histories of a driver', () => {
  test('show five rows of their call per page and keep their page in the URL (S2.e.6–S2.e.8, S2.u.2, S9.4)', async () => {
    const { id } = await busyDriver()
    const page = await open(`/riders/${id}`)
    const trips = (number: number) =>
      twende.read(`drivers/${id}/trips/?page_size=5&page=${number}`, PageOf(Trip))
    const transactions = (number: number) =>
      twende.read(`drivers/${id}/transactions/?page_size=5&page=${number}`, PageOf(DriverTransaction))
    const tripLines = async (number: number) =>
      (await trips(number)).results.map((trip) => [
        `Trip #${trip.id}`,
        `Ksh ${twoDecimals(trip.cost)}`,
        day(trip.created_at),
        `${trip.start_name} → ${trip.destination_name} ${trip.status}`,
      ])
    const transactionLines = async (number: number) =>
      (await transactions(number)).results.map((line) => [
        `Transaction #${line.transaction_id}`,
        `Ksh ${twoDecimals(line.amount)}`,
        day(line.created_at),
      ])
    expect(await tripLines(1)).toHaveLength(5)
    await expect.poll(() => linesOf(page, 'Jobs history')).toEqual(await tripLines(1))
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect.poll(() => linesOf(page, 'Jobs history')).toEqual(await tripLines(2))
    expect(addressOf(page)).toBe(`/riders/${id}?page=2`)

    await page.getByRole('tab', { name: 'Transactions history' }).click()
    await expect.poll(() => linesOf(page, 'Transactions history')).toEqual(await transactionLines(1))
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect.poll(() => linesOf(page, 'Transactions history')).toEqual(await transactionLines(2))
    const both = new URL(page.url()).searchParams
    expect([both.get('page'), both.get('pageT')]).toEqual(['2', '2'])

    await reload(page)
    await expect.poll(() => linesOf(page, 'Transactions history')).toEqual(await transactionLines(2))
    await page.getByRole('tab', { name: 'Jobs history' }).click()
    await expect.poll(() => linesOf(page, 'Jobs history')).toEqual(await tripLines(2))
  })

  test('show the earlier tab and page again after Back (S2.u.2)', async () => {
    const { id } = await busyDriver()
    const page = await open(`/riders/${id}`)
    await page.getByRole('tab', { name: 'Transactions history' }).click()
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('pageT')).toBe('2')
    await page.getByRole('link', { name: 'Customers' }).click()
    await page.goBack()
    await page.getByRole('list', { name: 'Transactions history' }).waitFor()
    await page.getByText('Page 2 of').waitFor()
    await page.goBack()
    await page.getByText('Page 1 of').waitFor()
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Transactions history')
  })

  test('show the last page, and correct the URL, for a page number after it', async () => {
    const { id } = await busyDriver()
    const { total_pages } = await twende.read(`drivers/${id}/trips/?page_size=5`, PageOf(Trip))
    const page = await open(`/riders/${id}?page=999`)
    await page.getByText(`Page ${total_pages} of ${total_pages}`).waitFor()
    expect(addressOf(page)).toBe(`/riders/${id}?page=${total_pages}`)
  })

  test('are switched with the arrow keys (S2.e.6)', async () => {
    const { id } = await busyDriver()
    const page = await open(`/riders/${id}`)
    await page.getByRole('tab', { name: 'Jobs history' }).focus()
    await press(page, 'ArrowRight')
    await page.getByRole('list', { name: 'Transactions history' }).waitFor()
    await press(page, 'ArrowLeft')
    await page.getByRole('list', { name: 'Jobs history' }).waitFor()
  })
})
