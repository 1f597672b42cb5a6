import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { Driver, Page as PageOf } from '../../src/api/contract.ts'
import { day, twoDecimals } from '../support/reading.ts'
import { addressOf, focused, press, reload, useConsole } from '../support/console.ts'
import { isFilled } from '../support/screens.ts'

const twende = useConsole()

const grid = (page: Page) => page.getByRole('grid', { name: 'Drivers' })
const rows = (page: Page) => grid(page).locator('tbody tr[aria-rowindex]')
const scroller = (page: Page) => grid(page).locator('..')
const scrollTop = (page: Page) => scroller(page).evaluate((element) => element.scrollTop)
const search = (page: Page) => page.getByPlaceholder('Search driver by name...')
const drivers = (query = '') => twende.read(`drivers/?page_size=50&${query}`, PageOf(Driver))
/** The `aria-rowindex` of the focused cell's row, and the cell's index in the row, from 0. */
const place = (page: Page) =>
  page.evaluate(() => {
    const cell = document.activeElement?.closest('td')
    return [cell?.closest('tr')?.getAttribute('aria-rowindex'), cell?.cellIndex]
  })

async function openList(address = '/riders'): Promise<Page> {
  const page = await twende.open(address, { answers: true })
  await rows(page).first().waitFor()
  await isFilled(page)
  return page
}

describe('the drivers list', () => {
  test('shows the specified columns and the values of the list call in their formats (S2.d.1, S2.d.2, S2.d.3, S9.2, S9.3)', async () => {
    const { results, count } = await drivers()
    const page = await openList()
    expect(await page.locator('h1').textContent()).toBe('Drivers')
    expect(await grid(page).locator('th').allTextContents()).toEqual([
      ...[
        'ID #',
        'Name',
        'Phone No',
        'Date joined',
        'Completed Trips',
        'Failed Trips',
        'Wallet(Ksh)',
        'Status',
      ],
      'Action',
    ])
    const shown = await rows(page).evaluateAll((found) =>
      found.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)),
    )
    expect(shown).toEqual(
      results.map((driver) => [
        String(driver.id),
        driver.user.fullname,
        `+${driver.user.phone_number}`,
        day(driver.user.date_joined),
        driver.total_completed_trips.toLocaleString('en'),
        driver.total_failed_trips.toLocaleString('en'),
        twoDecimals(driver.wallet_balance),
        `${driver.online ? 'Online' : 'Offline'}${driver.busy ? ' / Busy' : ''}`,
        driver.deleted ? 'Unsuspend' : 'Suspend',
      ]),
    )
    expect(shown).toHaveLength(50)
    await page.getByText(`${count.toLocaleString('en')} in all`).waitFor()
  })

  test('links id and name to the detail, and leaves clicks with Ctrl, Cmd or Shift to the browser (S2.d.4)', async () => {
    const { results } = await drivers()
    const page = await openList()
    const hrefs = await rows(page).evaluateAll((found) =>
      found.map((row) => [...row.querySelectorAll('a')].map((link) => link.getAttribute('href'))),
    )
    expect(hrefs).toEqual(
      results.map(({ id, user }) => [`/riders/${id}`, `/riders/${id}`, `tel:+${user.phone_number}`]),
    )
    const left = await page.evaluateHandle(() => {
      const untouched: boolean[] = []
      window.addEventListener('click', (event) => {
        untouched.push(!event.defaultPrevented)
        event.preventDefault()
      })
      return untouched
    })
    const link = rows(page).nth(3).getByRole('link').nth(1)
    for (const modifier of ['Control', 'Meta', 'Shift'] as const) await link.click({ modifiers: [modifier] })
    expect(await left.jsonValue()).toEqual([true, true, true])
    expect(addressOf(page)).toBe('/riders')
    await link.click()
    await page.getByRole('heading', { name: results[3]?.user.fullname ?? '' }).waitFor()
    expect(addressOf(page)).toBe(`/riders/${results[3]?.id}`)
  })

  test('shows the empty text and a disabled pager when a search finds nothing (S2.d.5)', async () => {
    const page = await twende.open('/riders?s=zzqqxx')
    await page.getByText('No Drivers to display', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Previous page' }).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true)
    expect(await page.getByText(/^Page \d/).count()).toBe(0)
  })

  test('gives the number of all rows and the index of each shown row to assistive technology', async () => {
    const { count } = await drivers()
    const page = await openList('/riders?page=2')
    expect(await grid(page).getAttribute('aria-rowcount')).toBe(String(count + 1))
    const indexes = await rows(page).evaluateAll((found) =>
      found.map((row) => row.getAttribute('aria-rowindex')),
    )
    expect(indexes).toEqual(Array.from({ length: 50 }, (_, index) => String(52 + index)))
    expect(await grid(page).locator('[tabindex="0"]').count()).toBe(1)
  })
})

