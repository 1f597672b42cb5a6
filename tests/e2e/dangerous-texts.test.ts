import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../server/db/engine.ts'
import type { TypedApp } from '../../server/deps.ts'
import { launchBrowser } from '../support/browser.ts'
import { giveSession, press, toasts } from '../support/console.ts'
import { dangerousTexts } from '../support/dangerous-texts.ts'
import { openTestEngine } from '../support/engines.ts'
import {
  buildBooking,
  buildCustomer,
  buildDriver,
  buildInvite,
  buildInvoice,
  buildSlot,
  buildSos,
  buildStaff,
  buildTrip,
  buildVehicle,
} from '../support/factories.ts'
import { isFilled } from '../support/screens.ts'
import { bootApp, signIn } from '../support/server.ts'
import { seeded } from '../support/random.ts'
import { repeats } from '../support/soak.ts'

const oms = '/api/v1/oms'

let browser: Browser
let engine: Engine
let app: TypedApp
let page: Page
/** What a page must never do. */
const done: string[] = []

beforeAll(async () => {
  engine = await openTestEngine('sqlite')
  app = await bootApp(engine, { consoleFolder: join(import.meta.dirname, '..', '..', 'dist') })
  const staff = await buildStaff(engine)
  const headers = await signIn(app, staff)
  for (const [at, text] of dangerousTexts.entries()) await fill(at + 1, text, headers)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  browser = await launchBrowser()
  // Without the content policy, which would stop what the console lets through. High enough for all rows of a list.
  const context = await browser.newContext({ bypassCSP: true, viewport: { width: 1440, height: 6000 } })
  page = await context.newPage()
  page.on('dialog', (dialog) => {
    done.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => done.push(`error ${error.message}`))
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) done.push(`request to ${request.url()}`)
  })
  await giveSession(page, headers.authorization.replace('Bearer ', ''), staff.email)
  await page.goto(url)
  await isFilled(page)
})
afterAll(async () => {
  await browser.close()
  await app.close()
  await engine.close()
})

/** Writes a text into every field: those that staff write through the API, the others into the database. */
async function fill(id: number, text: string, headers: { authorization: string }): Promise<void> {
  const create = async (path: string, payload: object) => {
    const answer = await app.inject({ method: 'POST', url: oms + path, headers, payload })
    expect(answer.statusCode, answer.body).toBe(200)
  }
  const driver_id = id
  const customer_id = id
  await buildDriver(engine, { id, fullname: text })
  await buildCustomer(engine, { id, fullname: text })
  await buildStaff(engine, { email: `${text}@twende.test` })
  await buildVehicle(engine, { driver_id, registration: text, color: text })
  const slot = await buildSlot(engine, { name: text })
  const trip = { start_name: text, destination_name: text, notes: text }
  await buildTrip(engine, { id, driver_id: 1, customer_id, ...trip })
  await buildBooking(engine, { driver_id, customer_id, slot_id: slot.id })
  await buildInvoice(engine, { driver_id, invoice_for: text })
  await buildInvite(engine, { driver_id, customer_id })
  await buildSos(engine, { raised_by: text, trip_id: id })

  const location = { placeName: text.trim(), lat: 1, lng: 36 }
  await create('/attraction/create/oms/', { name: text, description: text, location, lat: 1, lng: 36 })
  await create('/blog/create/', { title: text, sub_title: text, content: text })
  const offer = { code: text, valid_till: '2099-12-31', amount: 100 }
  await create('/coupons/create/', offer)
  const promo = { user: id, promo_type: 'Internal', title: text, description: text }
  await create('/promo-code/create/', { ...offer, ...promo })
  const view = { list: 'drivers', hidden: '', pinned: id <= 15 }
  await create('/views/create/', { ...view, name: text, query: `s=${encodeURIComponent(text)}` })
}

/** Follows an address inside the console, which is faster than loading the page again. */
async function goTo(address: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, address)
  await isFilled(page)
}

/** Expects that nothing on the page can run or load anything. Returns the texts on it. */
async function look(): Promise<string> {
  const { faults, words } = await page.evaluate(() => {
    const elements = [...document.querySelectorAll('*')]
    const addresses = ['href', 'xlink:href', 'src', 'action', 'formaction', 'data', 'srcdoc', 'background']
    const faults = elements.flatMap((element) => {
      const { tagName, attributes } = element
      const isOwnScript = tagName === 'SCRIPT' && /^\/assets\//.test(element.getAttribute('src') ?? '')
      const isForeign = /^(script|iframe|frame|object|embed|base|math|animate|foreignobject)$/i.test(tagName)
      return [
        ...(isForeign && !isOwnScript ? [element.outerHTML] : []),
        ...(tagName === 'STYLE' && /alert|display:none;background/.test(element.textContent)
          ? [element.outerHTML]
          : []),
        ...[...attributes]
          .filter(({ name, value }) => {
            const isRefresh = name === 'http-equiv' && /refresh/i.test(value)
            if (/^on/i.test(name) || isRefresh) return true
            return (
              addresses.includes(name) &&
              !/^(https?|blob|tel|geo):$/.test(new URL(value, location.href).protocol)
            )
          })
          .map(({ name, value }) => `<${tagName} ${name}="${value}">`),
      ]
    })
    const fields = elements.flatMap((element) =>
      element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? [element.value] : [],
    )
    return { faults, words: [document.body.textContent, ...fields].join('\n') }
  })
  expect([...faults, ...done]).toEqual([])
  return words
}

