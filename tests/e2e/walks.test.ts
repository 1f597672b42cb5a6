import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addressOf, press, useConsole } from '../support/console.ts'
import { seeded } from '../support/random.ts'
import { repeats } from '../support/soak.ts'

const twende = useConsole()

/** Steps of each of the three walks. */
const steps = repeats(8, 30)

/** The visible state that Back and Forward must restore. */
interface Seen {
  address: string
  /** `aria-rowindex` of the active row; empty if there is none. */
  row: string
  /** Whether the focus is in that row, in another control, or nowhere. */
  focus: 'row' | 'control' | 'none'
  scroll: number
  tab: string
}

const look = (page: Page): Promise<Omit<Seen, 'address'>> =>
  page.evaluate(() => {
    const grid = document.querySelector('[role=grid]')
    const row = grid?.querySelector('tr[data-active=true]')
    const active = document.activeElement
    return {
      row: row?.getAttribute('aria-rowindex') ?? '',
      focus: row?.contains(active) ? 'row' : active?.matches('body,main') ? 'none' : 'control',
      scroll: grid?.parentElement?.scrollTop ?? 0,
      tab: document.querySelector('[role=tab][aria-selected=true]')?.textContent ?? '',
    }
  })

const see = async (page: Page): Promise<Seen> => ({ address: addressOf(page), ...(await look(page)) })

/** Waits until the screen of this address has loaded. */
async function arrive(page: Page, address: string): Promise<void> {
  await expect.poll(() => addressOf(page)).toBe(address)
  await expect
    .poll(() =>
      page.locator('main').locator('[aria-busy=true],[data-stale=true],[aria-label=Loading]').count(),
    )
    .toBe(0)
  await page.locator('main').getByRole('navigation').first().waitFor()
}

const pathOf = ({ address }: Seen) => new URL(address, 'http://oms.test').pathname

const firstRow = async (page: Page) =>
  (await page.locator('tbody tr[aria-rowindex]').first().getAttribute('aria-rowindex')) ?? ''

const screens = { d: '/riders', c: '/customers', v: '/vehicles', t: '/trips' }
const searched = ['an', 'mwangi 10%', 'ö & ü', 'K', '+254 7']

/** The address with these parameters set, or removed when null, in the order that the console uses. */
function withParameters(address: string, change: Record<string, string | null>): string {
  const url = new URL(address, 'http://oms.test')
  for (const [name, value] of Object.entries(change))
    if (value === null) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  return url.pathname + url.search
}