describe('the address of the drivers list', () => {
  test('has page and search text, and Back and Forward restore each change (S2.u.1)', async () => {
    const page = await openList()
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect.poll(() => addressOf(page)).toBe('/riders?page=2')
    await page.getByText('Page 2 of').waitFor()
    await search(page).fill('kamau')
    await search(page).press('Enter')
    await expect.poll(() => addressOf(page)).toBe('/riders?s=kamau')
    const { results } = await drivers('s=kamau')
    await expect.poll(() => rows(page).count()).toBe(results.length)
    expect(results.length).toBeLessThan(50)
    await page.goBack()
    await page.getByText('Page 2 of').waitFor()
    expect(await search(page).inputValue()).toBe('')
    await page.goBack()
    await page.getByText('Page 1 of').waitFor()
    expect(addressOf(page)).toBe('/riders')
    await page.goForward()
    await page.goForward()
    await expect.poll(() => search(page).inputValue()).toBe('kamau')
    await expect.poll(() => rows(page).count()).toBe(results.length)
  })

  test('sets page, s and phone of every list call (S7.3, S2.u.1)', async () => {
    const calls: string[] = []
    const page = await twende.open('/riders?page=2&s=an&phone=%2B254%20160', {
      prepare: async (before) => {
        before.on('request', (request) => {
          if (request.url().includes('/oms/drivers/')) calls.push(request.url())
        })
        return Promise.resolve()
      },
    })
    await rows(page).first().waitFor()
    for (const call of calls) {
      const { searchParams } = new URL(call)
      expect([searchParams.get('page'), searchParams.get('s'), searchParams.get('phone')]).toEqual([
        '2',
        'an',
        '+254 160',
      ])
    }
    expect(calls.length).toBeGreaterThan(0)
  })

  test.each(['page=0', 'page=-1', 'page=abc', 'page=1e3', 'size=33', 'page=', 'page=1.5'])(
    'with the invalid %s shows page 1 with 50 rows',
    async (query) => {
      const page = await openList(`/riders?${query}`)
      expect(await rows(page).count()).toBe(50)
      await page.getByText('Page 1 of 24').waitFor()
    },
  )

  test('with a page after the last one becomes the last page in the same history entry', async () => {
    const page = await twende.open('/favicon.svg')
    await page.goto(`${twende.url}/riders?page=9999`)
    await expect.poll(() => addressOf(page)).toBe('/riders?page=24')
    await page.getByText('Page 24 of 24').waitFor()
    expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true)
    await page.goBack()
    expect(addressOf(page)).toBe('/favicon.svg')
  })

  test('has the rows per page unless they are the default', async () => {
    const page = await openList('/riders?page=2')
    const select = page.getByLabel('Rows per page')
    expect(await select.locator('option').allTextContents()).toEqual(['25', '50', '100', '250', '1000'])
    await select.selectOption('25')
    await expect.poll(() => rows(page).count()).toBe(25)
    expect(addressOf(page)).toBe('/riders?size=25')
    await select.selectOption('100')
    await expect.poll(() => rows(page).count()).toBe(100)
    expect(addressOf(page)).toBe('/riders?size=100')
    await select.selectOption('50')
    await expect.poll(() => rows(page).count()).toBe(50)
    expect(addressOf(page)).toBe('/riders')
  })
})

