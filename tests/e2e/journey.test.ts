import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Static } from 'typebox'
import { Driver, Page as PageOf } from '../../src/api/contract.ts'
import { addressOf, focused, press, staff, toasts, useConsole } from '../support/console.ts'

const twende = useConsole()

const isSuspended = async ({ id }: Static<typeof Driver>) =>
  (await twende.read(`drivers/${id}`, Driver)).deleted

/** Drivers that are not suspended, by a number and a name that nobody else has. */
async function activeDrivers(): Promise<Static<typeof Driver>[]> {
  const { results } = await twende.read('drivers/?page_size=1000', PageOf(Driver))
  const names = new Map(results.map((driver) => [driver.user.fullname, driver]))
  return [...names.values()].filter(
    ({ deleted, user }) => !deleted && /^[A-Z][a-z]+ [A-Z][a-z]+$/.test(user.fullname),
  )
}

async function signInByKeyboard(page: Page): Promise<void> {
  await page.getByLabel('Email').waitFor()
  await press(page, 'Tab')
  await page.keyboard.type(staff.email)
  await press(page, 'Tab')
  await page.keyboard.type(staff.password)
  await press(page, 'Enter')
  await toasts(page).getByText('Logged in successfully').waitFor()
}

/** The palette: type, wait until the driver is found and marked, Tab for the commands, Enter for the first. */
async function suspendByPalette(page: Page, driver: Static<typeof Driver>, query: string): Promise<void> {
  await press(page, 'Control+k')
  await page.keyboard.type(query)
  await page.locator(`[data-id="driver:${driver.id}"][aria-selected=true]`).waitFor()
  await press(page, 'Tab')
  await page.locator('[data-id="driver.suspend"][aria-selected=true]').waitFor()
  await press(page, 'Enter')
}

test('a dispatcher signs in, finds a driver in each form of its number or by name, suspends and undoes without a mouse (S2.s, S4.2, S8.5, S7.3, S7.7, S8.2, R7)', async () => {
  const page = await twende.open('/riders', { signedIn: false })
  await signInByKeyboard(page)
  expect(addressOf(page)).toBe('/')

  const drivers = await activeDrivers()
  const queries = [
    (phone: string) => `0${phone.slice(3)}`,
    (phone: string) => phone,
    (phone: string) => `+${phone}`,
    (phone: string) => `+${phone.slice(0, 3)} ${phone.slice(3, 6)} ${phone.slice(6)}`,
    (phone: string) => phone.slice(4),
  ]
  for (const [index, form] of queries.entries()) {
    const driver = drivers[index]
    if (!driver) throw new Error('The demo has too few drivers.')
    await suspendByPalette(page, driver, form(driver.user.phone_number))
    await toasts(page).getByText(`${driver.user.fullname} has been suspended.`).waitFor()
    expect(await isSuspended(driver)).toBe(true)
    expect(await page.getByRole('dialog').count()).toBe(0)

    await press(page, 'Control+z')
    await toasts(page).getByText(`${driver.user.fullname} has been unsuspended.`).waitFor()
    expect(await isSuspended(driver)).toBe(false)
  }
})

test('the focus is back on the row it left, and the toast’s Undo is reached by keyboard (S2.u.4, S8.2, R7)', async () => {
  const page = await twende.open('/riders')
  const drivers = await activeDrivers()
  const driver = drivers[12]
  if (!driver) throw new Error('The demo has too few drivers.')
  await page.getByRole('grid').waitFor()
  await press(page, 'j', 'j', 'j', 'ArrowRight')
  const before = await focused(page)
  expect(before).not.toBe('')

  await suspendByPalette(page, driver, driver.user.fullname)
  await toasts(page).getByText(`${driver.user.fullname} has been suspended.`).waitFor()
  expect(await focused(page)).toBe(before)
  expect(await isSuspended(driver)).toBe(true)

  await press(page, 'Alt+t', 'Tab', 'Tab')
  expect(await focused(page)).toBe('Undo')
  await press(page, 'Enter')
  await toasts(page).getByText(`${driver.user.fullname} has been unsuspended.`).waitFor()
  expect(await isSuspended(driver)).toBe(false)
  await expect.poll(() => focused(page)).toBe(before)
})

test('staff with a mouse does the same from sidebar, search form and row (S2.b.2, S2.d.3, S2.u.1, S8.2, R7)', async () => {
  const page = await twende.open('/')
  const driver = (await activeDrivers())[20]
  if (!driver) throw new Error('The demo has too few drivers.')
  const { fullname } = driver.user
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Drivers' }).click()
  await page.getByPlaceholder('Search driver by name...').fill(fullname)
  await page.keyboard.press('Enter')
  await expect.poll(() => addressOf(page)).toBe(`/riders?s=${fullname.replace(' ', '+')}`)
  const row = page.getByRole('row').filter({ hasText: String(driver.id) })
  await row.getByRole('button', { name: `Suspend ${fullname}` }).click()
  await toasts(page).getByText(`${fullname} has been suspended.`).waitFor()
  await row.getByRole('button', { name: `Unsuspend ${fullname}` }).waitFor()
  expect(await isSuspended(driver)).toBe(true)

  await toasts(page).getByRole('button', { name: 'Undo' }).click()
  await toasts(page).getByText(`${fullname} has been unsuspended.`).waitFor()
  await row.getByRole('button', { name: `Suspend ${fullname}` }).waitFor()
  expect(await isSuspended(driver)).toBe(false)
})
