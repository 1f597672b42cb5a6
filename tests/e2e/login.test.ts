import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { addressOf, press, staff, toasts, useConsole } from '../support/console.ts'

const twende = useConsole()

const openLogin = (path = '/login') => twende.open(path, { signedIn: false, answers: true })
const submit = (page: Page) => page.locator('button[type=submit]')
const storage = (page: Page) =>
  page.evaluate(() =>
    Object.fromEntries(Object.keys(sessionStorage).map((key) => [key, sessionStorage.getItem(key)])),
  )

async function fill(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
}

async function signIn(page: Page): Promise<void> {
  await fill(page, staff.email, staff.password)
  await submit(page).click()
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
}

describe('the login form', () => {
  test('Submit is disabled while a field is empty, and nothing is sent (S5.1, S2.s.2)', async () => {
    const page = await openLogin()
    let calls = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/login/')) calls++
    })
    expect(await submit(page).textContent()).toBe('Submit')
    expect(await submit(page).isDisabled()).toBe(true)
    await page.getByLabel('Email').fill(staff.email)
    expect(await submit(page).isDisabled()).toBe(true)
    await page.getByLabel('Email').press('Enter')
    await submit(page).click({ force: true })
    await page.getByLabel('Password').fill('x')
    await expect.poll(() => submit(page).isEnabled()).toBe(true)
    await page.getByLabel('Email').fill('')
    await expect.poll(() => submit(page).isDisabled()).toBe(true)
    await page.getByLabel('Password').press('Enter')
    expect(calls).toBe(0)
    expect(await page.getByLabel('Email').getAttribute('required')).toBe('')
    expect(await page.getByLabel('Password').getAttribute('required')).toBe('')
  })

  test('values from the browser’s autofill enable Submit (S5.1)', async () => {
    const page = await openLogin()
    await page.getByLabel('Email').waitFor()
    await page.evaluate(() => {
      // As autofill does: the values change without an input event.
      for (const [name, value] of [
        ['email', 'someone@twende.test'],
        ['password', 'secret'],
      ] as const) {
        const field = document.querySelector(`input[name=${name}]`)
        const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
        setter?.set?.call(field, value)
      }
    })
    await expect.poll(() => submit(page).isEnabled()).toBe(true)
  })

  test('the button says "Sending..." during the request, and further presses send nothing (S2.s.2, S4.2)', async () => {
    const page = await openLogin()
    const held: Route[] = []
    await page.route('**/oms/login/', (route) => void held.push(route))
    await fill(page, staff.email, staff.password)
    await press(page, 'Enter', 'Enter')
    await expect.poll(() => submit(page).textContent()).toBe('Sending...')
    expect(await submit(page).isDisabled()).toBe(true)
    await expect.poll(() => held.length).toBe(1)
    await press(page, 'Enter')
    expect(held).toHaveLength(1)
    await held[0]?.continue()
    await toasts(page).getByText('Logged in successfully').waitFor()
    expect(addressOf(page)).toBe('/')
  })

  test('an invalid e-mail address is refused before a request is sent (S5.1)', async () => {
    const page = await openLogin()
    let calls = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/login/')) calls++
    })
    await fill(page, 'dispatcher', staff.password)
    await submit(page).click()
    expect(
      await page.evaluate(() =>
        document.querySelector('form')?.querySelector('input:invalid')?.getAttribute('name'),
      ),
    ).toBe('email')
    expect(calls).toBe(0)
    expect(addressOf(page)).toBe('/login')
  })

  const refusals: [string, RegExp, (route: Route) => Promise<void>][] = [
    ['a wrong password', /status of 401/, (route) => route.continue()],
    ['an unreachable server', /ERR_CONNECTION_REFUSED/, (route) => route.abort('connectionrefused')],
    [
      'too many attempts',
      /status of 429/,
      (route) => route.fulfill({ status: 429, json: { message: 'Wait.' } }),
    ],
    ['a server error', /status of 500/, (route) => route.fulfill({ status: 500, body: 'oops' })],
  ]
  test.each(refusals)('%s shows the toast of S8.4 and keeps both fields', async (_why, complaint, answer) => {
    twende.expectTrouble(complaint)
    const page = await openLogin()
    await page.route('**/oms/login/', answer)
    await fill(page, 'nobody@twende.test', 'wrong')
    await press(page, 'Enter')
    await toasts(page).getByText('Login failed!.Please try again.', { exact: true }).waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe('nobody@twende.test')
    expect(await page.getByLabel('Password').inputValue()).toBe('wrong')
    expect(await submit(page).textContent()).toBe('Submit')
    expect(addressOf(page)).toBe('/login')
    expect(await storage(page)).toEqual({})
  })

  test('an answer with an empty token counts as a failed login (S8.4)', async () => {
    const page = await openLogin()
    await page.route('**/oms/login/', (route) => route.fulfill({ json: { token: '' } }))
    await fill(page, staff.email, staff.password)
    await press(page, 'Enter')
    await toasts(page).getByText('Login failed!.Please try again.', { exact: true }).waitFor()
    expect(await storage(page)).toEqual({})
  })

  test('the page has two panels, one of which describes the product (S2.s.1, S1.1)', async () => {
    const page = await openLogin()
    const about = page.locator('section', {
      hasText: 'operations management system that lets staff manage and monitor',
    })
    const [panel, form] = [await about.boundingBox(), await page.locator('form').boundingBox()]
    expect(panel?.width).toBeGreaterThan(300)
    expect(form?.x).toBeGreaterThanOrEqual((panel?.x ?? 0) + (panel?.width ?? 0))
  })
})

