import { rm } from 'node:fs/promises'
import type { Static, TSchema } from 'typebox'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoLogin } from '../../server/demo/access.ts'
import { Coupon, Driver, Invoice, LoginAnswer, Page } from '../../src/api/contract.ts'
import { startServer } from '../support/console.ts'
import { newDemoFolder } from '../support/demo-folder.ts'
import type { OtherBrowser } from '../support/other-browsers.ts'
import { keys, kinds, whyNot } from '../support/other-browsers.ts'
import { isSoak } from '../support/soak.ts'

test('a browser that is not installed is named with the packages that have it', () => {
  expect(kinds.map((kind) => whyNot(kind, () => false))).toEqual([
    'Firefox is not installed. On Debian, install firefox-esr.',
    'WebKitGTK is not installed. On Debian, install webkit2gtk-driver xvfb.',
  ])
  expect(kinds.map((kind) => whyNot(kind, () => true))).toEqual(['', ''])
})

const tried = isSoak ? kinds.filter((kind) => whyNot(kind) === '') : []
if (isSoak)
  for (const reason of kinds.map((kind) => whyNot(kind)).filter(Boolean)) process.stdout.write(`${reason}\n`)

describe.each(tried)('in $name', ({ launch }) => {
  let browser: OtherBrowser
  let server: Awaited<ReturnType<typeof startServer>>
  let token = ''

  beforeAll(async () => {
    server = await startServer({ dataFolder: await newDemoFolder(), port: 0, env: { OMS_DEMO: 'on' } })
    browser = await launch()
    const answer = await fetch(`${server.url}/api/v1/oms/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(demoLogin),
    })
    token = Value.Parse(LoginAnswer, await answer.json()).token
  })

  afterAll(async () => {
    await browser.close()
    await server.kill()
    await rm(server.dataFolder, { recursive: true, force: true })
  })

  async function stored<Schema extends TSchema>(path: string, schema: Schema): Promise<Static<Schema>> {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${server.url}/api/v1/oms/${path}`, { headers })
    return Value.Parse(schema, await answer.json())
  }
  const isSuspended = async (id: number) => (await stored(`drivers/${id}`, Driver)).deleted
  /** The first driver from `at` on who is not suspended. */
  const activeDriver = async (at: number) => {
    const { results } = await stored('drivers/?page_size=100', Page(Driver))
    const driver = results.slice(at).find(({ deleted }) => !deleted)
    if (!driver) throw new Error('All drivers are suspended.')
    return driver
  }

  const until = (expression: string) =>
    expect.poll(() => browser.evaluate(expression), { timeout: 30_000, message: expression }).toBe(true)
  const shows = (text: string) => until(`document.body.innerText.includes(${JSON.stringify(text)})`)
  const at = (path: string) => until(`location.pathname + location.search === ${JSON.stringify(path)}`)
  const is = (selector: string) => until(`!!document.querySelector(${JSON.stringify(selector)})`)
  const hasFocus = (selector: string) =>
    until(`!!document.activeElement?.matches(${JSON.stringify(selector)})`)
  const rows = () => is('main [role=grid] tbody tr[data-index]')
  const Point = Type.Object({ x: Type.Number(), y: Type.Number() })
  /** Clicks in the middle of the first element whose text or name is `name`. */
  async function click(selector: string, name: string): Promise<void> {
    const found = `[...document.querySelectorAll(${JSON.stringify(selector)})].find((one) =>
      [one.textContent, one.getAttribute('aria-label')].includes(${JSON.stringify(name)}))`
    await until(`!!${found}`)
    const read = async () =>
      Value.Parse(
        Point,
        await browser.evaluate(`(() => {
          const { left, top, width, height } = ${found}.getBoundingClientRect()
          return { x: Math.round(left + width / 2), y: Math.round(top + height / 2) }
        })()`),
      )
    let { x, y } = await read()
    // A toast slides into the window.
    await expect
      .poll(async () => {
        const before = { x, y }
        ;({ x, y } = await read())
        return y > 0 && y < 900 && x === before.x && y === before.y
      })
      .toBe(true)
    await browser.click(x, y)
  }

  test('a dispatcher without a mouse signs in, suspends a driver by the phone number and undoes it (S2.s, S8.2, R7)', async () => {
    await browser.open(server.url)
    await hasFocus('input[type=email], input[name=email]')
    await browser.press(...demoLogin.email, keys.tab, ...demoLogin.password, keys.enter)
    await at('/')
    await shows('Logged in successfully')
    const driver = await activeDriver(0)
    await browser.press(keys.control, 'k')
    await hasFocus('[role=dialog] input')
    await browser.press(...`0${driver.user.phone_number.slice(3)}`)
    await is(`[data-id="driver:${driver.id}"][aria-selected=true]`)
    await browser.press(keys.tab)
    await is('[data-id="driver.suspend"][aria-selected=true]')
    await browser.press(keys.enter)
    await shows(`${driver.user.fullname} has been suspended.`)
    expect(await isSuspended(driver.id)).toBe(true)
    await browser.press(keys.control, 'z')
    await shows(`${driver.user.fullname} has been unsuspended.`)
    expect(await isSuspended(driver.id)).toBe(false)
  })

  test('three unpaid invoices are selected and cleared with keys (S4.10)', async () => {
    const unpaid = 'all-invoices/?page_size=1000&filter=unpaid'
    const before = await stored(unpaid, Page(Invoice))
    await browser.press('g', 'i')
    await at('/invoices')
    await browser.open(`${server.url}/invoices?filter=unpaid`)
    await rows()
    await browser.press('j', 'x', keys.shift, 'J', keys.shift, 'J')
    await shows('3 of 50 selected')
    await browser.press('c')
    await is('[role=alertdialog]')
    await browser.press(keys.enter)
    await expect
      .poll(async () => (await stored(unpaid, Page(Invoice))).results.map(({ id }) => id), {
        timeout: 30_000,
      })
      .toEqual(before.results.slice(3).map(({ id }) => id))
  })

  test('staff with a mouse open the drivers, suspend one with the button of the row and undo it in the toast (S2.d, S8.2, R7)', async () => {
    await click('nav a', 'Drivers')
    await at('/riders')
    await rows()
    const driver = await activeDriver(0)
    const row = `tr[data-index="${String((await stored('drivers/', Page(Driver))).results.findIndex(({ id }) => id === driver.id))}"]`
    await click(`${row} button`, 'Suspend')
    await shows(`${driver.user.fullname} has been suspended.`)
    expect(await isSuspended(driver.id)).toBe(true)
    await click('[data-sonner-toast] button', 'Undo')
    await shows(`${driver.user.fullname} has been unsuspended.`)
    expect(await isSuspended(driver.id)).toBe(false)
  })

  test('a coupon is created in the form with keys alone, and a reload keeps the session (S4.7, S9.8)', async () => {
    await browser.press('g', 'u')
    await at('/coupons')
    await rows()
    await browser.press('n')
    await hasFocus('[role=dialog] input')
    const typed = new Map([
      ['Code', 'ANOTHER1'],
      ['Amount', '150'],
    ])
    for (const [label, text] of typed) {
      await browser.evaluate(
        `[...document.querySelectorAll('[role=dialog] label')].find((one) => one.textContent.startsWith('${label}'))?.control.focus()`,
      )
      await browser.press(...text)
    }
    await browser.press(keys.control, keys.enter)
    await shows('ANOTHER1')
    const { results } = await stored('coupons/?s=ANOTHER1', Page(Coupon))
    expect(results.map(({ code, amount }) => ({ code, amount }))).toEqual([{ code: 'ANOTHER1', amount: 150 }])
    await browser.open(`${server.url}/coupons`)
    await shows('ANOTHER1')
  })
})