describe('keys in the drivers list', () => {
  test('j, k, arrows, Home, End and Page keys move the focus; only one cell is a tab stop', async () => {
    const page = await openList()
    await press(page, 'j')
    expect(await place(page)).toEqual(['2', 0])
    await press(page, 'j', 'j')
    expect(await place(page)).toEqual(['4', 0])
    await press(page, 'k')
    expect(await place(page)).toEqual(['3', 0])
    await press(page, 'ArrowDown', 'ArrowRight', 'ArrowRight')
    expect(await place(page)).toEqual(['4', 2])
    await press(page, 'End')
    expect(await place(page)).toEqual(['4', 8])
    await press(page, 'Home')
    expect(await place(page)).toEqual(['4', 0])
    await press(page, 'ArrowLeft', 'ArrowUp')
    expect(await place(page)).toEqual(['3', 0])
    await press(page, 'Control+End')
    expect(await place(page)).toEqual(['51', 8])
    await press(page, 'ArrowDown')
    expect(await place(page)).toEqual(['51', 8])
    await press(page, 'Control+Home', 'k')
    expect(await place(page)).toEqual(['2', 0])
    await press(page, 'PageDown')
    const [index] = await place(page)
    expect(Number(index)).toBeGreaterThan(10)
    await press(page, 'PageUp')
    expect(await place(page)).toEqual(['2', 0])
    expect(await grid(page).locator('[tabindex="0"]').count()).toBe(1)
  })

  test('the focused cell stays visible and is never covered by the sticky header', async () => {
    const page = await openList()
    await press(page, 'j', 'Control+End', 'PageUp', 'PageUp', 'k', 'k')
    const isVisible = () =>
      page.evaluate(() => {
        const box = document.activeElement?.getBoundingClientRect()
        if (!box) return false
        const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
        return document.activeElement?.contains(seen) ?? false
      })
    expect(await isVisible()).toBe(true)
    await press(page, ...Array.from({ length: 12 }, () => 'k'))
    expect(await isVisible()).toBe(true)
  })

  test('/ focuses the search box, Enter leads to the first row found, and Escape or ArrowDown back to the table', async () => {
    const page = await openList()
    await press(page, 'j', 'j', '/')
    expect(await focused(page)).toBe('Search driver by name...')
    await page.keyboard.type('jk/[')
    expect(await search(page).inputValue()).toBe('jk/[')
    await press(page, 'Escape')
    expect(await search(page).inputValue()).toBe('')
    expect(await place(page)).toEqual(['3', 0])
    await press(page, '/')
    await page.keyboard.type('mwangi')
    await press(page, 'Enter')
    await expect.poll(() => addressOf(page)).toBe('/riders?s=mwangi')
    const { results } = await drivers('s=mwangi')
    await expect.poll(() => rows(page).count()).toBe(results.length)
    await expect.poll(() => place(page)).toEqual(['2', 0])
    await press(page, '/', 'ArrowDown')
    expect(await place(page)).toEqual(['2', 0])
  })

  test('] and [ turn the page and keep the focus in the table', async () => {
    const page = await openList()
    await press(page, 'j', ']')
    await page.getByText('Page 2 of').waitFor()
    await expect.poll(() => place(page)).toEqual(['52', 0])
    await press(page, '[')
    await page.getByText('Page 1 of').waitFor()
    await press(page, '[')
    expect(addressOf(page)).toBe('/riders')
  })

  test('Enter opens the row, and Back restores page, scroll offset and focused row', async () => {
    const page = await openList('/riders?page=3')
    await press(page, 'j', 'PageDown', 'PageDown', 'k', 'ArrowRight')
    const [before, offset] = [await place(page), await scrollTop(page)]
    expect(offset).toBeGreaterThan(100)
    const name = await focused(page)
    await press(page, 'Enter')
    await page.getByRole('heading', { name }).waitFor()
    await page.goBack()
    await rows(page).first().waitFor()
    expect(addressOf(page)).toBe('/riders?page=3')
    await expect.poll(() => place(page)).toEqual(before)
    expect(await scrollTop(page)).toBe(offset)
    await reload(page)
    await rows(page).first().waitFor()
    await expect.poll(() => scrollTop(page)).toBe(offset)
  })

  test('s and u suspend and unsuspend the driver of the focused row and no other (S7.7, S7.8)', async () => {
    const { results } = await drivers('page=5')
    const page = await openList('/riders?page=5')
    await press(page, 'j', 'j', 'j', 'j')
    const driver = results[3]
    if (!driver || driver.deleted)
      throw new Error('The fourth driver on page 5 of the demo data is missing or suspended.')
    await press(page, 's')
    await page.getByText(`${driver.user.fullname} has been suspended.`).waitFor()
    await rows(page).nth(3).getByText('Unsuspend').waitFor()
    expect(await place(page)).toEqual(['205', 0])
    await press(page, 'u')
    await page.getByText(`${driver.user.fullname} has been unsuspended.`).waitFor()
    const after = await drivers('page=5')
    expect(after.results.map(({ deleted }) => deleted)).toEqual(results.map(({ deleted }) => deleted))
  })
})