describe('the session', () => {
  test('is stored as two JSON values in session storage (S3.19, S9.14)', async () => {
    const page = await openLogin()
    await signIn(page)
    const stored = await storage(page)
    expect(Object.keys(stored).sort()).toEqual(['oms.session', 'oms.staff'])
    expect(stored['oms.session']).toMatch(/^\{"token":"[^"]{20,}"\}$/)
    expect(stored['oms.staff']).toBe(JSON.stringify({ email: staff.email }))
    await page.getByRole('button', { name: `Account of ${staff.email}` }).waitFor()
  })

  test('starts on the home screen; the address asked for before login is the first suggestion of the palette (S4.2)', async () => {
    const page = await openLogin('/riders/5?page=2')
    await expect.poll(() => addressOf(page)).toBe('/login')
    await signIn(page)
    expect(addressOf(page)).toBe('/')
    await press(page, 'Control+k')
    const first = page.getByRole('dialog').getByRole('option').first()
    expect(await first.textContent()).toContain('/riders/5?page=2')
    expect(await first.getAttribute('aria-selected')).toBe('true')
    await press(page, 'Enter')
    await expect.poll(() => addressOf(page)).toBe('/riders/5?page=2')
    await press(page, 'Control+k')
    expect(await page.getByRole('dialog').getByRole('option').first().textContent()).not.toContain(
      '/riders/5',
    )
  })

  test('makes a visit to /login lead to the home screen and replace its history entry', async () => {
    const page = await twende.open('/riders')
    await page.goto(`${twende.url}/login`)
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    expect(addressOf(page)).toBe('/')
    await page.goBack()
    await page.getByRole('heading', { name: 'Drivers' }).waitFor()
  })

  test('is required: without it every route leads to /login, which replaces the history entry (S2.a.1–S2.a.16, S2.a.18, S2.a.20)', async () => {
    const page = await openLogin('/favicon.svg')
    const paths = [
      ...[
        '/',
        '/riders',
        '/riders/7',
        '/customers',
        '/staff',
        '/vehicles',
        '/trips',
        '/invoices',
        '/invites',
      ],
      ...['/bookings', '/attractions', '/attractions/3', '/blogs', '/coupons', '/promos', '/sos'],
      ...['/no-such-page', '/riders/7/more', '/login/more'],
    ]
    for (const path of paths) {
      await page.goto(twende.url + path)
      await expect.poll(() => addressOf(page), { message: path }).toBe('/login')
      await page.getByLabel('Password').waitFor()
      await page.goBack()
      expect(addressOf(page), `Back from ${path}`).toBe('/favicon.svg')
    }
  })

  const corrupt: Record<string, string>[] = [
    { 'oms.session': '{"token":', 'oms.staff': '{"email":"a@b.test"}' },
    { 'oms.session': '{"token":"abc"}', 'oms.staff': 'a@b.test' },
    { 'oms.session': '{"token":""}', 'oms.staff': '{"email":"a@b.test"}' },
    { 'oms.session': 'null', 'oms.staff': '{"email":"a@b.test"}' },
    { 'oms.session': '{"token":7}', 'oms.staff': '{"email":"a@b.test"}' },
    { 'oms.session': '["abc"]', 'oms.staff': '{"email":"a@b.test"}' },
    { 'oms.session': '{"token":"abc"}' },
    { 'oms.staff': '{"email":"a@b.test"}' },
  ]
  test('counts as ended when a stored value is missing or malformed, and both are removed (S4.1, reliability 26)', async () => {
    const page = await openLogin('/favicon.svg')
    for (const values of corrupt) {
      await page.evaluate((given) => {
        for (const [key, value] of Object.entries(given)) sessionStorage.setItem(key, value)
      }, values)
      await page.goto(`${twende.url}/riders`)
      await expect.poll(() => addressOf(page), { message: JSON.stringify(values) }).toBe('/login')
      expect(await storage(page), JSON.stringify(values)).toEqual({})
    }
  })

  test('lasts as long as the page when session storage is blocked (S4.1, reliability 26)', async () => {
    const page = await twende.open('/riders', {
      signedIn: false,
      prepare: (blocked) =>
        blocked.addInitScript(() => {
          const refuse = () => {
            throw new DOMException('Blocked.', 'SecurityError')
          }
          Object.assign(Storage.prototype, { getItem: refuse, setItem: refuse, removeItem: refuse })
        }),
    })
    await signIn(page)
    await page.getByRole('link', { name: 'Drivers' }).click()
    await page.getByRole('grid').waitFor()
  })

  test('is shared with a new tab, and a logout in one tab ends it in both tabs and on the server (S2.b.5)', async () => {
    const token = await twende.newToken()
    const first = await twende.open('/riders', { token })
    await first.getByRole('grid').waitFor()
    await first.getByRole('link', { name: 'Customers' }).click()
    const second = await twende.openTab(first, '/riders?page=2')
    await second.getByRole('grid').waitFor()
    expect(addressOf(second)).toBe('/riders?page=2')
    expect(await storage(second)).toEqual({
      'oms.session': JSON.stringify({ token }),
      'oms.staff': JSON.stringify({ email: staff.email }),
    })

    await second.getByRole('button', { name: /^Account of/ }).click()
    await second.getByRole('menuitem', { name: 'Logout' }).click()
    for (const tab of [second, first]) {
      await expect.poll(() => addressOf(tab)).toBe('/login')
      await tab.getByLabel('Password').waitFor()
      expect(Object.keys(await storage(tab)).filter((key) => key.startsWith('oms.'))).toEqual([])
    }
    expect(await twende.status('drivers/', token)).toBe(401)

    await first.goBack()
    await first.getByLabel('Password').waitFor()
    expect(await first.getByRole('grid').count()).toBe(0)
  })

  test('is ended by the palette’s logout command even if the logout call fails (S2.b.5)', async () => {
    twende.expectTrouble(/ERR_FAILED/)
    const page = await twende.open('/sos', { answers: true, token: await twende.newToken() })
    await page.route('**/oms/logout/', (route) => route.abort())
    await page.getByRole('heading', { name: 'SOS logs' }).waitFor()
    await press(page, 'Control+k')
    await page.keyboard.type('logout')
    await page.locator('[data-id="session.logout"][aria-selected=true]').waitFor()
    await press(page, 'Enter')
    await expect.poll(() => addressOf(page)).toBe('/login')
    await page.getByLabel('Password').waitFor()
  })
})
