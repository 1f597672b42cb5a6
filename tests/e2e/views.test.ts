import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { Invoice, Page as PageOf } from '../../src/api/contract.ts'
import { faultsOf } from '../support/axe.ts'
import { addressOf, press, reload, toasts, useConsole } from '../support/console.ts'

const twende = useConsole()
const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const pinned = (page: Page, name: string) =>
  sidebar(page).getByRole('link', { name: new RegExp(`^${name}( [\\d,]+)?$`) })
const shown = (page: Page, name: string) => page.getByText(`View: ${name}`, { exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const headers = (page: Page) => page.getByRole('columnheader').allTextContents()
const header = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true })

async function countOf(filter: string): Promise<number> {
  return (await twende.read(`all-invoices/?filter=${filter}`, PageOf(Invoice))).count
}

async function openList(path: string): Promise<Page> {
  const page = await twende.open(path, { reducedMotion: 'reduce' })
  await page.locator('tbody tr[data-index]').first().waitFor()
  await page.getByRole('button', { name: 'Views' }).waitFor()
  return page
}

async function runInPalette(page: Page, typed: string): Promise<void> {
  await press(page, 'Control+k')
  await page.keyboard.type(typed)
  await dialog(page).getByRole('option', { selected: true }).filter({ hasText: typed }).waitFor()
  await press(page, 'Enter')
}

async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

