import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { addressOf, press, toasts, useConsole } from '../support/console.ts'
import { usePlainBackend } from '../support/plain-backend.ts'

const backend = usePlainBackend()
const twende = useConsole(backend)

/** The lists: path, accessible name, call, a word to search for if there is a search box, and the empty text. */
const lists = [
  { path: '/riders', title: 'Drivers', call: 'drivers/', word: 'asha', empty: 'No Drivers to display' },
  {
    path: '/customers',
    title: 'Customers',
    call: 'customers/',
    word: 'baraka',
    empty: 'No Customers to display',
  },
  { path: '/staff', title: 'Staff users', call: 'staff-users/', empty: 'No staff users to display' },
  { path: '/vehicles', title: 'Vehicles', call: 'vehicles/', word: 'kdb', empty: 'No vehicles to display' },
  { path: '/trips', title: 'Trips', call: 'trips/', empty: 'No Trips to display' },
  {
    path: '/invoices',
    title: 'Invoices',
    call: 'all-invoices/',
    word: 'abdi',
    empty: 'No Invoices to display',
  },
  {
    path: '/invites',
    title: 'invites',
    call: 'driver-invites/',
    word: 'amina',
    empty: 'No Invites to display',
  },
  { path: '/bookings', title: 'Bookings', call: 'pre-bookings/', empty: 'No Bookings to display' },
  {
    path: '/attractions',
    title: 'Attractions',
    call: 'attractions/all/',
    word: 'fort',
    empty: 'No attractions to display',
  },
  { path: '/blogs', title: 'Blogs', call: 'blogs-adm/', empty: 'No blogs to shows' },
  { path: '/coupons', title: 'Coupons', call: 'coupons/', empty: 'No Invites to display' },
  { path: '/promos', title: 'Promo codes', call: 'promo-codes/', empty: 'No promo codes to display' },
  { path: '/sos', title: 'SOS logs', call: 'sos-lists/', empty: 'No SOS logs to display' },
]

