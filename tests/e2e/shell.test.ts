import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { addressOf, focused, passTime, press, reload, staff, useConsole } from '../support/console.ts'
import { navigation } from '../support/screens.ts'

const twende = useConsole()

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const widthOf = async (page: Page) => (await sidebar(page).boundingBox())?.width
const cookieOf = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name === 'sidebar:state')
const isOverflowing = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

describe('side navigation', () => {
  test('it has the 14 entries in order, each a link to its route; two pairs share an icon (S2.b.2)', async () => {
    const page = await twende.open()
    const links = await sidebar(page)
      .getByRole('link')
      .evaluateAll((found) =>
        found.map((link) => ({
          title: link.textContent,
          path: link.getAttribute('href'),
          icon: link.querySelector('svg')?.innerHTML ?? '',
        })),
      )
    expect(links.map(({ title, path }) => [title, path])).toEqual(
      navigation.map(([title, path]) => [title, path]),
    )
    const icon = (title: string) => links.find((link) => link.title === title)?.icon
    expect(icon('Drivers')).toBeTruthy()
    expect(icon('Vehicles')).toBe(icon('Drivers'))
    expect(icon('Coupons')).toBe(icon('Blogs'))
    expect(new Set(links.map((link) => link.icon)).size).toBe(12)
  })

  test('each entry opens its screen and is then marked as the current one (S2.a.1–S2.a.16, S2.b.2)', async () => {
    const page = await twende.open('/riders')
    for (const [title, path] of navigation) {
      await sidebar(page).getByRole('link', { name: title, exact: true }).click()
      await expect.poll(() => addressOf(page)).toBe(path)
      expect(await sidebar(page).locator('[aria-current=page]').allTextContents()).toEqual([title])
      expect(await page.locator('main h1').textContent()).not.toContain('OOPS')
    }
  })

  test('the path of each entry and of each detail can be opened directly (S2.a.1–S2.a.17)', async () => {
    const page = await twende.open('/favicon.svg')
    for (const path of [...navigation.map(([, entry]) => entry), '/riders/1', '/attractions/1']) {
      await page.goto(twende.url + path)
      expect(await page.locator('main h1').textContent(), path).not.toContain('OOPS')
      expect(addressOf(page)).toBe(path)
    }
  })

  test.each(['/no-such-page', '/riders/1/more', '/promos/7'])(
    '%s shows the not-found page with a link to the home screen (S2.a.18, S8.12, S2.t.1)',
    async (path) => {
      const page = await twende.open(path)
      await page.getByText('OOPS! The page you are looking for does not exist', { exact: true }).waitFor()
      expect(addressOf(page)).toBe(path)
      expect(await sidebar(page).isVisible()).toBe(true)
      await page.getByRole('link', { name: 'Go home' }).click()
      await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
      expect(addressOf(page)).toBe('/')
    },
  )

  test('the first link of the page skips the side navigation (S2.b.1)', async () => {
    const page = await twende.open('/riders?page=2')
    // The first control of the list, which comes after the list itself.
    await page.getByRole('button', { name: 'Views' }).waitFor()
    const first = page.locator('a').first()
    expect(await first.textContent()).toBe('Skip to content')
    await first.focus()
    await press(page, 'Enter', 'Tab')
    const isFirst = () => document.activeElement === document.querySelector('main :is(a,button,input)')
    expect(await page.evaluate(isFirst)).toBe(true)
    expect(await page.getByText('Page 2 of').count()).toBe(1)
  })
})

