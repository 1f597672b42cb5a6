import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { Driver, Invoice, Page as PageOf } from '../../src/api/contract.ts'
import { addressOf, focused, press, toasts, useConsole } from '../support/console.ts'

const twende = useConsole()
const bar = (page: Page) => page.getByRole('group', { name: 'Selection' })
const progress = (page: Page) => page.getByRole('progressbar')
const countOf = async (filter: string) =>
  (await twende.read(`drivers/?filter=${filter}`, PageOf(Driver))).count

async function openDrivers(path: string): Promise<Page> {
  const page = await twende.open(path, { answers: true, reducedMotion: 'reduce' })
  await page.locator('tbody tr[data-index]').first().waitFor()
  return page
}

test('on a phone of 390 px the buttons of a selection are beside each other, none of them cut', async () => {
  const page = await twende.open('/riders', { viewport: { width: 390, height: 800 } })
  await page.locator('tbody tr[data-index]').first().waitFor()
  await press(page, 'j', 'x', 'j', 'x', 'j', 'x')
  const edges = async (name: string) => {
    const box = await bar(page).getByRole('button', { name }).boundingBox()
    return box && { left: box.x, right: box.x + box.width }
  }
  const [suspend, clear] = [await edges('Suspend 3 drivers'), await edges('Clear selection')]
  expect(suspend?.right).toBeLessThan(clear?.left ?? 0)
  expect(clear?.right).toBeLessThan(390)
})

describe('all rows that match', () => {
  test('are selected on all pages, changed with progress, cancelled, and undone as one action (R7)', async () => {
    const page = await openDrivers('/riders?size=25&filter=online')
    const before = await countOf('suspended')
    const online = await countOf('online')
    await press(page, 'j', 'Shift+X')
    await bar(page)
      .getByRole('button', { name: `Select all ${online} that match` })
      .click()
    await page.getByText(`${online} selected: 25 of 25 on this page, ${online - 25} on other pages`).waitFor()
    await page.route('**/suspend/', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      await route.continue()
    })
    await press(page, 's')
    await progress(page)
      .getByText(/^Suspending [3-9] of/)
      .waitFor()
    await press(page, 'p')
    await progress(page)
      .getByText(/paused after/)
      .waitFor()
    const held = await countOf('suspended')
    expect(held - before).toBe(Number(/after (\d+)/.exec((await progress(page).textContent()) ?? '')?.[1]))
    await press(page, 'Shift+P')
    await toasts(page).first().waitFor()
    await bar(page)
      .getByText(/ selected/)
      .waitFor()
    expect(await countOf('suspended')).toBe(held)
    await press(page, 'Control+z')
    await expect.poll(() => countOf('suspended')).toBe(before)
  })
})

test('the browser asks before a reload in the middle of an action on many rows; if the person stays, the action goes on', async () => {
  const page = await openDrivers('/riders?size=25&filter=online')
  const before = await countOf('suspended')
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.dismiss()
  })
  const reload = () => page.evaluate(() => void setTimeout(() => window.location.reload()))
  await page.route('**/suspend/', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    await route.continue()
  })
  await press(page, 'j', 'x', 'Shift+J', 'Shift+J', 'Shift+J', 's', 'p')
  await progress(page)
    .getByText(/paused after/)
    .waitFor()
  await reload()
  await expect.poll(() => asked).toEqual(['beforeunload'])
  await press(page, 'p')
  await toasts(page).first().waitFor()
  expect(await countOf('suspended')).toBe(before + 4)
  await press(page, 'Control+z')
  await expect.poll(() => countOf('suspended')).toBe(before)
  await Promise.all([page.waitForEvent('load'), reload()])
  expect(asked).toHaveLength(1)
})

test('at 1280 px the bar shows all of its text and buttons, also with rows on other pages', async () => {
  const page = await openDrivers('/riders?size=25')
  await page.setViewportSize({ width: 1280, height: 800 })
  await press(page, 'j', 'x', ']')
  await page.getByText('Page 2 of').waitFor()
  await page.locator('tbody tr[data-index]:not([data-stale])').first().waitFor()
  await press(page, 'j', 'x')
  await page.getByText('2 selected: 1 of 25 on this page, 1 on other pages').waitFor()
  const overflow = await bar(page).evaluate((element) => element.scrollWidth - element.clientWidth)
  expect(overflow).toBe(0)
})

describe('the filters of a list', () => {
  test('are chosen and taken away with keys alone, and the server applies them', async () => {
    const page = await openDrivers('/invoices')
    const { count } = await twende.read('all-invoices/?filter=overdue', PageOf(Invoice))
    await press(page, 'f')
    await page.getByRole('menuitemcheckbox', { name: 'Overdue' }).press('Enter')
    await page.getByText(`${new Intl.NumberFormat('en').format(count)} in all`).waitFor()
    expect(addressOf(page)).toBe('/invoices?filter=overdue')
    const chip = page.getByRole('button', { name: 'Remove the filter Overdue' })
    await chip.focus()
    await press(page, 'Backspace')
    await chip.waitFor({ state: 'detached' })
    expect(addressOf(page)).toBe('/invoices')
  })

  test('name a record, and clearing an invoice by its key asks first', async () => {
    const { results } = await twende.read('all-invoices/?filter=unpaid', PageOf(Invoice))
    const [invoice] = results
    if (!invoice) throw new Error('The demo data have no unpaid invoice.')
    const page = await openDrivers(`/invoices?filter=unpaid,driver:${invoice.driver.id}`)
    await page
      .getByRole('button', { name: `Remove the filter Driver: ${invoice.driver.user.fullname}` })
      .waitFor()
    await press(page, 'j', 'c')
    const question = page.getByRole('alertdialog')
    await question.getByText('Enter clears, Escape cancels').waitFor()
    expect(await focused(page)).toBe('Clear')
    await press(page, 'Escape')
    await question.waitFor({ state: 'detached' })
    expect(await toasts(page).count()).toBe(0)
    await press(page, 'c', 'Enter')
    await toasts(page).first().waitFor()
  })
})