/** Expects no "undefined", "NaN" or the like in any text, attribute or field, and no error screen. */
async function look(page: Page): Promise<void> {
  const told = await page.evaluate(() =>
    [...document.querySelectorAll('body, body *')].flatMap((element) => [
      ...[...element.childNodes].flatMap((node) => (node instanceof Text ? [node.data] : [])),
      ...['title', 'aria-label', 'alt', 'placeholder', 'href'].map(
        (name) => element.getAttribute(name) ?? '',
      ),
      element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.value : '',
    ]),
  )
  expect(told.filter((words) => /undefined|NaN|Invalid Date|\[object|1970|\bnull\b/.test(words))).toEqual([])
  expect(told).not.toContain('Unexpected Application Error!')
}

const rows = (page: Page, title: string) =>
  page
    .getByRole('grid', { name: title, exact: true })
    .or(page.getByRole('list', { name: title, exact: true }))

/** Turns to the last page, checks each page, and returns their number. */
async function walkPages(page: Page): Promise<number> {
  const next = page.getByRole('button', { name: 'Next page' })
  let pages = 1
  while (await next.isEnabled()) {
    await next.click()
    await page.getByText(`Page ${++pages} of`).waitFor()
    await page.locator('[data-stale=true]').waitFor({ state: 'detached' })
    await look(page)
  }
  return pages
}

test('login, dashboard, not-found page and logout work with another backend (S2.a, S2.c, S2.s, S2.t)', async () => {
  const page = await twende.open('/login', { signedIn: false })
  twende.expectTrouble(/status of 400.*login/)
  expect(await page.getByText('Demo:').count()).toBe(0)
  const submit = async (password: string) => {
    await page.getByLabel('Email').fill(backend.login.email)
    await page.getByLabel('Password').fill(password)
    await press(page, 'Enter')
  }
  await submit('wrong')
  await toasts(page).getByText('Login failed!.Please try again.').waitFor()
  await look(page)
  await submit(backend.login.password)
  await toasts(page).getByText('Logged in successfully').waitFor()
  await page.getByText('Ksh 3,600.00', { exact: true }).waitFor() // The commission, under the key of another product.
  await page.getByText('Ksh 1,251.00', { exact: true }).waitFor()
  await look(page)
  await page.goto(`${twende.url}/nowhere`)
  await page.getByText('OOPS! The page you are looking for does not exist').waitFor()
  await look(page)
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await look(page)
})

describe('every list', () => {
  test.each(lists)(
    '$path shows malformed records on all its pages, searches, and pages back',
    async ({ path, title, word, empty }) => {
      const page = await twende.open(path)
      await rows(page, title).waitFor()
      await look(page)
      const pages = await walkPages(page)
      if (pages > 1) {
        await page.goBack()
        await page.getByText(`Page ${pages - 1} of`).waitFor()
        await look(page)
      }
      twende.expectTrouble(/status of 404.*page=99/)
      await page.goto(`${twende.url}${path}?page=99`)
      await page.getByText(`Page ${pages} of ${pages}`).waitFor()
      await rows(page, title).waitFor()
      expect(addressOf(page)).toBe(pages > 1 ? `${path}?page=${pages}` : path)
      await look(page)
      if (word) {
        await page.getByRole('searchbox').fill(word)
        await press(page, 'Enter')
        await expect.poll(() => addressOf(page)).toContain(`=${word}`)
        await page.locator('[data-stale=true]').waitFor({ state: 'detached' })
        await rows(page, title).waitFor()
        await look(page)
      }
      await page.goto(`${twende.url}${path}?s=nobody-at-all`)
      await page.getByText(empty, { exact: true }).waitFor()
      await look(page)
    },
  )
})

test('both tabs of a driver show all their pages, and a page after the last one becomes the last (S2.e.6, S2.u.2)', async () => {
  twende.expectTrouble(/status of 404.*page=99/)
  const page = await twende.open('/riders/140?page=99')
  await page.getByText('Page 3 of 3').waitFor()
  expect(addressOf(page)).toBe('/riders/140?page=3')
  await page.getByRole('list', { name: 'Jobs history' }).waitFor()
  await look(page)
  await page.getByRole('button', { name: 'Previous page' }).click()
  await page.getByText('Page 2 of').waitFor()
  await look(page)
  await page.getByRole('tab', { name: 'Transactions history' }).click()
  await page.getByRole('list', { name: 'Transactions history' }).waitFor()
  await look(page)
  expect(await walkPages(page)).toBe(3)
})

test('the details of malformed drivers and attractions open, and so do the forms of the attractions (S2.e, S2.n)', async () => {
  const page = await twende.open('/riders/30')
  for (const id of [30, 28, 27, 26, 25, 24, 23]) {
    await page.goto(`${twende.url}/riders/${id}`)
    await page.getByRole('list', { name: 'Jobs history' }).waitFor()
    await look(page)
  }
  for (const id of [9, 7, 6, 5]) {
    await page.goto(`${twende.url}/attractions/${id}`)
    await page.getByText('Lat', { exact: true }).waitFor()
    await look(page)
    await lookIntoEach(page, /^Edit attraction/)
  }
})

test('a driver is suspended from the detail, and undo unsuspends the driver (S2.e.2, S8.2, R7)', async () => {
  const page = await twende.open('/riders/27')
  await page.getByRole('button', { name: 'Suspend driver 27' }).click()
  await toasts(page).getByText('Account 27 is frozen').waitFor()
  await page.getByRole('button', { name: 'Unsuspend driver 27' }).waitFor()
  await look(page)
  await press(page, 'Control+z')
  await toasts(page).getByText('Account 27 is unfrozen').waitFor()
  await page.getByRole('button', { name: 'Suspend driver 27' }).waitFor()
  await look(page)
})

test('an invoice is cleared (S2.k.5, S7.22, S8.9)', async () => {
  const page = await twende.open('/invoices')
  await page.getByRole('button', { name: 'Clear invoice 60' }).click()
  await toasts(page).getByText('Receipt for 60').waitFor()
  await page.getByRole('button', { name: 'Clear invoice 60' }).waitFor({ state: 'detached' })
  expect(backend.sentTo(/invoice\/update/)).toEqual({ invoice_id: 60 })
  await look(page)
})

test.each([
  ['/riders', 'Export Drivers to Excel', 'drivers in March.xlsx'],
  ['/customers', 'Export Customers to Excel', 'customers_data.xlsx'],
])('the export on %s is saved under its name (S7.9, S7.10, S9.11)', async (path, button, name) => {
  const page = await twende.open(path)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ])
  expect(download.suggestedFilename()).toBe(name)
  await look(page)
})

