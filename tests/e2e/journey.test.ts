import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { TwendeConsole } from '../support/console.ts'
import { addressOf, focused, press, toasts, useConsole } from '../support/console.ts'
import { usePlainBackend } from '../support/plain-backend.ts'

/** The fields that these journeys read, from any backend. */
const Driver = Type.Object({
  id: Type.Integer(),
  deleted: Type.Boolean(),
  user: Type.Object({ fullname: Type.String(), phone_number: Type.String() }),
})
type Driver = Static<typeof Driver>
const Drivers = Type.Object({
  results: Type.Array(Type.Unknown()),
  next_page: Type.Union([Type.Integer(), Type.Null()]),
})

const backends = [
  {
    name: 'our server',
    use: () => useConsole(),
    suspended: ({ user }: Driver) => `${user.fullname} has been suspended.`,
    unsuspended: ({ user }: Driver) => `${user.fullname} has been unsuspended.`,
  },
  {
    name: 'another backend',
    use: () => useConsole(usePlainBackend()),
    suspended: ({ id }: Driver) => `Account ${id} is frozen`,
    unsuspended: ({ id }: Driver) => `Account ${id} is unfrozen`,
  },
]

/** Drivers that are not suspended and have a plain two-word name that no other driver has. */
async function activeDrivers(twende: TwendeConsole): Promise<Driver[]> {
  const drivers: Driver[] = []
  for (let page: number | null = 1; page !== null;) {
    const answer: Static<typeof Drivers> = await twende.read(`drivers/?page=${page}&page_size=1000`, Drivers)
    drivers.push(...answer.results.filter((row) => Value.Check(Driver, row)))
    page = answer.next_page
  }
  const bearers = Map.groupBy(drivers, ({ user }) => user.fullname)
  return drivers.filter(
    ({ deleted, user }) =>
      !deleted && /^[A-Z][a-z]+ [A-Z][a-z]+$/.test(user.fullname) && bearers.get(user.fullname)?.length === 1,
  )
}

async function signInByKeyboard(page: Page, { email, password }: TwendeConsole['staff']): Promise<void> {
  await expect
    .poll(() => page.getByLabel('Email').evaluate((field) => field === document.activeElement))
    .toBe(true)
  await page.keyboard.type(email)
  await press(page, 'Tab')
  await page.keyboard.type(password)
  await press(page, 'Enter')
  await toasts(page).getByText('Logged in successfully').waitFor()
}

/** The palette: type, wait until the driver is found and marked, Tab for the commands, Enter for the first. */
async function suspendByPalette(page: Page, driver: Driver, query: string): Promise<void> {
  await press(page, 'Control+k')
  await page.keyboard.type(query)
  await page.locator(`[data-id="driver:${driver.id}"][aria-selected=true]`).waitFor()
  await press(page, 'Tab')
  await page.locator('[data-id="driver.suspend"][aria-selected=true]').waitFor()
  await press(page, 'Enter')
}

describe.each(backends)('on $name', ({ use, suspended, unsuspended }) => {
  const twende = use()
  const isSuspended = async ({ id }: Driver) => (await twende.read(`drivers/${id}`, Driver)).deleted
  const someDriver = async (at: number) => {
    const driver = (await activeDrivers(twende))[at]
    if (!driver) throw new Error('There are too few drivers.')
    return driver
  }

  test('a dispatcher without a mouse signs in, finds a driver by each form of the phone number, suspends and undoes (S2.s, S4.2, S8.5, S7.3, S7.7, S8.2, R7)', async () => {
    const page = await twende.open('/riders', { signedIn: false })
    await signInByKeyboard(page, twende.staff)
    expect(addressOf(page)).toBe('/')

    const queries = [
      (phone: string) => `0${phone.slice(3)}`,
      (phone: string) => phone,
      (phone: string) => `+${phone}`,
      (phone: string) => `+${phone.slice(0, 3)} ${phone.slice(3, 6)} ${phone.slice(6)}`,
      (phone: string) => phone.slice(4),
    ]
    for (const [index, form] of queries.entries()) {
      const driver = await someDriver(index)
      await suspendByPalette(page, driver, form(driver.user.phone_number))
      await toasts(page).getByText(suspended(driver)).waitFor()
      expect(await isSuspended(driver)).toBe(true)
      expect(await page.getByRole('dialog').count()).toBe(0)

      await press(page, 'Control+z')
      await toasts(page).getByText(unsuspended(driver)).waitFor()
      expect(await isSuspended(driver)).toBe(false)
    }
  })

  test('the palette returns the focus to its row, and the keyboard reaches the toast’s Undo button (S2.u.4, S8.2, R7)', async () => {
    const page = await twende.open('/riders')
    const driver = await someDriver(12)
    await page.getByRole('grid').waitFor()
    await press(page, 'j', 'j', 'j', 'ArrowRight')
    const before = await focused(page)
    expect(before).not.toBe('')

    await suspendByPalette(page, driver, driver.user.fullname)
    await toasts(page).getByText(suspended(driver)).waitFor()
    expect(await focused(page)).toBe(before)
    expect(await isSuspended(driver)).toBe(true)

    await press(page, 'Alt+t', 'Tab', 'Tab')
    expect(await focused(page)).toBe('Undo')
    await press(page, 'Enter')
    await toasts(page).getByText(unsuspended(driver)).waitFor()
    expect(await isSuspended(driver)).toBe(false)
    await expect.poll(() => focused(page)).toBe(before)
  })

  test('staff with a mouse finds, suspends and undoes from sidebar, search form, row and toast (S2.b.2, S2.d.3, S2.u.1, S8.2, R7)', async () => {
    const page = await twende.open('/')
    const driver = await someDriver(20)
    const { fullname } = driver.user
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Drivers' }).click()
    await page.getByPlaceholder('Search driver by name...').fill(fullname)
    await page.keyboard.press('Enter')
    await expect.poll(() => addressOf(page)).toBe(`/riders?s=${fullname.replace(' ', '+')}`)
    const row = page.getByRole('row').filter({ hasText: String(driver.id) })
    await row.getByRole('button', { name: `Suspend ${fullname}` }).click()
    await toasts(page).getByText(suspended(driver)).waitFor()
    await row.getByRole('button', { name: `Unsuspend ${fullname}` }).waitFor()
    expect(await isSuspended(driver)).toBe(true)

    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await toasts(page).getByText(unsuspended(driver)).waitFor()
    await row.getByRole('button', { name: `Suspend ${fullname}` }).waitFor()
    expect(await isSuspended(driver)).toBe(false)
  })
})
