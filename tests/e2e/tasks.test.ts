import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import {
  Attraction,
  Blog,
  Coupon,
  Customer,
  Driver,
  Invoice,
  Page as PageOf,
  PromoCode,
  SosLog,
  Trip,
} from '../../src/api/contract.ts'
import { patience } from '../../src/commands/find/slots.ts'
import { addressOf, toasts, useConsole } from '../support/console.ts'
import { keys } from '../support/keys.ts'
import { isFilled } from '../support/screens.ts'
import { readWorkbook } from '../support/xlsx.ts'

const twende = useConsole()

const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' })
const form = (page: Page, name: string) => page.getByRole('dialog', { name })
const firstCell = (page: Page) => page.locator('tbody tr[data-index]').first().locator('td').first()

/** Opens the palette, types a query and waits until this row is the highlighted one. */
async function ask(page: Page, hand: ReturnType<typeof keys>, query: string, title: string): Promise<void> {
  await hand.press('Control+k')
  await palette(page).waitFor()
  await hand.type(query)
  const row = palette(page).locator('[role=option][aria-selected=true]').getByText(title, { exact: true })
  const isThere = () =>
    row.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false,
    )
  await expect
    .poll(
      async () => {
        if (await isThere()) return title
        // On a busy machine the records can come after rows that match worse, which keep the highlight until the next key.
        if ((await timeUntil(page, title, query.slice(-1))) > patience) {
          for (let up = await highlighted(page); up > 0 && !(await row.isVisible()); up--)
            await page.keyboard.press('ArrowUp')
          if (await row.isVisible()) return title
        }
        return shown(page)
      },
      { timeout: 30_000 },
    )
    .toBe(title)
}

/** Types the last letter of the query again. How long after it a row with this title came, in milliseconds; at most 5,000. */
async function timeUntil(page: Page, title: string, last: string): Promise<number> {
  await page.keyboard.press('Backspace')
  await page.evaluate((wanted) => {
    const titles = () => [...document.querySelectorAll('[role=option]')].map((one) => one.textContent)
    document.addEventListener(
      'input',
      () => {
        const typed = performance.now()
        const look = () => {
          const time = performance.now() - typed
          if (time < 5_000 && !titles().some((one) => one.startsWith(wanted))) requestAnimationFrame(look)
          else document.documentElement.dataset['came'] = String(time)
        }
        requestAnimationFrame(look)
      },
      { once: true },
    )
    delete document.documentElement.dataset['came']
  }, title)
  await page.keyboard.type(last)
  const came = await page.waitForFunction(() => document.documentElement.dataset['came'])
  return Number(await came.jsonValue())
}

/** The place of the highlighted row, from 0. */
const highlighted = (page: Page) =>
  palette(page)
    .getByRole('option')
    .evaluateAll((all) => all.findIndex((one) => one.getAttribute('aria-selected') === 'true'))

/** What a failure needs to tell: the text in the palette and its rows. */
const shown = async (page: Page) =>
  [
    await palette(page).getByRole('combobox').inputValue(),
    ...(await palette(page).getByRole('option').allTextContents()),
  ].join('\n')

/** After an action the keyboard must still be somewhere. */
const expectFocus = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => (document.activeElement ?? document.body) !== document.body))
    .toBe(true)

/** The first page of a list. */
const first = async <T extends TSchema>(path: string, shape: T) =>
  (await twende.read(path, PageOf(shape))).results

/** Drivers who are not suspended, with a name that only they have. */
async function someDrivers(): Promise<Driver[]> {
  const drivers = await first('drivers/?page_size=1000', Driver)
  const bearers = Map.groupBy(drivers, ({ user }) => user.fullname)
  return drivers.filter(
    ({ deleted, user }) =>
      !deleted &&
      /^[A-Z][a-z]+( [A-Z][a-z]+)+$/.test(user.fullname) &&
      bearers.get(user.fullname)?.length === 1,
  )
}

function take<T>(from: readonly T[], index = 0): T {
  const one = from[index]
  if (one === undefined) throw new Error('The demo has too few records for this task.')
  return one
}

const picture = {
  name: 'photo.gif',
  mimeType: 'image/gif',
  buffer: Buffer.from('47494638396101000100800000000000ffffff2c00000000010001000002024401003b', 'hex'),
}