/** Opens, checks and closes the form of each record, malformed ones included. */
async function lookIntoEach(page: Page, edits: RegExp): Promise<void> {
  for (const button of await page.getByRole('button', { name: edits }).all()) {
    await button.dispatchEvent('click')
    await page.getByRole('dialog').getByRole('textbox').first().waitFor()
    await look(page)
    await press(page, 'Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
}

const written = [
  { path: '/blogs', noun: 'blog', create: 'Create Blog', field: 'Title', odd: 4 },
  { path: '/coupons', noun: 'coupon', create: 'Create coupon', field: 'Code', odd: 5 },
  { path: '/promos', noun: 'promo code', create: 'Create promo code', field: 'Code', odd: 4 },
]

test.each(written)(
  'on $path a $noun is created, edited, deleted and restored (S4.7, S4.8, R7)',
  async ({ path, noun, create, field, odd }) => {
    const page = await twende.open(path)
    await page.getByRole('button', { name: create }).click()
    const dialog = page.getByRole('dialog', { name: create })
    await dialog.getByLabel(field, { exact: true }).fill('KARIBU 2')
    if (noun === 'promo code') {
      await dialog.getByRole('button', { name: /Select user/ }).click()
      await dialog.getByPlaceholder('Search user...').fill('customer baraka')
      const customer = dialog.getByRole('option', { name: /Customer Baraka/ }).first()
      await customer.waitFor()
      await look(page)
      await customer.click()
    }
    await look(page)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: `Edit ${noun} KARIBU 2` }).click()
    await page.getByRole('dialog').getByLabel(field, { exact: true }).fill('KARIBU 3')
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    const remove = page.getByRole('button', { name: `Delete ${noun} KARIBU 3` })
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await look(page)
    await remove.click()
    await remove.waitFor({ state: 'detached' })
    await look(page)
    await press(page, 'Control+z')
    await remove.waitFor()
    await look(page)
    expect(await page.getByRole('button', { name: new RegExp(`^Edit ${noun} `) }).count()).toBe(odd + 1)
    await lookIntoEach(page, new RegExp(`^Edit ${noun} `))
  },
)

test('an attraction is added, edited, deleted and restored (S2.m, S2.n, S8.7, R7)', async () => {
  const page = await twende.open('/attractions')
  await page.getByRole('button', { name: 'Add attraction' }).click()
  const add = page.getByRole('dialog', { name: 'Add attraction' })
  await add.getByLabel('Name').fill('The old fort')
  await add.getByLabel('Location').fill('Fort Jesus')
  await add.getByRole('option').first().click()
  await look(page)
  await add.getByRole('button', { name: 'Save' }).click()
  await toasts(page).getByText('Attraction added successfully').waitFor()
  const { name, lat, lng } = backend.sentTo(/create\/oms/)
  expect([name, lat, lng].join(' ')).toMatch(/^The old fort -4\.\d{6} 39\.\d{6}$/)
  await add.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: '8', exact: true }).click()
  await page.getByRole('button', { name: 'Edit attraction' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit attraction' })
  await edit.getByLabel('Name').fill('Lamu town')
  await edit.getByRole('button', { name: 'Save' }).click()
  await toasts(page).getByText('Attraction updated successfully').waitFor()
  await page.getByRole('heading', { name: 'Lamu town' }).waitFor()
  await edit.waitFor({ state: 'detached' })
  await look(page)
  await page.getByRole('link', { name: 'Back' }).click()
  const remove = page.getByRole('button', { name: 'Delete attraction Lamu town' })
  await remove.click()
  await toasts(page).getByText('Attraction deleted successfully').waitFor()
  await remove.waitFor({ state: 'detached' })
  await toasts(page).getByRole('button', { name: 'Undo' }).last().click()
  await remove.waitFor()
  await look(page)
})