describe('the sidebar', () => {
  test('Ctrl+B and Cmd+B toggle its width between 16rem and 3rem, also from a text field (S2.b.4, S9.7)', async () => {
    const page = await twende.open('/riders')
    await page.getByRole('grid').waitFor()
    expect(await widthOf(page)).toBe(256)
    await press(page, 'Control+b')
    await expect.poll(() => widthOf(page)).toBe(48)
    await press(page, 'Meta+b')
    await expect.poll(() => widthOf(page)).toBe(256)
    const search = page.getByPlaceholder('Search driver by name...')
    await search.focus()
    await page.keyboard.type('b')
    await press(page, 'Control+b')
    await expect.poll(() => widthOf(page)).toBe(48)
    await press(page, 'Meta+b')
    await expect.poll(() => widthOf(page)).toBe(256)
    expect(await search.inputValue()).toBe('b')
    await page.getByRole('button', { name: 'Toggle the sidebar' }).click()
    await expect.poll(() => widthOf(page)).toBe(48)
  })

  test('its state is kept in the cookie sidebar:state for 7 days (S4.10, S9.7)', async () => {
    const page = await twende.open('/')
    await press(page, 'Control+b')
    await expect.poll(async () => (await cookieOf(page))?.value).toBe('false')
    const cookie = await cookieOf(page)
    expect(cookie?.path).toBe('/')
    const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400
    expect(Math.round(days * 10) / 10).toBe(7)
    await reload(page)
    expect(await widthOf(page)).toBe(48)
    await press(page, 'Control+b')
    await expect.poll(async () => (await cookieOf(page))?.value).toBe('true')
    await reload(page)
    expect(await widthOf(page)).toBe(256)
  })

  test('a malformed cookie counts as expanded, and a narrow window does not change the cookie (S4.10, reliability 26)', async () => {
    const page = await twende.open('/')
    await page.context().addCookies([{ name: 'sidebar:state', value: '%E0%A4%A', url: twende.url }])
    await reload(page)
    expect(await widthOf(page)).toBe(256)
    await page.setViewportSize({ width: 1024, height: 800 })
    await page.getByRole('button', { name: 'Open the sidebar' }).waitFor()
    await press(page, 'Control+b')
    await expect.poll(() => widthOf(page)).toBe(256)
    expect((await cookieOf(page))?.value).toBe('%E0%A4%A')
  })

  test('at 1024 px it is a rail of 3rem, and an extra button opens it (S9.6, S2.b.1, S2.b.3)', async () => {
    const page = await twende.open('/riders')
    const extra = page.getByRole('button', { name: 'Open the sidebar' })
    expect(await extra.count()).toBe(0)
    await page.setViewportSize({ width: 1199, height: 800 })
    await extra.waitFor()
    await page.setViewportSize({ width: 1024, height: 800 })
    expect(await widthOf(page)).toBe(48)
    await extra.click()
    await expect.poll(() => widthOf(page)).toBe(256)
    await press(page, 'Escape')
    await expect.poll(() => widthOf(page)).toBe(48)
    await extra.click()
    await sidebar(page).getByRole('link', { name: 'Trips' }).click()
    await expect.poll(() => widthOf(page)).toBe(48)
    expect(addressOf(page)).toBe('/trips')
    expect(await isOverflowing(page)).toBe(false)
    await page.setViewportSize({ width: 1200, height: 800 })
    await expect.poll(() => widthOf(page)).toBe(256)
    expect(await extra.count()).toBe(0)
  })

  test('at 700 px it is a panel of 18rem that slides in (S9.6, S9.7, S4.10)', async () => {
    const page = await twende.open('/riders', { viewport: { width: 700, height: 800 } })
    await page.getByRole('grid').waitFor()
    expect(await sidebar(page).isVisible()).toBe(false)
    expect((await page.locator('main').boundingBox())?.x).toBe(0)
    await page.getByRole('button', { name: 'Open the sidebar' }).click()
    await expect.poll(async () => (await sidebar(page).boundingBox())?.x).toBe(0)
    expect(await widthOf(page)).toBe(288)
    await page.mouse.click(650, 400)
    await expect.poll(() => sidebar(page).isVisible()).toBe(false)
    await press(page, 'Control+b')
    await expect.poll(() => sidebar(page).isVisible()).toBe(true)
    await press(page, 'Control+b')
    await expect.poll(() => sidebar(page).isVisible()).toBe(false)
    expect(await isOverflowing(page)).toBe(false)
  })

  test('at 320 px the button of the palette keeps its icon (S9.6)', async () => {
    const page = await twende.open('/', { viewport: { width: 320, height: 700 } })
    const icon = page.getByRole('button', { name: /^Search or run/ }).locator('svg')
    expect((await icon.boundingBox())?.width).toBe(16)
  })

  test('a pointer that jumps from one entry of the rail to another shows the tooltip of the other, and keeps it', async () => {
    const page = await twende.open('/', { viewport: { width: 1000, height: 900 } })
    const tooltip = page.getByRole('tooltip')
    const middleOf = async (name: string) => {
      const box = await sidebar(page).getByRole('link', { name }).boundingBox()
      return [(box?.x ?? 0) + 10, (box?.y ?? 0) + 10] as const
    }
    const frames = () =>
      page.evaluate(
        () =>
          new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null)))),
      )
    await page.mouse.move(...(await middleOf('Vehicles')))
    await expect.poll(() => tooltip.allTextContents()).toEqual(['Vehicles'])
    const [x, y] = await middleOf('Blogs')
    await page.mouse.move(x, y)
    await frames()
    await page.mouse.move(x + 2, y)
    await frames()
    expect(await tooltip.allTextContents()).toEqual(['Blogs'])
    // Away from it and back to another one, each in one movement.
    await page.mouse.move(600, y)
    await frames()
    await page.mouse.move(...(await middleOf('Vehicles')))
    await frames()
    expect(await tooltip.allTextContents()).toEqual(['Vehicles'])
    await page.mouse.move(600, y, { steps: 8 })
    await expect.poll(() => tooltip.count()).toBe(0)
  })

  test('in the rail the tooltip of an entry appears at once, elsewhere a tooltip appears after 700 ms (S9.8)', async () => {
    const page = await twende.open('/', { prepare: (before) => before.clock.install() })
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await press(page, 'Control+b')
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    const tooltip = page.getByRole('tooltip')
    await sidebar(page).getByRole('link', { name: 'Vehicles' }).hover()
    await passTime(page, 1)
    expect(await tooltip.textContent()).toBe('Vehicles')
    await page.mouse.move(900, 600, { steps: 8 })
    await passTime(page, 1000)
    expect(await tooltip.count()).toBe(0)
    await page.getByRole('button', { name: 'Toggle the sidebar' }).hover()
    await passTime(page, 690)
    expect(await tooltip.count()).toBe(0)
    await passTime(page, 20)
    expect(await tooltip.textContent()).toContain('Toggle the sidebar')
  })

  test('a tooltip appears for a button that the pointer moves to, not for one that comes under a resting pointer', async () => {
    const page = await twende.open('/coupons', { prepare: (before) => before.clock.install() })
    const edit = page.getByRole('button', { name: 'Edit coupon' }).first()
    await edit.waitFor()
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    const isOverEdit = () =>
      page.evaluate(() => document.querySelector('[data-command="coupon.edit"]:hover') !== null)
    await edit.hover()
    expect(await isOverEdit()).toBe(true)
    await press(page, 'Control+k')
    await page.getByRole('dialog').waitFor()
    await expect.poll(isOverEdit).toBe(false)
    await press(page, 'Escape')
    await passTime(page, 1000)
    await expect.poll(isOverEdit).toBe(true)
    await passTime(page, 1000)
    expect(await page.getByRole('tooltip').count()).toBe(0)
    const box = await edit.boundingBox()
    await page.mouse.move((box?.x ?? 0) + 3, (box?.y ?? 0) + 3)
    await passTime(page, 710)
    expect(await page.getByRole('tooltip').textContent()).toContain('Edit coupon')
  })
})

