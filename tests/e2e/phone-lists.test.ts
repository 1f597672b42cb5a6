import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { faultsOf } from '../support/axe.ts'
import { press, useConsole } from '../support/console.ts'
import { isFilled, misfits } from '../support/screens.ts'

const twende = useConsole()

const open = async (path: string) => {
  const page = await twende.open(path, { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' })
  await isFilled(page)
  return page
}

/** What is wrong with the cards of a list: their width and height, cells over other cells, and small targets. */
const faultsOfCards = (page: Page, height: number) =>
  page.evaluate((wanted) => {
    const scroller = document.querySelector('[role=grid]')?.parentElement
    const rows = [...document.querySelectorAll<HTMLElement>('tbody tr[data-index]')]
    if (!scroller || rows.length === 0) return ['there are no rows']
    const box = (one: Element) => one.getBoundingClientRect()
    const isSeen = (one: Element, row: Element) => box(one).top < box(row).bottom - 4 && box(one).width > 0
    const areOver = (a: DOMRect, b: DOMRect) =>
      a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
    const faults = scroller.scrollWidth > scroller.clientWidth ? ['the table is wider than its place'] : []
    for (const row of rows) {
      const name = `row ${row.dataset['index'] ?? ''}`
      if (Math.round(box(row).height) !== wanted) faults.push(`${name} is ${box(row).height} px high`)
      const cells = [...row.querySelectorAll('td')].filter((one) => isSeen(one, row))
      cells.forEach((one, at) => {
        const { left, right } = box(one)
        if (left < 0 || right > innerWidth) faults.push(`${name}: ${one.textContent} is out of the window`)
        const over = cells.slice(at + 1).find((other) => areOver(box(one), box(other)))
        if (over) faults.push(`${name}: ${one.textContent} is over ${over.textContent}`)
      })
      for (const target of row.querySelectorAll(
        'td[data-action=true] button, button, a[href^="tel:"], input',
      )) {
        const isDestructive = /^(Suspend|Unsuspend|Clear|Delete)$/.test(target.textContent)
        const { width, height } = box(target)
        const least = isDestructive ? 44 : 24
        if (isSeen(target, row) && (width < least || height < least))
          faults.push(`${name}: ${target.outerHTML.slice(0, 80)} is ${width} by ${height} px`)
      }
    }
    return faults
  }, height)

const firstLineOf = (page: Page) =>
  page.evaluate(() => {
    const row = document.querySelector('tbody tr[data-index]')
    const top = row?.getBoundingClientRect().top ?? 0
    const first = [...(row?.querySelectorAll('td') ?? [])].filter(
      (one) => one.getBoundingClientRect().top - top < 12 && one.dataset['action'] !== 'true',
    )
    const header = (cell: HTMLTableCellElement) =>
      cell.closest('table')?.querySelectorAll('th')[cell.cellIndex]?.textContent
    return first.map(header)
  })

describe('at 390 px, the rows of a list are cards of one height, with targets that a thumb hits', () => {
  test.each([
    ['/riders', 104, ['Name', 'Status']],
    ['/customers', 104, ['Name', 'Wallet(Ksh)']],
    ['/invoices', 104, ['Driver', 'Amount']],
    ['/trips', 104, ['Origin', 'Status']],
    ['/bookings', 104, ['Customer', 'Status']],
    ['/promos', 104, ['Code', 'Amount']],
    ['/coupons', 104, ['Code', 'Amount']],
    ['/sos', 240, ['Raised by', 'SOS date']],
  ])('in the list %s', async (path, height, first) => {
    const page = await open(path)
    await expect.poll(() => faultsOfCards(page, height)).toEqual([])
    expect(await misfits(page)).toEqual([])
    expect(await firstLineOf(page)).toEqual(first)
    expect(await faultsOf(page)).toEqual([])
  })
})

test('at 320 px, both columns of an SOS log are whole, and its labels are apart from its texts (S9.6)', async () => {
  const page = await twende.open('/sos', { viewport: { width: 320, height: 700 } })
  await page
    .getByRole('button', { name: /^Acknowledge/ })
    .first()
    .waitFor()
  expect(await faultsOfCards(page, 240)).toEqual([])
  const coordinate = page.getByRole('link', { name: /^Open map/ }).first()
  expect(await coordinate.evaluate((link) => link.getClientRects().length)).toBe(1)
})

test('at 390 px, Chromium still exposes a grid with rows, cells and column headers', async () => {
  const page = await open('/riders')
  const grid = await page.getByRole('grid').ariaSnapshot()
  for (const name of ['ID #', 'Name', 'Phone No', 'Action'])
    expect(grid).toMatch(new RegExp(`columnheader "[^"]*${name}"`))
  expect(grid).toMatch(/- row "[^"]*":\n(\s+- gridcell[^]*?){9}/)
  // The header that a card shows is not read as a part of the cell.
  expect(grid).not.toContain('gridcell "Failed Trips')
})

test('at 390 px, j and k move between cards that come into view as a whole, and Enter opens one', async () => {
  const page = await open('/customers')
  for (let times = 0; times < 12; times++) await press(page, 'j')
  const place = () =>
    page.evaluate(() => {
      const row = document.activeElement?.closest('tr')
      const edges = row?.closest('div')?.getBoundingClientRect()
      const { top = 0, bottom = 0 } = row?.getBoundingClientRect() ?? {}
      return {
        index: row?.dataset['index'],
        isWhole: top >= (edges?.top ?? 0) && bottom <= (edges?.bottom ?? 0),
      }
    })
  expect(await place()).toEqual({ index: '11', isWhole: true })
  for (let times = 0; times < 9; times++) await press(page, 'k')
  expect(await place()).toEqual({ index: '2', isWhole: true })
  await press(page, 'Enter')
  await page.getByRole('dialog').waitFor()
})

test('at 390 px, a tap on a card opens the panel with every column', async () => {
  const page = await open('/trips')
  const headers = await page.getByRole('columnheader').allTextContents()
  const box = await page.getByRole('row').nth(3).boundingBox()
  await page.mouse.click(370, (box?.y ?? 0) + 60)
  const panel = page.getByRole('dialog')
  await panel.waitFor()
  for (const header of headers) expect(await panel.textContent()).toContain(header)
})

test('at 390 px, the menu of a row is in the window, opened in the middle or at the edge of a card (S9.6)', async () => {
  const page = await open('/riders')
  const row = page.locator('tbody tr[data-index="1"]')
  const menu = page.getByRole('menu')
  for (const x of [150, 350]) {
    await row.click({ button: 'right', position: { x, y: 92 } })
    await expect
      .poll(async () => {
        const box = await menu.boundingBox()
        return box && box.x >= 0 && box.x + box.width <= 390
      })
      .toBe(true)
    await press(page, 'Escape')
    await menu.waitFor({ state: 'detached' })
  }
})

test('at 390 px, a press between the cells of a card opens the menu of its row (S9.6)', async () => {
  const page = await open('/riders')
  await press(page, 'j')
  const row = page.locator('tbody tr[data-index="2"]')
  const name = await row.getByRole('link').nth(1).innerText()
  await row.click({ button: 'right', position: { x: 250, y: 92 } })
  await page.getByRole('menuitem', { name: `Suspend ${name}` }).waitFor({ timeout: 5000 })
})

test('at 390 px, the button that closes a dialog shows its word in one line (S9.6)', async () => {
  const page = await open('/riders')
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Change your password' }).click()
  const close = page.getByRole('button', { name: 'Close', exact: true })
  const lines = await close.evaluate((button) => {
    const text = document.createRange()
    text.selectNodeContents(button)
    return text.getClientRects().length
  })
  expect(lines).toBe(1)
})

test('at 390 px, a page of 1,000 rows is scrolled without blank, and keeps its place', async () => {
  const page = await open('/riders?size=1000')
  const rows = page.locator('tbody tr[data-index]')
  await expect.poll(() => rows.count()).toBeLessThan(100)
  await page.locator('div:has(> [role=grid])').evaluate((one) => one.scrollTo({ top: 50_000 }))
  const first = () =>
    page.evaluate(() => {
      const {
        left = 0,
        top = 0,
        bottom = 0,
      } = document.querySelector('[role=grid]')?.parentElement?.getBoundingClientRect() ?? {}
      return [top + 10, (top + bottom) / 2, bottom - 10].map(
        (y) => document.elementFromPoint(left + 40, y)?.closest('tr')?.dataset['index'] ?? 'blank',
      )
    })
  // 50,000 px are 480 cards of 104 px, and 80 px.
  await expect.poll(async () => (await first())[0]).toBe('480')
  expect(await first()).not.toContain('blank')
  await page.getByRole('grid').locator('tr[data-index="482"] a').first().click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.goBack()
  await expect.poll(async () => (await first())[0]).toBe('480')
})

describe('with touch, a tap beside an open menu only closes it', () => {
  test.each(['Account', 'row'])('the menu of the %s', async (kind) => {
    const page = await twende.open('/riders', {
      answers: true,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
    })
    await isFilled(page)
    const calls: string[] = []
    await page.route('**/oms/driver/**', async (route) => {
      calls.push(route.request().method())
      await route.fulfill({ json: { message: 'Rider suspended' } })
    })
    const menu = page.getByRole('menu')
    if (kind === 'row')
      await page
        .getByRole('gridcell')
        .nth(1)
        .dispatchEvent('contextmenu', { button: 2, clientX: 100, clientY: 200 })
    else await page.getByRole('button', { name: /^Account/ }).tap()
    await menu.waitFor()
    // The last one that is whole in the window, below the menu.
    const place = await page.getByRole('button', { name: /^Suspend/ }).evaluateAll((all) => {
      const centers = all.map((one) => {
        const { left, top, width, height } = one.getBoundingClientRect()
        return { x: left + width / 2, y: top + height / 2, one }
      })
      const { x = 0, y = 0 } =
        centers.findLast(({ x, y, one }) => document.elementFromPoint(x, y)?.closest('button') === one) ?? {}
      return { x, y }
    })
    expect(place.x).toBeGreaterThan(0)
    await page.touchscreen.tap(place.x, place.y)
    await menu.waitFor({ state: 'detached' })
    // Otherwise the second tap would be that of a double click, which buttons ignore.
    await page.waitForTimeout(600)
    expect(calls).toEqual([])
    await page.touchscreen.tap(place.x, place.y)
    await expect.poll(() => calls).toEqual(['POST'])
  })
})

test('at 640 px, a list is a table', async () => {
  const page = await open('/riders')
  const display = () =>
    page
      .locator('tbody tr')
      .first()
      .evaluate((one) => getComputedStyle(one).display)
  expect(await display()).not.toBe('table-row')
  await page.setViewportSize({ width: 640, height: 800 })
  await expect.poll(display).toBe('table-row')
  expect(await misfits(page)).toEqual([])
  // The style sheet applies before the rows are rendered as those of a table.
  await expect.poll(async () => (await page.getByRole('row').nth(1).boundingBox())?.height).toBe(36)
})
