import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { Driver, Page as PageOf } from '../../src/api/contract.ts'
import { colourOf, focused, passTime, press, reload, toasts, useConsole } from '../support/console.ts'

const twende = useConsole()

async function edgesOf(page: Page): Promise<{ middle: number; bottom: number }> {
  const { x = NaN, y = NaN, width = NaN, height = NaN } = (await shown(page).boundingBox()) ?? {}
  return { middle: x + width / 2, bottom: y + height }
}

const shown = (page: Page) => page.locator('[data-sonner-toast][data-removed=false]')

/** A page with a new toast and a stopped clock, which `wait` advances by so many milliseconds. */
async function showToast(colorScheme: 'light' | 'dark' = 'light') {
  const page = await twende.open('/login', {
    signedIn: false,
    colorScheme,
    prepare: async (before) => {
      await before.clock.install()
      await before.route('**/oms/login/', (route) => route.fulfill({ json: {} }))
    },
  })
  await page.getByLabel('Email').fill('someone@twende.test')
  await page.getByLabel('Password').fill('x')
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await page.getByLabel('Password').press('Enter')
  const wait = (time: number) => passTime(page, time)
  await expect.poll(async () => wait(1).then(() => shown(page).count())).toBe(1)
  return { page, wait }
}

describe('a toast', () => {
  test('is at the bottom centre, dark in both themes, and in a polite live region (S2.u.4)', async () => {
    const grounds: number[][] = []
    for (const scheme of ['light', 'dark'] as const) {
      const { page, wait } = await showToast(scheme)
      await wait(500)
      // It slides in from below.
      await expect.poll(async () => (await edgesOf(page)).bottom).toBeLessThanOrEqual(900)
      const { middle, bottom } = await edgesOf(page)
      expect(Math.abs(middle - 720)).toBeLessThan(3)
      expect(bottom).toBeGreaterThan(840)
      expect(await page.getByRole('region', { name: /^Notifications/ }).getAttribute('aria-live')).toBe(
        'polite',
      )
      await page.setViewportSize({ width: 400, height: 900 })
      await expect.poll(async () => Math.abs((await edgesOf(page)).middle - 200)).toBeLessThan(3)
      grounds.push(await colourOf(shown(page).locator('div').first(), 'backgroundColor'))
    }
    expect(grounds[0]).toEqual(grounds[1])
    expect(Math.max(...(grounds[0] ?? [255]))).toBeLessThan(80)
  })

  test('closes by itself after 5000 ms (S9.9)', async () => {
    const { page, wait } = await showToast()
    await wait(4900)
    expect(await shown(page).count()).toBe(1)
    await wait(150)
    expect(await shown(page).count()).toBe(0)
    await wait(500)
    expect(await toasts(page).count()).toBe(0)
  })

  test('closes on a click (S2.u.4)', async () => {
    const { page, wait } = await showToast()
    await wait(500)
    await shown(page).click()
    await wait(100)
    expect(await shown(page).count()).toBe(0)
  })

  test('stays open while the mouse is over it (S2.u.4)', async () => {
    const { page, wait } = await showToast()
    await wait(2000)
    await shown(page).hover()
    await wait(20_000)
    expect(await shown(page).count()).toBe(1)
    await page.mouse.move(10, 10, { steps: 4 })
    await wait(2800)
    expect(await shown(page).count()).toBe(1)
    await wait(300)
    expect(await shown(page).count()).toBe(0)
  })

  test('stays open while the window does not have the focus (S2.u.4)', async () => {
    const { page, wait } = await showToast()
    await wait(2000)
    await page.evaluate(() => window.dispatchEvent(new Event('blur')))
    await wait(20_000)
    expect(await shown(page).count()).toBe(1)
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await wait(2800)
    expect(await shown(page).count()).toBe(1)
    await wait(300)
    expect(await shown(page).count()).toBe(0)
  })

  test('closes when it is dragged to the side, also by its text (S2.u.4)', async () => {
    const { page, wait } = await showToast()
    await wait(500)
    // Unlike `mouse.move`, `hover` waits until the toast has come to rest; the mouse is then on its text.
    await shown(page).hover({ position: { x: 60, y: 20 } })
    const box = await shown(page).boundingBox()
    const [x, y] = [(box?.x ?? NaN) + 60, (box?.y ?? NaN) + 20]
    await page.mouse.down()
    // The toast follows only once it has rendered the direction of the first move.
    const follows = async () => {
      await page.mouse.move(x + 110, y)
      await page.mouse.move(x + 120, y)
      return toasts(page).evaluate((toast: HTMLElement) => toast.style.getPropertyValue('--swipe-amount-x'))
    }
    await expect.poll(follows).toBe('120px')
    expect(await toasts(page).getAttribute('data-swiping')).toBe('true')
    await page.mouse.up()
    await wait(1)
    await expect.poll(() => toasts(page).getAttribute('data-swipe-out')).toBe('true')
    await wait(500)
    expect(await toasts(page).count()).toBe(0)
  })

  test('stays open while it has the keyboard focus, so that its button can be pressed (S2.u.4, R7)', async () => {
    const { results } = await twende.read('drivers/', PageOf(Driver))
    const driver = results.find(({ deleted }) => !deleted)
    const page = await twende.open('/riders', { prepare: (before) => before.clock.install() })
    await page.getByRole('button', { name: `Suspend ${driver?.user.fullname}`, exact: true }).click()
    await shown(page).waitFor()
    await press(page, 'Alt+t', 'Tab', 'Tab')
    expect(await focused(page)).toBe('Undo')
    await passTime(page, 20_000)
    expect(await shown(page).count()).toBe(1)
    await press(page, 'Enter')
    await shown(page).getByText(`${driver?.user.fullname} has been unsuspended.`).waitFor()
  })
})