describe('the avatar', () => {
  test('it shows who is signed in and toggles a menu with Logout and a Close button (S2.b.3)', async () => {
    const page = await twende.open('/')
    const avatar = page.getByRole('button', { name: `Account of ${staff.email}` })
    const logout = page.getByRole('menuitem', { name: 'Logout' })
    expect(await avatar.textContent()).toBe('D')
    await avatar.click()
    await logout.waitFor()
    expect(await page.getByRole('menu').textContent()).toContain(staff.email)
    await avatar.click()
    await logout.waitFor({ state: 'detached' })
    await avatar.click()
    await page.getByRole('menuitem', { name: 'Close' }).click()
    await logout.waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe(`Account of ${staff.email}`)
    await press(page, 'Enter')
    await logout.waitFor()
    await press(page, 'Escape')
    await logout.waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe(`Account of ${staff.email}`)
    expect(addressOf(page)).toBe('/')
  })
})

test('in a low window, the menu of the account ends in the window, and its last item is reached', async () => {
  const page = await twende.open('/riders', { viewport: { width: 844, height: 360 } })
  await page.getByRole('button', { name: /^Account/ }).click()
  const menu = page.getByRole('menu')
  await menu.waitFor()
  const bottom = (place: Locator) => place.evaluate((one) => one.getBoundingClientRect().bottom)
  expect(await bottom(menu)).toBeLessThanOrEqual(360)
  await page.getByRole('menuitem', { name: 'Logout' }).scrollIntoViewIfNeeded()
  expect(await bottom(page.getByRole('menuitem', { name: 'Logout' }))).toBeLessThanOrEqual(360)
})