describe('a working day by keyboard, with counted keys', () => {
  test('a named driver is found and suspended from any screen with at most 6 keys, and unsuspended with one', async () => {
    const page = await twende.open('/')
    const hand = keys(page)
    const drivers = await someDrivers()
    const isSuspended = async ({ id }: Driver) => (await twende.read(`drivers/${id}`, Driver)).deleted
    /** Where the person is before; the keys that lead there do not count. */
    const places: [string, string[]][] = [
      ['on the dashboard', []],
      ['on a focused row of another list', ['g', 'i', 'wait', 'j', 'j']],
      ['on selected rows of the drivers', ['g', 'd', 'wait', 'j', 'x', 'Shift+J']],
      ['in the commands of another row', ['g', 'd', 'wait', 'j', '.']],
      ['in the help', ['?']],
      ['in a search box', ['g', 'c', 'wait', '/']],
      ['on the screen of another driver', ['g', 'd', 'wait', 'j', 'j', 'Enter', 'wait']],
      ['on a card', ['g', 'l', 'wait', 'j']],
      ['in a form', ['g', 'u', 'wait', 'n']],
    ]
    for (const [at, [place, way]] of places.entries()) {
      for (const key of way)
        if (key === 'wait') await isFilled(page)
        else await hand.press(key)
      hand.count()
      const driver = take(drivers, 40 + at)
      const { fullname } = driver.user
      await ask(page, hand, `suspend ${fullname.toLowerCase()}`, `Suspend ${fullname}`)
      await hand.press('Enter')
      await toasts(page).getByText(`${fullname} has been suspended.`).waitFor()
      expect(hand.count(), place).toEqual({ keys: 2, texts: 1 })
      expect(await isSuspended(driver), place).toBe(true)
      await expectFocus(page)
      if (at > 1) continue
      await hand.press('z')
      await toasts(page).getByText(`${fullname} has been unsuspended.`).waitFor()
      expect(hand.count(), place).toEqual({ keys: 1, texts: 0 })
      expect(await isSuspended(driver), place).toBe(false)
      await expectFocus(page)
    }
  })

  test('twenty overdue invoices are cleared with at most 40 keys', async () => {
    const page = await twende.open('/')
    const hand = keys(page)
    const overdue = 'all-invoices/?page_size=1000&filter=overdue'
    const before = await first(overdue, Invoice)
    await ask(page, hand, 'overdue', 'Overdue invoices')
    await hand.press('Enter')
    // The dashboard has no rows: keys before the list is shown would act on nothing.
    await page.getByRole('main').getByRole('row').nth(20).waitFor()
    await hand.press('j', 'x')
    for (let more = 1; more < 20; more++) await hand.press('Shift+J')
    await page.getByText('20 of 50 selected').waitFor()
    await hand.press('c')
    await page
      .getByRole('alertdialog')
      .getByText(/^Clear 20 invoices, Ksh /)
      .waitFor()
    await hand.press('Enter')
    await expect.poll(async () => (await first(overdue, Invoice)).length).toBe(before.length - 20)
    const { keys: pressed } = hand.count()
    expect(pressed).toBe(25)
    expect(pressed).toBeLessThanOrEqual(40)
    const paid = await first('all-invoices/?page_size=1000&filter=paid', Invoice)
    const ids = new Set(paid.map(({ id }) => id))
    expect(before.slice(0, 20).every(({ id }) => ids.has(id))).toBe(true)
    await page.getByText('20 of 50 selected').waitFor({ state: 'detached' })
    await expectFocus(page)
  })

  test('a coupon, and a promo code for a customer, are created', async () => {
    const page = await twende.open('/')
    const hand = keys(page)
    await ask(page, hand, 'new coupon', 'Create coupon')
    await hand.press('Enter')
    await form(page, 'Create coupon').waitFor()
    await hand.type('TASKS10')
    await hand.press('Tab')
    await hand.type('250')
    await hand.press('Tab')
    // Day and month are equal, as the browser's language decides which comes first.
    await hand.type('12122027')
    await hand.press('Control+Enter')
    await form(page, 'Create coupon').waitFor({ state: 'detached' })
    expect(hand.count()).toEqual({ keys: 5, texts: 4 })
    const coupon = take(await first('coupons/', Coupon))
    expect([coupon.code, coupon.amount, coupon.valid_till]).toEqual(['TASKS10', 250, '2027-12-12'])
    await expectFocus(page)

    const customers = await first('customers/?page_size=1000', Customer)
    const names = Map.groupBy(customers, ({ user }) => user.fullname)
    const customer = take(
      customers.filter(({ user }) => names.get(user.fullname)?.length === 1),
      5,
    )
    const { fullname } = customer.user
    await ask(page, hand, `promo for ${fullname.toLowerCase()}`, `Create promo code for ${fullname}`)
    await hand.press('Enter')
    await form(page, 'Create promo code').waitFor()
    for (const text of ['SORRY5', 'Sorry', 'For the late driver', '500']) {
      await hand.type(text)
      await hand.press('Tab')
    }
    await hand.type('12122027')
    await hand.press('Control+Enter')
    await form(page, 'Create promo code').waitFor({ state: 'detached' })
    expect(hand.count()).toEqual({ keys: 7, texts: 6 })
    const promo = take(await first('promo-codes/', PromoCode))
    expect([promo.code, promo.amount, promo.user.id, promo.promo_type]).toEqual([
      ...['SORRY5', 500, customer.id, 'Internal'],
    ])
    await expectFocus(page)
  })

  test('an attraction with a picture is created; a blog is written, deleted and brought back', async () => {
    const page = await twende.open('/')
    const hand = keys(page)
    page.on('filechooser', (chooser) => void chooser.setFiles(picture))
    await ask(page, hand, 'new attraction', 'Add attraction')
    await hand.press('Enter')
    await form(page, 'Add attraction').waitFor()
    await hand.type('Karura Forest walk')
    await hand.press('Tab')
    await hand.type('Green')
    await hand.press('Tab')
    await hand.type('karu')
    await page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').first().waitFor()
    await hand.press('Enter', 'Tab', 'Enter')
    await form(page, 'Add attraction')
      .getByAltText(/^Preview of/)
      .waitFor()
    await hand.press('Control+Enter')
    await form(page, 'Add attraction').waitFor({ state: 'detached' })
    expect(hand.count()).toEqual({ keys: 8, texts: 4 })
    const attraction = take(await first('attractions/all/', Attraction))
    expect(attraction.name).toBe('Karura Forest walk')
    expect(attraction.location.placeName).toContain('Karu')
    expect(attraction.image).toContain('photo.gif')
    await expectFocus(page)

    const titles = async () => (await first('blogs-adm/', Blog)).map(({ title }) => title)
    await ask(page, hand, 'new blog', 'Create Blog')
    await hand.press('Enter')
    await form(page, 'Create Blog').waitFor()
    await hand.type('Walks around Nairobi')
    await hand.press('Tab')
    await hand.type('Three of them')
    await hand.press('Tab')
    await hand.type('Karura, Ngong and Oloolua.')
    await hand.press('Control+Enter')
    await form(page, 'Create Blog').waitFor({ state: 'detached' })
    expect(hand.count()).toEqual({ keys: 5, texts: 4 })
    await expect.poll(titles).toContain('Walks around Nairobi')
    await expectFocus(page)

    await ask(page, hand, 'delete walks around', 'Delete blog Walks around Nairobi')
    await hand.press('Enter')
    await expect.poll(titles).not.toContain('Walks around Nairobi')
    expect(hand.count()).toEqual({ keys: 2, texts: 1 })
    await expectFocus(page)
    await hand.press('z')
    await expect.poll(titles).toContain('Walks around Nairobi')
    expect(hand.count()).toEqual({ keys: 1, texts: 0 })
    await expectFocus(page)
  })

  test('the last SOS with its numbers, the trips of a driver, the richest drivers, an export and a printout', async () => {
    const page = await twende.open('/', {
      prepare: (opened) =>
        opened.addInitScript(() => {
          window.print = () => document.documentElement.setAttribute('data-printed', document.title)
        }),
    })
    const hand = keys(page)

    const last = take(await first('sos-lists/', SosLog))
    const { driver, customer } = last.trip
    await ask(page, hand, 'last sos', `SOS log ${last.id}`)
    const option = palette(page).getByRole('option', { name: `SOS log ${last.id}` })
    for (const party of [driver, customer])
      expect(await option.textContent()).toContain(party?.user.phone_number ?? '')
    await hand.press('Enter')
    const row = page.getByRole('row').filter({ hasText: last.trip.start_name })
    await row.waitFor()
    expect(hand.count()).toEqual({ keys: 2, texts: 1 })
    expect(addressOf(page)).toBe(`/sos?filter=id:${last.id}`)
    for (const party of [driver, customer])
      expect(await row.textContent()).toContain(party?.user.phone_number ?? '')
    await expectFocus(page)

    // New drivers have no trips.
    const owner = take((await someDrivers()).slice(60).filter((one) => one.total_completed_trips > 0))
    const name = owner.user.fullname
    await ask(page, hand, `trips ${name.toLowerCase()}`, `Trips of ${name}`)
    await hand.press('Enter')
    const { count, results } = await twende.read(`trips/?filter=driver:${owner.id}`, PageOf(Trip))
    await page.getByText(`${count} in all`).waitFor()
    const pressed = hand.count()
    expect(pressed).toEqual({ keys: 2, texts: 1 })
    expect(pressed.keys).toBeLessThanOrEqual(4)
    expect(addressOf(page)).toBe(`/trips?filter=driver:${owner.id}`)
    await expect.poll(() => firstCell(page).textContent()).toBe(String(take(results).id))
    await expectFocus(page)

    await hand.press('g', 'd')
    await page.getByRole('heading', { name: 'Drivers' }).waitFor()
    await isFilled(page)
    await ask(page, hand, 'sort drivers by wallet descending', 'Sort by Wallet(Ksh), descending')
    await hand.press('Enter')
    await ask(page, hand, '100 rows', 'Show 100 rows a page')
    await hand.press('Enter')
    const richest = await first('drivers/?ordering=-wallet_balance&page_size=100', Driver)
    await expect.poll(() => firstCell(page).textContent()).toBe(String(take(richest).id))
    await page.getByText('Page 1 of 12').waitFor()
    expect(hand.count()).toEqual({ keys: 6, texts: 2 })
    expect(addressOf(page)).toBe('/riders?ordering=-wallet_balance&size=100')
    await expectFocus(page)

    await ask(page, hand, 'print', 'Print this list')
    await hand.press('Enter')
    await expect
      .poll(() => page.evaluate(() => document.documentElement.dataset['printed']))
      .toBe(await page.title())
    expect(hand.count()).toEqual({ keys: 2, texts: 1 })
    await expectFocus(page)

    await hand.press('g', 'h')
    hand.count()
    await ask(page, hand, 'export drivers', 'Export Drivers to Excel')
    const download = page.waitForEvent('download')
    await hand.press('Enter')
    const { sheets } = readWorkbook(await readFile(await (await download).path()))
    expect(hand.count()).toEqual({ keys: 2, texts: 1 })
    const drivers = await twende.read('drivers/', PageOf(Driver))
    expect(sheets[0]?.rows).toHaveLength(drivers.count + 1)
    await expectFocus(page)
  })

  test('in the palette Ctrl+Enter opens a record in a new tab, Tab shows its commands and lists, and Backspace drops the record', async () => {
    const page = await twende.open('/riders')
    const hand = keys(page)
    await isFilled(page)
    const driver = take(await someDrivers(), 80)
    const { fullname } = driver.user
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      ask(page, hand, fullname, fullname).then(() => hand.press('Control+Enter')),
    ])
    await opened.getByRole('heading', { name: fullname }).first().waitFor()
    expect(addressOf(opened)).toBe(`/riders/${driver.id}`)
    expect(addressOf(page)).toBe('/riders')
    expect(hand.count()).toEqual({ keys: 2, texts: 1 })
    await expectFocus(page)
    await opened.close()

    await hand.press('j')
    hand.count()
    await ask(page, hand, fullname, fullname)
    await hand.press('Tab')
    const titles = () => palette(page).getByRole('option').allTextContents()
    await palette(page).getByPlaceholder('What to do?').waitFor()
    const shown = (await titles()).join('\n')
    for (const title of [`Suspend ${fullname}`, `Open ${fullname}`, `Trips of ${fullname}`])
      expect(shown).toContain(title)
    await hand.type('trips')
    await palette(page).locator('[aria-selected=true]').getByText(`Trips of ${fullname}`).waitFor()
    await hand.press('Enter')
    await expect.poll(() => addressOf(page)).toBe(`/trips?filter=driver:${driver.id}`)
    expect(hand.count()).toEqual({ keys: 3, texts: 2 })
    await expectFocus(page)

    await hand.press('g', 'd')
    await page.getByRole('heading', { name: 'Drivers' }).waitFor()
    await isFilled(page)
    await hand.press('j', 'Control+k')
    const suspending = palette(page).getByRole('option', { name: /^Suspend / })
    await suspending.first().waitFor()
    await hand.press('Backspace')
    await suspending.first().waitFor({ state: 'detached' })
    await hand.press('Escape')
    await palette(page).waitFor({ state: 'detached' })
    await expectFocus(page)
  })

  test('in the palette Tab shows a record without commands itself, and > finds an action that still needs a name', async () => {
    const page = await twende.open('/')
    const hand = keys(page)
    const { id } = take(await first('trips/', Trip))
    await ask(page, hand, 'last trip', `Trip ${id}`)
    await hand.press('Tab')
    await palette(page).getByPlaceholder('What to do?').waitFor()
    expect(await palette(page).getByRole('option').count()).toBe(1)
    await hand.press('Enter')
    await expect.poll(() => addressOf(page)).toBe(`/trips?filter=id:${id}`)
    await expectFocus(page)

    await ask(page, hand, '>suspend', 'Suspend a driver…')
    await hand.press('Tab')
    await expect.poll(() => palette(page).getByRole('combobox').inputValue()).toBe('suspend ')
    await hand.press('Escape')
    await palette(page).waitFor({ state: 'detached' })
    await expectFocus(page)
  })
})