describe('a failed or unreadable answer', () => {
  const ways = [
    { how: 500, heard: [/status of 500/] },
    { how: 'html', heard: [] },
    { how: 'reset', heard: [/ERR_/] },
    { how: 'empty', heard: [] },
    { how: 429, heard: [/status of 429/] },
    { how: 400, heard: [/status of 400/] },
  ] as const
  const screens = [
    { path: '/', call: 'analytics/', empty: '', sign: 'Ksh 3,600.00' },
    { path: '/riders/140', call: 'drivers/140$', empty: '', sign: 'Jobs history' },
    { path: '/riders/139', call: 'drivers/139/trips/', empty: 'No jobs', sign: 'Trip #40' },
    { path: '/attractions/9', call: 'attractions/all/9/', empty: '', sign: 'A fort.' },
    // All lists share one list view, so three of them are enough.
    ...lists
      .filter(({ path }) => ['/riders', '/customers', '/blogs'].includes(path))
      .map((one) => ({ ...one, sign: 'Page 1 of' })),
  ].map((one, at) => ({ ...one, ...(ways[at % ways.length] ?? ways[0]) }))

  test.each(screens)(
    'to $path ($how) shows Retry and no false value until the next load succeeds (R1, S8.10, reliability 23)',
    async ({ path, call, empty, sign, how, heard }) => {
      twende.expectTrouble(...heard)
      backend.spoil(new RegExp(`^${call}`), how)
      const page = await twende.open(path)
      const retry = page.getByRole('button', { name: 'Retry' })
      await retry.waitFor()
      await look(page)
      const words = (await page.locator('main').textContent()) ?? ''
      if (path !== '/riders/139') expect(words).not.toMatch(/(^|\D)0(\D|$)/)
      if (empty) expect(words).not.toContain(empty)
      expect(words).not.toContain('went wrong')
      expect(await toasts(page).count()).toBe(0)
      backend.mend()
      await retry.click()
      await page.getByText(sign).first().waitFor()
      await retry.waitFor({ state: 'detached' })
      await look(page)
    },
  )

  test.each([
    ['/riders', /suspend/, 'Suspend Asha Abdi', 'An error occured!. Driver could not be unsuspended'],
    ['/invoices', /^invoice/, 'Clear invoice 60', 'An error occured!. Driver could not be unsuspended'],
    ['/riders', /export/, 'Export Drivers to Excel', 'Failed to download the data. Please try again.'],
    ['/attractions', /9/, 'Delete attraction Fort Jesus', 'Error occured during upload'],
  ])(
    'on %s to %s, sent by "%s", shows its toast, and the action can be repeated (S8.1, S8.3, S8.6, S8.8)',
    async (path, call, button, toast) => {
      const page = await twende.open(path)
      page.on('download', () => expect.unreachable('A failed export must not save a file.'))
      const failure = toasts(page).getByText(toast, { exact: true })
      // The list must have loaded before: its call may match the same fault.
      await page.getByRole('button', { name: button }).waitFor()
      // An empty answer is a success for a change, but not for a file.
      for (const { how, heard } of ways.filter(({ how }) => how !== 'empty' || button.startsWith('Export'))) {
        twende.expectTrouble(...heard)
        backend.spoil(call, how)
        await page.getByRole('button', { name: button }).click()
        await failure.dispatchEvent('click')
        await failure.waitFor({ state: 'detached' })
        await look(page)
        backend.mend()
      }
    },
  )

  test('to the login call counts as a failed login (S8.4)', async () => {
    const page = await twende.open('/login', { signedIn: false })
    const failure = toasts(page).getByText('Login failed!.Please try again.')
    await page.getByLabel('Email').fill(backend.login.email)
    await page.getByLabel('Password').fill(backend.login.password)
    for (const { how, heard } of ways) {
      twende.expectTrouble(...heard)
      backend.spoil(/login/, how)
      await page.getByRole('button', { name: 'Submit' }).click()
      await failure.dispatchEvent('click')
      await failure.waitFor({ state: 'detached' })
      backend.mend()
    }
    expect(addressOf(page)).toBe('/login')
  })

  test('to a search in the palette or the user picker shows Retry, never an empty result (R1, S2.q.4)', async () => {
    twende.expectTrouble(/status of 500/)
    backend.spoil(/^(drivers|customers)\//, 500)
    const page = await twende.open('/promos')
    await press(page, 'Control+k')
    await page.keyboard.type('asha')
    const again = page.getByRole('button', { name: 'The search failed. Retry' })
    await again.waitFor()
    expect(await page.getByText(/Nothing found/).count()).toBe(0)
    await press(page, 'Escape')
    await page.getByRole('button', { name: 'Create promo code' }).click()
    await page.getByRole('button', { name: /Select user/ }).click()
    const retry = page.getByRole('dialog').getByRole('button', { name: 'Retry' })
    await retry.waitFor()
    expect(await page.getByText('No users found.').count()).toBe(0)
    backend.mend()
    await retry.click()
    await page
      .getByRole('option', { name: /Customer Asha/ })
      .first()
      .waitFor()
    await look(page)
  })

  test('to a form leaves it open with its text, and it can be sent again (S4.8, S8.11, R2)', async () => {
    twende.expectTrouble(/status of 500/)
    backend.spoil(/coupons\/create/, 500)
    const page = await twende.open('/coupons')
    await page.getByRole('button', { name: 'Create coupon' }).click()
    await page.getByLabel('Code', { exact: true }).fill('KARIBU 2')
    const send = page.getByRole('button', { name: 'Continue' })
    await send.click()
    await page.getByRole('button', { name: 'Discard draft' }).waitFor()
    await expect.poll(() => backend.callsTo(/coupons\/create/).length).toBe(1)
    await send.waitFor()
    expect(await page.getByLabel('Code', { exact: true }).inputValue()).toBe('KARIBU 2')
    backend.mend()
    await send.click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit coupon KARIBU 2' }).waitFor()
  })

  test('with status 401 leads to the login (S2.a.20, S4.1)', async () => {
    twende.expectTrouble(/status of 401/)
    const page = await twende.open('/trips')
    await rows(page, 'Trips').waitFor()
    backend.spoil(/^drivers/, 401)
    await page.getByRole('link', { name: 'Drivers' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(addressOf(page)).toBe('/login')
  })
})

test('a list shows its loading text until a slow answer arrives (S2.f.3, R1, reliability 23)', async () => {
  backend.hold(/^customers/)
  const page = await twende.open('/customers')
  await page.getByText('Loading....').waitFor()
  expect(await page.getByText('No Customers to display').count()).toBe(0)
  await look(page)
  backend.mend()
  await rows(page, 'Customers').waitFor()
  await page.getByText('Loading....').waitFor({ state: 'detached' })
})