test('a row that is selected or focused looks the same under the pointer', async () => {
  const page = await openList('/riders')
  await press(page, 'j', 'x', 'j', 'j')
  const list = page.locator('tbody')
  const backgroundOf = (row: string) =>
    list
      .locator(`${row} td:nth-child(2)`)
      .first()
      .evaluate((cell) => getComputedStyle(cell).backgroundColor)
  const plain = 'tr[data-active=false][aria-selected=false]'
  const untouched = await backgroundOf(plain)
  for (const row of ['tr[aria-selected=true]', 'tr[data-active=true]']) {
    const marked = await backgroundOf(row)
    expect(marked).not.toBe(untouched)
    await list.locator(row).hover()
    expect(await backgroundOf(row)).toBe(marked)
  }
  await list.locator(plain).first().hover()
  expect(await backgroundOf(plain)).not.toBe(untouched)
})

describe('a page of 1000 rows', () => {
  test('has fewer than 100 of them in the document, adds rows while scrolling, and keeps the focused one', async () => {
    const page = await openList('/riders?size=1000')
    await expect.poll(() => rows(page).count()).toBeLessThan(100)
    await press(page, 'j', 'j', 'j')
    const name = await focused(page)
    const held = await page.evaluateHandle(() => document.activeElement)
    await scroller(page).hover()
    await page.mouse.wheel(0, 15_000)
    await expect.poll(() => scrollTop(page)).toBeGreaterThan(10_000)
    await expect.poll(() => rows(page).count()).toBeGreaterThan(10)
    expect(await rows(page).count()).toBeLessThan(100)
    expect(await held.evaluate((element) => element?.isConnected && element === document.activeElement)).toBe(
      true,
    )
    expect(await focused(page)).toBe(name)
    await press(page, 'Control+End')
    await expect.poll(() => place(page)).toEqual(['1001', 8])
    await expect.poll(() => scrollTop(page)).toBeGreaterThan(30_000)
    await press(page, 'Control+Home')
    await expect.poll(() => place(page)).toEqual(['2', 0])
    await expect.poll(() => scrollTop(page)).toBe(0)
  })

  test('shows row 500 at the scroll offset of row 500', async () => {
    const { results } = await twende.read('drivers/?page_size=1000', PageOf(Driver))
    const page = await openList('/riders?size=1000')
    await scroller(page).evaluate((element) => element.scrollTo(0, 500 * 36))
    const visible = () =>
      scroller(page).evaluate((element) => {
        const box = element.getBoundingClientRect()
        const row = document.elementFromPoint(box.x + 20, box.y + 60)?.closest('tr')
        return [row?.getAttribute('aria-rowindex'), row?.querySelector('td')?.textContent]
      })
    await expect.poll(() => visible()).toEqual(['502', String(results[500]?.id)])
  })
})

describe('a page of 1000 rows that is scrolled', () => {
  /** Scrolls by so many rows in each of so many frames. Returns for each the row in the middle and the focused row, with the number of their cells. */
  const scrollBy = (page: Page, { rows, frames }: { rows: number; frames: number }) =>
    scroller(page).evaluate(
      async (element, { rows, frames }) => {
        const seen: { text: string; cells: number; focused: number }[] = []
        const box = element.getBoundingClientRect()
        for (let frame = 0; frame < frames; frame++) {
          element.scrollTop += rows * 36
          // The event of the scroll comes with the next frame, before this.
          await new Promise((resolve) => requestAnimationFrame(resolve))
          const row = document.elementFromPoint(box.x + 20, box.y + box.height / 2)?.closest('tr')
          const focused = document.activeElement?.closest('tr')?.cells.length ?? 0
          seen.push({ text: row?.textContent ?? '', cells: row?.cells.length ?? 0, focused })
        }
        return seen
      },
      { rows, frames },
    )

  test('faster than rows can be rendered has rows with their first two cells, and all cells of the focused one; all rows have all cells after it', async () => {
    const page = await openList('/riders?size=1000')
    await press(page, 'j', 'j')
    const all = await page.locator('tr:focus-within td').count()
    const seen = await scrollBy(page, { rows: 40, frames: 20 })
    expect(seen.filter(({ text }) => text === '')).toEqual([])
    expect(seen.filter(({ cells }) => cells === 2).length).toBeGreaterThan(0)
    expect(seen.filter(({ focused }) => focused !== all)).toEqual([])
    await expect
      .poll(() => rows(page).evaluateAll((rows) => [...new Set(rows.map((row) => row.childElementCount))]))
      .toEqual([all])
  })

  test('as fast as a wheel does it has rows with all cells only', async () => {
    const page = await openList('/riders?size=1000')
    const seen = await scrollBy(page, { rows: 2, frames: 40 })
    expect(new Set(seen.map(({ cells }) => cells))).toEqual(new Set([9]))
  })

  test('by one jump has rows with all cells in the first frame', async () => {
    const page = await openList('/riders?size=1000')
    const seen = await scrollBy(page, { rows: 400, frames: 1 })
    expect(seen.map(({ cells }) => cells)).toEqual([9])
  })

  test('gets the next rows and loses others at once, three at a time', async () => {
    const page = await openList('/riders?size=1000')
    await scrollBy(page, { rows: 8, frames: 10 })
    const changes = await page.evaluateHandle(() => {
      const changes: number[] = []
      new MutationObserver((records) => changes.push(records.length)).observe(
        document.querySelector('tbody') ?? document,
        { childList: true },
      )
      return changes
    })
    await scrollBy(page, { rows: 1, frames: 40 })
    expect(await changes.evaluate(({ length }) => length)).toBeLessThan(18)
  })
})

