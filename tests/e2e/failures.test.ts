import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page, Request, Route } from 'playwright-core'
import type { Static } from 'typebox'
import { describe, expect, test } from 'vitest'
import { Coupon, Driver, Page as PageOf, SosLog } from '../../src/api/contract.ts'
import { addressOf, focused, press, staff, toasts, useConsole } from '../support/console.ts'

const twende = useConsole()

/** S8.1: suspending and unsuspending have the same text. */
const failure = 'An error occured!. Driver could not be unsuspended'
const noReply = /ERR_(FAILED|CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INTERNET_DISCONNECTED)/

const list = (page: Page) => page.getByRole('grid', { name: 'Drivers' })
const rowOf = (page: Page, { id }: Static<typeof Driver>) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: String(id), exact: true }) })
const isSuspended = async ({ id }: Static<typeof Driver>) =>
  (await twende.read(`drivers/${id}`, Driver)).deleted

/** A driver that no earlier test of this file has changed. */
let taken = 0
async function someDriver(): Promise<Static<typeof Driver>> {
  const { results } = await twende.read('drivers/?page_size=50', PageOf(Driver))
  const driver = results.filter(({ deleted }) => !deleted)[taken++]
  if (!driver) throw new Error('The demo data have too few active drivers on the first page.')
  return driver
}

/** The id of a driver with trips to show. */
async function travelled(): Promise<string> {
  const { results } = await twende.read('drivers/?page_size=1000', PageOf(Driver))
  const driver = results.find(({ total_trips }) => total_trips > 0)
  if (!driver) throw new Error('The demo data have no driver with trips.')
  return String(driver.id)
}

/** The actions on a driver in the audit table of the server, oldest first. */
function auditOf({ id }: Static<typeof Driver>): string[] {
  const database = new DatabaseSync(join(twende.dataFolder, 'oms.db'), { readOnly: true })
  const rows = database
    .prepare(`select command from audit where noun = 'driver' and record_id = ? order by id`)
    .all(id)
  database.close()
  return rows.map(({ command }) => String(command))
}

const isOfDriver = (value: unknown, { id }: Static<typeof Driver>) =>
  typeof value === 'object' && value !== null && 'id' in value && value.id === id && 'total_trips' in value

/** Collects the POST requests of the page. */
function listenToPosts(page: Page): Request[] {
  const posts: Request[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') posts.push(request)
  })
  return posts
}

const keyOf = (request: Request | undefined) => request?.headers()['idempotency-key']