describe('a saved view', () => {
  test('that is pinned moves nothing in the side navigation when it comes after a reload', async () => {
    const page = await twende.open('/attractions', { answers: true })
    await page.locator('tbody tr[data-index]').first().waitFor()
    await choose(page, 'Save view…')
    await page.getByRole('textbox', { name: 'Name' }).fill('Every sight')
    await page.getByRole('checkbox', { name: 'Pin to the sidebar' }).check()
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await pinned(page, 'Every sight').waitFor()
    const place = () => sidebar(page).getByRole('link', { name: 'SOS logs' }).boundingBox()
    const before = await place()

    const { promise, resolve } = Promise.withResolvers<undefined>()
    await page.route('**/oms/views/', async (route) => {
      await promise
      await route.continue()
    })
    await reload(page)
    expect(await pinned(page, 'Every sight').count()).toBe(0)
    expect(await place()).toEqual(before)
    resolve(undefined)
    await pinned(page, 'Every sight').waitFor()
    expect(await place()).toEqual(before)
  })

  test('is saved, pinned, counted, opened, renamed, deleted and restored with keys alone (rulings, lists)', async () => {
    const overdue = await countOf('overdue')
    const page = await openList('/invoices')
    await press(page, 'f')
    await page.getByRole('menuitemcheckbox', { name: 'Overdue' }).press('Enter')
    await page.getByText(`${String(overdue)} in all`).waitFor()
    await press(page, 'v')
    await dialog(page).waitFor()
    await page.keyboard.type('Late payers')
    await press(page, 'Tab', 'Space', 'Enter')
    await pinned(page, `Late payers ${String(overdue)}`).waitFor()
    await shown(page, 'Late payers').waitFor()
    expect(addressOf(page)).toBe('/invoices?filter=overdue&view=Late+payers')

    await press(page, 'j', 'c', 'Enter')
    await pinned(page, `Late payers ${String(overdue - 1)}`).waitFor()

    await press(page, 'g', 'd')
    await header(page, 'Wallet(Ksh)').waitFor()
    await runInPalette(page, 'Late payers')
    await shown(page, 'Late payers').waitFor()
    expect(addressOf(page)).toBe('/invoices?filter=overdue&view=Late+payers')

    await runInPalette(page, 'Rename view Late payers')
    await page.getByRole('textbox', { name: 'Name' }).waitFor()
    await press(page, 'Control+a')
    await page.keyboard.type('Overdue Mombasa')
    await press(page, 'Enter')
    await pinned(page, 'Overdue Mombasa').waitFor()
    await shown(page, 'Overdue Mombasa').waitFor()
    await reload(page)
    await pinned(page, `Overdue Mombasa ${String(overdue - 1)}`).waitFor()

    await runInPalette(page, 'Delete view Overdue Mombasa')
    await pinned(page, 'Overdue Mombasa').waitFor({ state: 'detached' })
    await reload(page)
    await page.getByRole('button', { name: 'Save view' }).waitFor()
    await press(page, 'Control+z')
    await pinned(page, 'Overdue Mombasa').waitFor()
    await runInPalette(page, 'Delete view Overdue Mombasa')
    await pinned(page, 'Overdue Mombasa').waitFor({ state: 'detached' })
  })

  test('restores columns, order and page size, is updated and changed in two browsers, with the mouse (rulings, lists)', async () => {
    const page = await openList('/trips?ordering=id&size=25')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Notes' }).click()
    await page.keyboard.press('Escape')
    await header(page, 'Notes').waitFor({ state: 'detached' })
    await header(page, 'Cost').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Move the column Cost left' }).click()
    await page.keyboard.press('Escape')
    const [order, specified] = [await headers(page), await headers(await openList('/trips'))]
    expect(order).not.toEqual(specified.filter((name) => name !== 'Notes'))
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Oldest')
    await page.getByRole('checkbox', { name: 'Pin to the sidebar' }).check()
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await pinned(page, 'Oldest').waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Cost' }).click()
    await page.keyboard.press('Escape')
    await header(page, 'Cost').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Update view' }).waitFor()
    await pinned(page, 'Oldest').click()
    await header(page, 'Cost').waitFor()
    expect(addressOf(page)).toBe('/trips?size=25&ordering=id&view=Oldest')

    // Another browser of the same person: its columns are its own, those of the view are not.
    const other = await openList('/trips')
    await header(other, 'Notes').waitFor()
    await pinned(other, 'Oldest').click()
    await header(other, 'Notes').waitFor({ state: 'detached' })
    expect(await headers(other)).toEqual(order)
    await sidebar(other).getByRole('link', { name: 'Trips' }).click()
    await header(other, 'Notes').waitFor()
    await pinned(other, 'Oldest').click()
    await choose(other, 'Rename view…')
    await other.getByRole('textbox', { name: 'Name' }).fill('Oldest first')
    await dialog(other).getByRole('button', { name: 'Save' }).click()
    await pinned(other, 'Oldest first').waitFor()

    twende.expectTrouble(/status of 409/)
    await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('100')
    await page.getByRole('button', { name: 'Update view' }).click()
    await toasts(page).getByText('This view was changed after you opened it.').waitFor()
    await pinned(page, 'Oldest first').click()
    await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('100')
    await page.getByRole('button', { name: 'Update view' }).click()
    await shown(page, 'Oldest first').waitFor()
    await reload(other)
    await pinned(other, 'Oldest first').click()
    await expect.poll(() => addressOf(other)).toBe('/trips?size=100&ordering=id&view=Oldest+first')

    await choose(page, 'Unpin from the sidebar')
    await pinned(page, 'Oldest first').waitFor({ state: 'detached' })
    await sidebar(page).getByRole('link', { name: 'Trips' }).click()
    await choose(page, 'Oldest first')
    await shown(page, 'Oldest first').waitFor()
    await choose(page, 'Pin to the sidebar')
    await pinned(page, 'Oldest first').waitFor()
    await choose(page, 'Delete view')
    await pinned(page, 'Oldest first').waitFor({ state: 'detached' })
    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await pinned(page, 'Oldest first').waitFor()
    await choose(page, 'Delete view')
    await pinned(page, 'Oldest first').waitFor({ state: 'detached' })
  })

  test('is moved up, and is in the collapsed and in the sliding sidebar, without faults that axe finds', async () => {
    const page = await openList('/coupons')
    for (const [filter, name] of [
      ['Running', 'Coupons now'],
      ['Expired', 'Coupons over'],
    ] as const) {
      await page.goto(`${twende.url}/coupons?filter=${filter.toLowerCase()}`)
      await page.getByRole('button', { name: 'Save view' }).click()
      await dialog(page).getByRole('textbox', { name: 'Name' }).fill(name)
      await dialog(page).getByRole('checkbox').check()
      expect(await faultsOf(page)).toEqual([])
      await press(page, 'Enter')
      await pinned(page, name).waitFor()
    }
    const order = () =>
      sidebar(page)
        .getByRole('list', { name: 'Views of coupons' })
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => link.textContent.replace(/\d+$/, '')))
    expect(await order()).toEqual(['Coupons now', 'Coupons over'])
    await choose(page, 'Move up in the sidebar')
    await expect.poll(order).toEqual(['Coupons over', 'Coupons now'])
    expect(await faultsOf(page)).toEqual([])

    await press(page, 'Control+b')
    expect(await faultsOf(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await faultsOf(page)).toEqual([])

    // A busy server leaves out a count that takes longer than a second, and is asked again a minute later.
    const entry = pinned(page, 'Coupons now')
    await expect.poll(() => entry.getAttribute('aria-label'), { timeout: 70_000 }).toMatch(/^Coupons now \d/)
    await entry.hover()
    await page.getByRole('tooltip', { name: /^Coupons now \d/ }).waitFor()

    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Open the sidebar' }).click()
    await pinned(page, 'Coupons now').click()
    await shown(page, 'Coupons now').waitFor()
    await pinned(page, 'Coupons now').waitFor({ state: 'hidden' })
  })
})