describe('answers to the list call', () => {
  test('a late answer to an earlier search does not replace a newer one (S2.u.1)', async () => {
    const page = await openList()
    const held: Route[] = []
    await page.route('**/oms/drivers/?*s=kam*', (route) => void held.push(route))
    await search(page).fill('kam')
    await search(page).press('Enter')
    await expect.poll(() => held.length).toBe(1)
    await search(page).fill('otieno')
    await search(page).press('Enter')
    const { results } = await drivers('s=otieno')
    await expect.poll(() => rows(page).count()).toBe(results.length)
    // The console may have cancelled the request.
    await Promise.allSettled(
      held.map(async (route) => {
        await route.continue()
        await (await route.request().response())?.finished()
      }),
    )
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
    expect(await rows(page).count()).toBe(results.length)
    expect(addressOf(page)).toBe('/riders?s=otieno')
  })

  test('missing and malformed values show as blank, and markup as text (S3.2)', async () => {
    const odd = [
      { id: 1 },
      { id: 2, user: null, wallet_balance: 'abc', online: 'yes', vehicle: 7 },
      {
        id: 3,
        user: { fullname: { a: 1 }, phone_number: 254700000003, date_joined: 'soon' },
        total_failed_trips: null,
      },
      {
        id: null,
        user: { fullname: '<b>Bold</b>', phone_number: '++254 7', date_joined: '1970-01-01T00:00:00Z' },
      },
      'nothing',
      null,
    ]
    const page = await twende.open('/riders', {
      prepare: (before) =>
        before.route('**/oms/drivers/?*', (route) => route.fulfill({ json: { results: odd } })),
    })
    await rows(page).first().waitFor()
    const text = (await grid(page).textContent()) ?? ''
    expect(text).not.toMatch(/undefined|null|NaN|Invalid|1970|\[object/)
    expect(text).toContain('<b>Bold</b>')
    expect(text).toContain('+254700000003')
    expect(text).not.toContain('++')
  })
})

test('suspending two drivers is undone after a reload of the page by Control+Z; the server holds it (R7)', async () => {
  const page = await openList()
  await press(page, 'j', 'x', 'j', 'x')
  const two = page.locator('tbody tr[aria-selected=true]').getByRole('button', { name: /^Suspend/ })
  const names = await two.evaluateAll((buttons) =>
    buttons.map((button) => button.getAttribute('aria-label') ?? ''),
  )
  expect(names).not.toEqual([])
  await press(page, 's')
  const suspended = names.map((name) =>
    page.getByRole('button', { name: name.replace('Suspend', 'Unsuspend') }),
  )
  for (const button of suspended) await button.waitFor()
  const held = async () => (await drivers()).results.filter(({ deleted }) => deleted).length
  const after = await held()
  await reload(page)
  await rows(page).first().waitFor()
  await press(page, 'Control+z')
  for (const button of suspended) await button.waitFor({ state: 'detached' })
  expect(await held()).toBe(after - names.length)
})