describe('the toasts of several records, of which one failed', () => {
  test('say how many there are, and the one behind ends with the other (R7)', async () => {
    twende.expectTrouble(/status of 400/)
    const page = await twende.open('/invoices?filter=unpaid', { answers: true })
    let calls = 0
    await page.route('**/invoice/update/', (route) =>
      ++calls === 5
        ? route.fulfill({ status: 400, json: {} })
        : route.fulfill({
            json: { message: `Invoice ${calls} of Bartholomew Kiprotich Cheruiyot has been cleared.` },
          }),
    )
    await page.getByRole('row').nth(5).waitFor()
    for (let row = 0; row < 5; row++) await press(page, 'j', 'x')
    await press(page, 'c')
    await page.getByRole('alertdialog').waitFor()
    await press(page, 'Enter')
    const front = shown(page).and(page.locator('[data-front=true]')).filter({ hasText: 'An error' })
    await front.waitFor()
    const behind = shown(page).filter({ hasText: 'and 1 more' })
    const bottomOf = (toast: typeof front) => toast.evaluate((one) => one.getBoundingClientRect().bottom)
    const clipped = () => behind.evaluate((one) => getComputedStyle(one).clipPath)
    expect(await clipped()).toMatch(/^inset\(.* 0px\)$/)
    await expect.poll(async () => (await bottomOf(behind)) <= (await bottomOf(front))).toBe(true)

    await front.hover()
    await expect.poll(clipped).toBe('none')
    const text = behind.locator('span')
    expect(await text.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0)
  })
})

describe('theme and density', () => {
  const choose = async (page: Page, query: string, id: string) => {
    await press(page, 'Control+k')
    await page.keyboard.type(query)
    await page.locator(`[data-id="${id}"][aria-selected=true]`).waitFor()
    await press(page, 'Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

  test('the theme commands survive a reload, and the default follows the system', async () => {
    const page = await twende.open('/', { colorScheme: 'light' })
    const light = await ground(page)
    await choose(page, 'dark theme', 'theme.dark')
    const dark = await ground(page)
    expect(dark).not.toBe(light)
    await reload(page)
    expect(await ground(page)).toBe(dark)
    await choose(page, 'theme of the system', 'theme.system')
    expect(await ground(page)).toBe(light)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await ground(page)).toBe(dark)
    await choose(page, 'light theme', 'theme.light')
    expect(await ground(page)).toBe(light)
  })

  test('the density commands change the row height and survive a reload', async () => {
    const page = await twende.open('/riders')
    const row = page.getByRole('row').nth(3)
    const height = async () => (await row.boundingBox())?.height
    await expect.poll(height).toBe(36)
    await choose(page, 'compact', 'density.compact')
    await expect.poll(height).toBe(28)
    await reload(page)
    await expect.poll(height).toBe(28)
    await choose(page, 'comfortable', 'density.comfortable')
    await expect.poll(height).toBe(36)
  })

  test('malformed stored settings count as the defaults', async () => {
    const page = await twende.open('/riders', {
      prepare: (before) => before.addInitScript(() => localStorage.setItem('oms.settings', '{"theme":7,')),
    })
    await expect.poll(async () => (await page.getByRole('row').nth(3).boundingBox())?.height).toBe(36)
    await press(page, '?')
    await page.getByRole('dialog').waitFor()
  })
})