describe('suspending', () => {
  test('a driver who is already suspended succeeds on a stale page, changes nothing and shows the current state (S4.3, S8.2, R5)', async () => {
    const driver = await someDriver()
    const page = await twende.open('/riders')
    const stale = await twende.openTab(page, '/riders')
    await rowOf(stale, driver).waitFor()
    await rowOf(page, driver).getByRole('button').click()
    await toasts(page).getByText(`${driver.user.fullname} has been suspended.`).waitFor()
    expect(await rowOf(stale, driver).getByRole('button').textContent()).toBe('Suspend')
    await rowOf(stale, driver).getByRole('button').click()
    await toasts(stale).getByText(`${driver.user.fullname} has been suspended.`).waitFor()
    await expect.poll(() => rowOf(stale, driver).getByRole('button').textContent()).toBe('Unsuspend')
    // It would take back what the other page has done.
    expect(await toasts(stale).getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await press(stale, 'z')
    expect(await isSuspended(driver)).toBe(true)
    expect(auditOf(driver)).toEqual(['driver.suspend'])
  })

  test('a driver by a double click sends one request, also if the answer comes between the clicks (R8)', async () => {
    const driver = await someDriver()
    const page = await twende.open('/riders')
    const posts = listenToPosts(page)
    const button = rowOf(page, driver).getByRole('button')
    await button.click()
    await expect.poll(() => button.textContent()).toBe('Unsuspend')
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
    await button.hover()
    expect(posts).toHaveLength(1)
    expect(await button.textContent()).toBe('Unsuspend')
    expect(auditOf(driver)).toEqual(['driver.suspend'])
  })

  test('a driver by a double click sends one request (R8)', async () => {
    const driver = await someDriver()
    const page = await twende.open('/riders')
    const posts = listenToPosts(page)
    await rowOf(page, driver).getByRole('button').dblclick()
    await toasts(page).getByText(`${driver.user.fullname} has been suspended.`).waitFor()
    await expect.poll(() => rowOf(page, driver).getByRole('button').textContent()).toBe('Unsuspend')
    expect(posts).toHaveLength(1)
    expect(auditOf(driver)).toEqual(['driver.suspend'])
  })

  test('with a 409 answer shows the toast of S8.1, ends the busy state, and leaves a fault mark and an activity entry (R3, R6)', async () => {
    twende.expectTrouble(/status of 409/)
    const driver = await someDriver()
    const page = await twende.open('/riders', { answers: true })
    await page.route('**/suspend/', (route) =>
      route.fulfill({ status: 409, json: { message: 'Not while on a trip.' } }),
    )
    const row = rowOf(page, driver)
    await row.getByRole('button').click()
    await toasts(page).getByText(failure, { exact: true }).waitFor()
    expect(await row.getByRole('button').textContent()).toBe('Suspend')
    expect(await row.getAttribute('aria-busy')).toBeNull()
    await row.getByRole('img', { name: 'The last action on this row failed' }).waitFor()
    await press(page, 'g', 'y')
    const entry = page.getByRole('dialog').getByRole('listitem').first()
    await entry.waitFor()
    expect(await entry.textContent()).toContain(`Suspend ${driver.user.fullname}`)
    expect(await entry.textContent()).toContain('Failed')
    expect(await entry.textContent()).toContain('409 Not while on a trip.')
    await press(page, 'Escape')

    await page.unroute('**/suspend/')
    await row.getByRole('button').click()
    await toasts(page).getByText(`${driver.user.fullname} has been suspended.`).waitFor()
    await row.getByRole('img', { name: 'The last action on this row failed' }).waitFor({ state: 'detached' })
  })

  test('after a lost reply sends the request again with the same Idempotency-Key and gets the first answer (R8)', async () => {
    twende.expectTrouble(noReply)
    const driver = await someDriver()
    const page = await twende.open('/riders', { answers: true })
    const posts = listenToPosts(page)
    let lost = 0
    await page.route('**/suspend/', async (route) => {
      const response = await route.fetch()
      if (lost++) await route.fulfill({ response })
      else await route.abort('connectionreset')
    })
    await rowOf(page, driver).getByRole('button').click()
    await toasts(page).getByText(`${driver.user.fullname} has been suspended.`).waitFor()
    expect(posts).toHaveLength(2)
    expect(keyOf(posts[0])).toMatch(/^[\w-]{20,}$/)
    expect(keyOf(posts[1])).toBe(keyOf(posts[0]))
    expect(await toasts(page).getByText(failure).count()).toBe(0)
    expect(await isSuspended(driver)).toBe(true)
    expect(auditOf(driver)).toEqual(['driver.suspend'])
  })

  test('with every reply lost shows the failure toast; pressing again sends the same key, and the server suspends once (S8.1, R5, R8)', async () => {
    twende.expectTrouble(noReply)
    const driver = await someDriver()
    const page = await twende.open('/riders', { answers: true })
    const posts = listenToPosts(page)
    await page.route('**/suspend/', async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    const button = rowOf(page, driver).getByRole('button')
    await button.click()
    await toasts(page).getByText(failure, { exact: true }).waitFor()
    const key = keyOf(posts[0])
    expect(new Set(posts.map(keyOf))).toEqual(new Set([key]))
    // The list was reloaded: it shows that the server has suspended the driver.
    await expect.poll(() => button.textContent()).toBe('Unsuspend')
    expect(auditOf(driver)).toEqual(['driver.suspend'])

    // The list answers with stale data from now on, so that the button offers to suspend again.
    await page.route('**/oms/drivers/?*', async (route) => {
      const response = await route.fetch()
      const stale: unknown = JSON.parse(await response.text(), (_name, value: unknown) =>
        isOfDriver(value, driver) ? driver : value,
      )
      await route.fulfill({ response, json: stale })
    })
    await press(page, 'r')
    await expect.poll(() => button.textContent()).toBe('Suspend')
    await page.unroute('**/suspend/')
    await button.click()
    await toasts(page).getByText(`${driver.user.fullname} has been suspended.`).waitFor()
    expect(keyOf(posts.at(-1))).toBe(key)
    expect(auditOf(driver)).toEqual(['driver.suspend'])
  })

  test('sends a new Idempotency-Key for each new action (R8)', async () => {
    const driver = await someDriver()
    const page = await twende.open('/riders')
    const posts = listenToPosts(page)
    const button = rowOf(page, driver).getByRole('button')
    for (const label of ['Unsuspend', 'Suspend', 'Unsuspend', 'Suspend']) {
      await button.click()
      await expect.poll(() => button.textContent()).toBe(label)
    }
    expect(new Set(posts.map(keyOf)).size).toBe(4)
    expect(auditOf(driver)).toEqual([
      'driver.suspend',
      'driver.unsuspend',
      'driver.suspend',
      'driver.unsuspend',
    ])
  })

  test('can be undone again after a failed undo (R7)', async () => {
    twende.expectTrouble(/status of 503/)
    const driver = await someDriver()
    const page = await twende.open('/riders', { answers: true })
    await rowOf(page, driver).getByRole('button').click()
    await toasts(page).getByText(`${driver.user.fullname} has been suspended.`).waitFor()
    await page.route('**/unfreeze/', (route) => route.fulfill({ status: 503, json: { message: 'Later.' } }))
    await press(page, 'Control+z')
    await toasts(page).getByText(failure, { exact: true }).waitFor()
    expect(await isSuspended(driver)).toBe(true)
    await page.unroute('**/unfreeze/')
    await press(page, 'Control+z')
    await toasts(page).getByText(`${driver.user.fullname} has been unsuspended.`).waitFor()
    expect(await isSuspended(driver)).toBe(false)
  })
})

test('a coupon that was created, with every reply lost, is not created again when its code is changed and sent (R8)', async () => {
  twende.expectTrouble(noReply)
  const page = await twende.open('/coupons', { answers: true })
  await page.route('**/coupons/create/', async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  const button = page.getByRole('button', { name: 'Continue' })
  const code = page.getByLabel('Code')
  await press(page, 'n')
  await code.fill('KARIBU')
  await page.getByLabel('Amount').fill('250')
  await page.getByLabel('Expiry date').fill('2031-01-31')
  await button.click()
  // The list is loaded again after the failure, and shows what the server has stored.
  await page.locator('tr').filter({ hasText: 'KARIBU' }).waitFor()
  await button.waitFor()
  await page.unroute('**/coupons/create/')
  await code.fill('KARIBU25')
  await button.click()
  await page.getByRole('dialog', { name: 'Edit coupon' }).waitFor()
  expect(await code.inputValue()).toBe('KARIBU25')
  await expect.poll(() => code.evaluate((element) => element === document.activeElement)).toBe(true)
  await button.click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const { results } = await twende.read('coupons/?page_size=50', PageOf(Coupon))
  const found = results.filter(({ code }) => code.startsWith('KARIBU'))
  expect(found).toMatchObject([{ code: 'KARIBU25', amount: 250 }])
})

test('an SOS log that a colleague reopens after a lost reply is acknowledged again (R8)', async () => {
  twende.expectTrouble(noReply)
  const read = async () => (await twende.read('sos-lists/?page_size=1', PageOf(SosLog))).results[0]
  const { id = 0 } = (await read()) ?? {}
  await twende.post(`sos/${id}/reopen/`)
  const page = await twende.open('/sos', { answers: true })
  const button = page.getByRole('button', { name: `Acknowledge SOS log ${id}` })
  await page.route('**/acknowledge/', async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await button.click()
  await button.waitFor({ state: 'detached' })
  await page.unroute('**/acknowledge/')
  await twende.post(`sos/${id}/reopen/`)
  await press(page, 'r')
  await button.click()
  await page.getByText(`Done: Acknowledge SOS log ${id}`).waitFor()
  expect((await read())?.handled_by).toBe(staff.email)
})

describe('an unreachable server', () => {
  test('makes suspending fail with the toast of S8.1 and keeps the list; both work again after its restart', async () => {
    twende.expectTrouble(noReply)
    const driver = await someDriver()
    const page = await twende.open('/riders')
    const row = rowOf(page, driver)
    await row.getByRole('link').nth(1).focus()
    const before = await focused(page)
    await twende.killServer()
    await press(page, 's')
    await toasts(page).getByText(failure, { exact: true }).waitFor()
    expect(await row.getByRole('button').textContent()).toBe('Suspend')
    await row.getByRole('img', { name: 'The last action on this row failed' }).waitFor()
    // R1: the reload failed as well, so the earlier rows stay and Retry is shown.
    await page.getByRole('button', { name: 'Retry' }).waitFor()
    expect(await list(page).getByRole('row').count()).toBe(51)
    expect(await toasts(page).count()).toBe(1)
    expect(await focused(page)).toBe(before)

    await press(page, 'g', 'y')
    expect(await page.getByRole('dialog').getByRole('listitem').first().textContent()).toContain('Failed')
    await press(page, 'Escape')

    await twende.startServer()
    // The list may be loaded again by itself just before.
    const retry = page.getByRole('button', { name: 'Retry' })
    await retry.evaluateAll((all) => all.forEach((one) => one instanceof HTMLElement && one.click()))
    await retry.waitFor({ state: 'detached' })
    await row.getByRole('button').click()
    await toasts(page).getByText(`${driver.user.fullname} has been suspended.`).waitFor()
    await row.getByRole('img', { name: 'The last action on this row failed' }).waitFor({ state: 'detached' })
    expect(auditOf(driver)).toEqual(['driver.suspend'])
  })

  test('makes an offline page change show Retry without toast or empty text, until the page loads once online (S8.10, R1, reliability 23)', async () => {
    twende.expectTrouble(noReply)
    const page = await twende.open('/riders')
    await list(page).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByRole('button', { name: 'Retry' }).waitFor()
    expect(addressOf(page)).toBe('/riders?page=2')
    expect(await page.getByText('No Drivers to display').count()).toBe(0)
    expect(await toasts(page).count()).toBe(0)
    await page.context().setOffline(false)
    await expect.poll(() => list(page).getByRole('row').nth(1).getAttribute('aria-rowindex')).toBe('52')
    await page.getByRole('button', { name: 'Retry' }).waitFor({ state: 'detached' })
  })
})

describe('loading', () => {
  const failing = [
    ['/riders', '**/oms/drivers/?*', (page: Page) => list(page)],
    [
      '/',
      '**/oms/analytics/',
      (page: Page) => page.getByRole('region', { name: 'Revenue/Cash' }).getByText('Ksh').first(),
    ],
    ['/riders/:id', '**/oms/drivers/:id', (page: Page) => page.getByText('Contact details')],
    [
      '/riders/:id',
      '**/oms/drivers/:id/trips/*',
      (page: Page) => page.getByRole('list', { name: 'Jobs history' }),
    ],
  ] as const
  test.each(failing)(
    'on %s a failed %s shows Retry, and no message, zeros or empty text (S8.10, R1, reliability 23)',
    async (pathPattern, callPattern, content) => {
      twende.expectTrouble(/status of 500/)
      const id = await travelled()
      const [path, call] = [pathPattern.replace(':id', id), callPattern.replace(':id', id)]
      let answer = (route: Route) => route.fulfill({ status: 500, json: { message: 'Oops' } })
      const page = await twende.open(path, {
        answers: true,
        prepare: (before) => before.route(call, (route) => answer(route)),
      })
      const retry = page.getByRole('button', { name: 'Retry' })
      await retry.waitFor()
      expect(await content(page).count()).toBe(0)
      expect(await toasts(page).count()).toBe(0)
      expect(await page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
      expect(await page.locator('main').textContent()).not.toMatch(/Oops|No Drivers|No jobs|Ksh 0/)
      // A load that is repeated automatically must not succeed before the click.
      const click = Promise.withResolvers<undefined>()
      answer = (route) => click.promise.then(() => route.continue())
      await retry.click()
      click.resolve(undefined)
      await content(page).waitFor()
      await retry.waitFor({ state: 'detached' })
    },
  )

  test('a failed reload keeps the loaded figures (R1)', async () => {
    twende.expectTrouble(/status of 500/)
    const page = await twende.open('/', { answers: true })
    const shown = page.getByText('Ksh').first()
    await shown.waitFor()
    const before = await shown.textContent()
    await page.route('**/oms/analytics/', (route) => route.fulfill({ status: 500, json: {} }))
    await press(page, 'r')
    await page.getByRole('button', { name: 'Retry' }).waitFor()
    expect(await shown.textContent()).toBe(before)
  })

  test('an HTML answer to the list call counts as a failed load (S8.10)', async () => {
    const page = await twende.open('/riders', {
      prepare: (before) => before.route('**/oms/drivers/?*', (route) => route.fulfill({ body: '<html>' })),
    })
    await page.getByRole('button', { name: 'Retry' }).waitFor()
    expect(await page.getByText('No Drivers to display').count()).toBe(0)
  })
})

test('on a slow network a list shows that it loads until its rows arrive, and those of an earlier page never replace those of a later one (reliability 23)', async () => {
  const page = await twende.open('/')
  const session = await page.context().newCDPSession(page)
  const bytesPerSecond = 50_000
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
  const loading = page.getByRole('status', { name: 'Loading' })
  const firstRow = () => list(page).getByRole('row').nth(1).getAttribute('aria-rowindex')
  // By keys: a link under the pointer may have loaded its list before the click.
  await press(page, 'g', 'd')
  await loading.waitFor()
  await list(page).waitFor()
  expect([await loading.count(), await firstRow()]).toEqual([0, '2'])

  const next = page.getByRole('button', { name: 'Next page' })
  await next.click()
  await page.locator('[data-stale=true]').waitFor()
  await expect.poll(firstRow).toBe('52')
  await page.locator('[data-stale=true]').waitFor({ state: 'detached' })

  // Three pages are asked for before the first of them has arrived.
  for (const turn of [1, 2, 3]) {
    await next.click()
    await page.getByText(`Page ${2 + turn} of`).waitFor()
  }
  await expect.poll(firstRow).toBe('202')
  const shown = await page.evaluate(async () => {
    const seen = new Set<string | null>()
    for (let look = 0; look < 20; look++) {
      seen.add(document.querySelectorAll('[role=row]')[1]?.getAttribute('aria-rowindex') ?? null)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    return [...seen]
  })
  expect(shown).toEqual(['202'])
  expect(addressOf(page)).toBe('/riders?page=5')
})

describe('a session that ends on the server', () => {
  test('leads to /login and removes both stored values; after login the palette offers the earlier address (S2.a.20, S4.1)', async () => {
    twende.expectTrouble(/status of 401/)
    const token = await twende.newToken()
    const page = await twende.open('/favicon.svg', { token })
    const views = page.waitForResponse('**/oms/views/')
    await page.goto(`${twende.url}/riders?page=2`)
    await list(page).waitFor()
    // Asked for after the list; the ended session is to be met by the next page.
    await views
    await twende.post('logout/', token)
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByLabel('Password').waitFor()
    expect(addressOf(page)).toBe('/login')
    expect(
      await page.evaluate(() => [sessionStorage.getItem('oms.session'), sessionStorage.getItem('oms.staff')]),
    ).toEqual([null, null])
    await page.getByLabel('Email').fill(staff.email)
    await page.getByLabel('Password').fill(staff.password)
    await press(page, 'Enter')
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await press(page, 'Control+k')
    expect(await page.getByRole('dialog').getByRole('option').first().textContent()).toContain(
      '/riders?page=3',
    )
  })

  test('causes one redirect and no toast for several 401 answers at once', async () => {
    twende.expectTrouble(/status of 401/)
    const token = await twende.newToken()
    const page = await twende.open(`/riders/${await travelled()}`, { token })
    await page.getByRole('list', { name: 'Jobs history' }).waitFor()
    await twende.post('logout/', token)
    const length = await page.evaluate(() => history.length)
    let refused = 0
    page.on('response', (response) => {
      if (response.status() === 401) refused++
    })
    const visited: string[] = []
    page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname))
    await press(page, 'r')
    await page.getByLabel('Password').waitFor()
    expect(refused).toBeGreaterThan(0)
    expect(visited).toEqual(['/login'])
    expect(await page.evaluate(() => history.length)).toBe(length)
    expect(await toasts(page).count()).toBe(0)
  })
})
