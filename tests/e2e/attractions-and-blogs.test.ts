import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { Attraction, Blog, Page as PageOf } from '../../src/api/contract.ts'
import { addressOf, toasts, useConsole } from '../support/console.ts'

const twende = useConsole()

/** Waits until an image has loaded, which its natural width shows. */
const isShown = (image: Locator) =>
  expect
    .poll(() => image.evaluate((one) => one instanceof HTMLImageElement && one.naturalWidth > 0))
    .toBe(true)

/** Delays the answers to a call until the returned function is called. */
async function hold(page: Page, call: string) {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  await page.route(`**/oms/${call}*`, async (route) => {
    await promise
    await route.continue()
  })
  return () => resolve(undefined)
}

describe('attractions', () => {
  test('are a list with pictures, a search box, pages, and ids that link to the detail (S2.m.1, S2.m.2, S2.m.3, S2.m.4)', async () => {
    const { results } = await twende.read('attractions/all/?page_size=25', PageOf(Attraction))
    const [newest] = results
    const page = await twende.open('/riders', { answers: true })
    const release = await hold(page, 'attractions/all/')
    await page.getByRole('link', { name: 'Attractions' }).click()
    await page.getByRole('heading', { name: 'Attractions' }).waitFor()
    await page.getByText('Loading....', { exact: true }).waitFor()
    release()
    const grid = page.getByRole('grid', { name: 'Attractions' })
    const headers = ['ID #', 'Image', 'Name', 'Location', 'Latitude', 'Longitude', 'Action']
    await expect.poll(() => grid.getByRole('columnheader').allTextContents()).toEqual(headers)
    const row = grid.getByRole('row').nth(1)
    await isShown(row.getByRole('img', { name: `Cover of ${newest?.name}` }))
    expect(await row.textContent()).toContain(newest?.location.placeName)
    await row.getByRole('button', { name: /^Delete/ }).waitFor()
    await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('25')
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('Page 2 of').waitFor()
    await page.getByPlaceholder('Search attraction by name...').fill(newest?.name ?? '')
    await page.keyboard.press('Enter')
    await grid.getByRole('link', { name: `${newest?.id}`, exact: true }).click()
    expect(addressOf(page)).toBe(`/attractions/${newest?.id}`)
  })

  test('have a detail with text, place, coordinates and picture, and an edit modal that closes after a success (S2.n.1, S2.n.2, S2.n.5)', async () => {
    const page = await twende.open('/attractions/1')
    const record = await twende.read('attractions/all/1/', Attraction)
    const main = page.getByRole('main')
    await main.getByText(record.name, { exact: true }).first().waitFor()
    const shown = await main.textContent()
    for (const part of [record.description, record.location.placeName, record.lat, record.lng])
      expect(shown).toContain(part)
    expect(record.lat).toMatch(/^-?\d+\.\d{6}$/)
    await isShown(main.getByRole('img').first())
    await page.getByRole('button', { name: 'Edit attraction' }).click()
    const modal = page.getByRole('dialog', { name: 'Edit attraction' })
    await modal.getByLabel('Description').fill('Seen again.')
    await modal.getByRole('button', { name: 'Save' }).click()
    await toasts(page).getByText('Attraction updated successfully', { exact: true }).waitFor()
    await modal.waitFor({ state: 'detached' })
    await main.getByText('Seen again.').waitFor()
  })
})

describe('blogs', () => {
  test('are cards with a picture, Edit and Delete; the list has a create dialog, pages and an empty text (S2.o.1, S2.o.3, S2.o.4)', async () => {
    const { results } = await twende.read('blogs-adm/', PageOf(Blog))
    const [newest] = results
    const page = await twende.open('/riders', { answers: true })
    const release = await hold(page, 'blogs-adm/')
    await page.getByRole('link', { name: 'Blogs' }).click()
    await page.getByText('Loading....', { exact: true }).waitFor()
    release()
    const card = page.getByRole('list', { name: 'Blogs' }).getByRole('listitem').first()
    await card.waitFor()
    for (const part of [newest?.title, newest?.sub_title, newest?.content.split('\n')[0]])
      expect(await card.textContent()).toContain(part)
    await isShown(card.getByRole('img'))
    await card.getByRole('button', { name: /^Delete/ }).waitFor()
    await card.getByRole('button', { name: /^Edit/ }).click()
    await page.getByRole('dialog', { name: 'Edit Blog' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Create Blog' }).click()
    await page.getByRole('dialog', { name: 'Create Blog' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('navigation', { name: 'Pages of Blogs' }).getByText('Page 1 of 1').waitFor()
    await page.route('**/oms/blogs-adm/*', (route) =>
      route.fulfill({
        json: { results: [], current_page_number: 1, total_pages: 0, next_page: null, previous_page: null },
      }),
    )
    await page.keyboard.press('r')
    await page.getByText('No blogs to shows', { exact: true }).waitFor()
  })
})
