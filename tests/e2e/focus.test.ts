import { describe, expect, test } from 'vitest'
import { focused, press, useConsole } from '../support/console.ts'

const twende = useConsole()

/** What jsdom does differently: it neither moves the focus away from disabled controls nor lets a dialog keep it. */
describe('the focus in a browser', () => {
  test('is on the Previous button after a click on Next has led to the last page', async () => {
    const page = await twende.open('/riders?page=23')
    await page.getByText('Page 23 of 24').waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('Page 24 of 24').waitFor()
    await expect.poll(() => focused(page)).toBe('Previous page')
  })

  test('is in the search box after the palette has run "Search this list"', async () => {
    const page = await twende.open('/riders')
    await page.getByRole('grid').waitFor()
    await press(page, 'j', 'Control+k')
    await page.keyboard.type('search this')
    await page.getByRole('option', { name: /^Search this list/, selected: true }).waitFor()
    await press(page, 'Enter')
    await expect.poll(() => focused(page)).toBe('Search driver by name...')
  })

  test('is on the first row that a search found, and a sequence shows what can follow', async () => {
    const page = await twende.open('/riders')
    await page.getByRole('grid').waitFor()
    await press(page, '/')
    await page.keyboard.type('an')
    await press(page, 'Enter')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('tr')?.ariaRowIndex))
      .toBe('2')
    await press(page, 'g')
    await page.getByLabel('Keys that can follow').getByText('Vehicles').waitFor()
    await press(page, 'Escape', 'v')
    expect(page.url()).toContain('/riders?s=an')
  })
})