test.each([1, 2, 3])(
  'random walk %i: each Back and Forward restores address, page, row, focus, scroll offset and tab (S2.u.1, S2.u.2)',
  async (seed) => {
    const random = seeded(seed)
    const oneOf = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)]
    const page = await twende.open('/riders')
    await arrive(page, '/riders')
    const entries: Seen[] = [await see(page)]
    let at = 0

    const leave = async () => {
      entries[at] = await see(page)
    }
    const goTo = async (address: string) => {
      entries.splice(++at)
      await arrive(page, address)
      await leave()
    }
    const travel = async (by: -1 | 1) => {
      await leave()
      const [left, wanted] = [entries[at], entries[at + by]]
      if (!wanted) return
      at += by
      await (by < 0 ? page.goBack() : page.goForward())
      await arrive(page, wanted.address)
      const { scroll, tab } = wanted
      // If that entry has no active row and the focus is in a row of the same list, the first row gets it.
      const isHandedOver = !wanted.row && left?.focus === 'row' && pathOf(left) === pathOf(wanted)
      const row = isHandedOver ? await firstRow(page) : wanted.row
      // A focused control that stays on the page keeps the focus.
      const focus = wanted.focus === 'row' && left?.focus !== 'control' ? { focus: 'row' } : {}
      await expect.poll(() => look(page)).toMatchObject({ row, scroll, tab, ...focus })
    }

    const inList = {
      turnPage: async () => {
        const next = page.getByRole('button', { name: 'Next page' })
        if (await next.isDisabled()) return
        await leave()
        const current = Number(new URL(page.url()).searchParams.get('page') ?? 1)
        const address = withParameters(addressOf(page), { page: String(current + 1) })
        await next.click()
        await goTo(address)
      },
      search: async () => {
        if ((await page.getByRole('searchbox').count()) === 0) return
        const text = oneOf(searched) ?? ''
        const address = withParameters(addressOf(page), { s: text, page: null })
        await page.getByRole('searchbox').fill(text)
        await leave()
        await press(page, 'Enter')
        await goTo(address)
      },
      resize: async () => {
        const size = oneOf(['25', '100']) ?? ''
        const select = page.getByLabel('Rows per page')
        if ((await select.inputValue()) === size) return
        await leave()
        const address = withParameters(addressOf(page), { size, page: null })
        await select.selectOption(size)
        await goTo(address)
      },
      walk: async () => {
        if ((await page.getByRole('grid').count()) === 0) return
        await press(page, 'Escape')
        await page.locator('main').focus()
        const moves = ['j', 'j', 'PageDown', 'ArrowRight', 'k', 'PageDown', 'End']
        await press(page, 'j', ...moves.slice(0, Math.floor(random() * moves.length)))
      },
      openRow: async () => {
        const link = page.locator('tr[data-active=true] a').first()
        if (!addressOf(page).startsWith('/riders') || (await look(page)).focus !== 'row') return
        await leave()
        const address = (await link.getAttribute('href')) ?? ''
        await press(page, 'Enter')
        await goTo(address)
      },
    }
    const inDetail = {
      switchTab: async () => {
        const tab = oneOf(['Jobs history', 'Transactions history']) ?? ''
        await page.getByRole('tab', { name: tab }).click()
        await arrive(
          page,
          withParameters(addressOf(page), { tab: tab === 'Jobs history' ? null : 'transactions' }),
        )
      },
      turnTab: async () => {
        const next = page.getByRole('button', { name: 'Next page' })
        if (await next.isDisabled()) return
        await leave()
        const { searchParams } = new URL(page.url())
        const parameter = searchParams.get('tab') ? 'pageT' : 'page'
        const change = { [parameter]: String(Number(searchParams.get(parameter) ?? 1) + 1) }
        const address = withParameters(addressOf(page), change)
        await next.click()
        await goTo(address)
      },
    }
    const anywhere = {
      goToScreen: async () => {
        const [key, address] = oneOf(Object.entries(screens)) ?? ['', '']
        if (addressOf(page) === address) return
        await page.locator('main').focus()
        await leave()
        await press(page, 'g', key)
        await goTo(address)
      },
      back: () => travel(-1),
      backAgain: () => travel(-1),
      forward: () => travel(1),
    }

    for (let step = 0; step < steps; step++) {
      const isDetail = /^\/riders\/\d/.test(addressOf(page))
      const actions = { ...anywhere, ...(isDetail ? inDetail : inList) }
      await oneOf(Object.values(actions))?.()
    }
    while (at > 0) await travel(-1)
  },
)

test('a record begins at its top, and Back restores where it was scrolled (S2.u)', async () => {
  const page = await twende.open('/riders/12', { viewport: { width: 1024, height: 500 } })
  const main = page.locator('main')
  await arrive(page, '/riders/12')
  const top = () => main.evaluate((one) => one.scrollTop)
  await main.evaluate((one) => one.scrollTo(0, 150))
  await expect.poll(top).toBe(150)
  for (const [id, name] of [
    ['13', 'first'],
    ['14', 'second'],
  ]) {
    await press(page, 'Control+k')
    await page.keyboard.type(`open driver #${id}`)
    await page.getByRole('option', { selected: true }).filter({ hasText: /^Open/ }).waitFor()
    await press(page, 'Enter')
    await arrive(page, `/riders/${id}`)
    expect(await top(), name).toBe(0)
    await main.evaluate((one) => one.scrollTo(0, 120))
    await expect.poll(top).toBe(120)
  }
  await page.goBack()
  await arrive(page, '/riders/13')
  await expect.poll(top).toBe(120)
  await page.goBack()
  await arrive(page, '/riders/12')
  await expect.poll(top).toBe(150)
  // Its data come again after the page was loaded again.
  await page.reload()
  await arrive(page, '/riders/12')
  await expect.poll(top).toBe(150)
})