/** Without the spaces and line ends that a single line does not keep. */
const inOneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

const listScreens = [
  '/riders',
  '/customers',
  '/staff',
  '/vehicles',
  '/trips',
  '/bookings',
  '/invoices',
  '/invites',
  '/attractions',
  '/blogs',
  '/coupons',
  '/promos',
  '/sos',
]

test.each(listScreens)('the list %s shows dangerous texts as texts (reliability 9)', async (path) => {
  await goTo(path)
  const missing = async () => {
    const words = inOneLine(await look())
    return dangerousTexts.filter((text) => !words.includes(inOneLine(text)))
  }
  await expect.poll(missing).toEqual([])
})

/** All texts, and with that all records, in `npm run soak`; otherwise one of them. */
const random = seeded(9)
const sample = dangerousTexts
  .map((text, at) => ({ text, id: at + 1 }))
  .map((one) => ({ one, place: random() }))
  .toSorted((a, b) => a.place - b.place)
  .map(({ one }) => one)
  .slice(0, repeats(1, dangerousTexts.length))

const shows = (text: string) => expect.poll(async () => inOneLine(await look())).toContain(inOneLine(text))

/** The text of a row of a list, which begins with the newest record. */
const textOf = (row: number) => dangerousTexts.at(-1 - row) ?? ''

const isRowFocused = () => page.evaluate(() => Boolean(document.activeElement?.closest('[data-active=true]')))

/** Without spaces and line ends: a field of one line does not keep all of them. */
const withoutSpaces = (text: string) => text.replace(/\s+/g, '')

test('the records of drivers and attractions, with their forms, show them as texts (reliability 9)', async () => {
  for (const { text, id } of sample) {
    await goTo(`/riders/${id}`)
    await shows(text)
    await goTo(`/attractions/${id}`)
    await press(page, 'e')
    await page.getByRole('dialog').getByLabel('Description').waitFor()
    await shows(text)
    await press(page, 'Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  // All trips are his.
  await goTo('/riders/1')
  await shows(dangerousTexts[29])
})

test('the form, the panel and the menu of a row show them as texts (reliability 9)', async () => {
  for (const path of ['/blogs', '/coupons', '/promos']) {
    await goTo(path)
    await press(page, 'j', 'k')
    for (let row = 0; row < sample.length; row++) {
      if (row > 0) await press(page, 'j')
      await press(page, 'e')
      const field = page.getByRole('dialog').getByRole('textbox').first()
      await expect.poll(async () => withoutSpaces(await field.inputValue())).toBe(withoutSpaces(textOf(row)))
      await look()
      await press(page, 'Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expect.poll(isRowFocused).toBe(true)
    }
  }
  for (const path of ['/trips', '/vehicles', '/invoices']) {
    await goTo(path)
    await press(page, 'j', 'k', 'o')
    for (let row = 0; row < sample.length; row++) {
      if (row > 0) await press(page, 'j')
      await expect
        .poll(async () => inOneLine((await page.locator('#peek').textContent()) ?? ''))
        .toContain(inOneLine(textOf(row)))
      await look()
    }
    await press(page, '.')
    await page.getByRole('menuitem').or(page.getByRole('option')).first().waitFor()
    await look()
    await press(page, 'Escape', 'Escape')
  }
})

test('a search and the palette show what was typed, and what was found, as texts (reliability 9)', async () => {
  for (const { text } of sample) {
    await goTo(`/riders?s=${encodeURIComponent(text)}`)
    await shows(text)
    const typed = page.getByRole('dialog').getByRole('combobox')
    const showsTyped = async (expected: string) => {
      await expect.poll(async () => withoutSpaces(await typed.inputValue())).toBe(withoutSpaces(expected))
      await look()
    }
    await press(page, 'Control+k')
    await page.keyboard.insertText(text)
    await showsTyped(text)
    await page.keyboard.insertText(' x')
    await showsTyped(`${text} x`)
    await press(page, 'Escape', 'Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await press(page, 'Control+k')
  await page.keyboard.insertText('script')
  await page
    .getByRole('option', { name: /<script>alert/ })
    .first()
    .waitFor()
  await look()
  await press(page, 'Escape', 'Escape')
})

test('toasts, the list of what was done and questions show them as texts (reliability 9)', async () => {
  for (const { id, text } of sample) {
    await goTo(`/riders/${id}`)
    await press(page, 's')
    await toasts(page)
      .filter({ hasText: inOneLine(text).slice(0, 20) })
      .first()
      .waitFor()
    await shows(text)
    await press(page, 'z')
    await page.getByRole('button', { name: /^Suspend / }).waitFor()
  }
  await press(page, 'g', 'y')
  await shows(sample[0]?.text ?? '')
  await press(page, 'Escape')
  await goTo('/invoices')
  await press(page, 'j', 'c')
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).waitFor()
  await look()
})
