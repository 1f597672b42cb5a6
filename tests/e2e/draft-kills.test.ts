import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { press, useConsole } from '../support/console.ts'
import { seeded } from '../support/random.ts'
import { repeats } from '../support/soak.ts'

const twende = useConsole()

/** Kills per form. */
const kills = repeats(2, 25)
/** Every kill whose number is a multiple of this ends the whole browser; the others crash only the page. */
const browserKill = repeats(2, 8)

let folder = ''
let profile: BrowserContext | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'twende-drafts-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Fills in a field other than by typing; resolves to the value that the field must show from then on. */
type Answer = (dialog: Locator, label: string, random: () => number) => Promise<string>

interface FormCase {
  name: string
  path: string
  /** The keys that open the form from the loaded list. */
  keys: string[]
  typed: string[]
  answered: Record<string, Answer>
}

const coupon = { path: '/coupons', typed: ['Code', 'Amount'], answered: { 'Expiry date': pickDate } }
const promo = {
  path: '/promos',
  typed: ['Code', 'Title', 'Description', 'Amount'],
  answered: { 'Expiry date': pickDate, Type: select },
}
const blog = {
  path: '/blogs',
  typed: ['Title', 'Sub title', 'Content'],
  answered: { 'Cover image': pickImage },
}
const attraction = {
  path: '/attractions',
  typed: ['Name', 'Description'],
  answered: { Location: choosePlace, 'Cover photo': pickImage },
}
const create = { keys: ['n'] }
const edit = { keys: ['j', 'e'] }
const cases: FormCase[] = [
  { name: 'Create coupon', ...coupon, ...create },
  { name: 'Edit coupon', ...coupon, ...edit },
  {
    name: 'Create promo code',
    ...promo,
    answered: { ...promo.answered, User: chooseCustomer },
    ...create,
  },
  { name: 'Edit promo code', ...promo, ...edit },
  { name: 'Create Blog', ...blog, ...create },
  { name: 'Edit Blog', ...blog, ...edit },
  { name: 'Add attraction', ...attraction, ...create },
  { name: 'Edit attraction', ...attraction, ...edit },
]

test.each(cases)(
  '$name: after kills at random moments the reopened form has every letter, choice and picture (R2)',
  async ({ name, path, keys, typed, answered }) => {
    profile = undefined
    const random = seeded(cases.findIndex((one) => one.name === name))
    /** By label, the values that the field may have: the letters typed during a kill may be missing. */
    const expected = new Map<string, string[]>()
    for (let kill = 1; kill <= kills; kill++) {
      const { page, dialog } = await reopen(path, keys, name)
      for (const label of typed) if (!expected.has(label)) expected.set(label, [await valueOf(dialog, label)])
      for (const [label, allowed] of expected) await expectValue(dialog, label, allowed)

      const answers = Object.entries(answered)
      const [answeredLabel, answer] = answers[Math.floor(random() * answers.length * 2)] ?? []
      if (answeredLabel && answer) expected.set(answeredLabel, [await answer(dialog, answeredLabel, random)])

      const label = typed[Math.floor(random() * typed.length)] ?? ''
      const field = dialog.getByLabel(label, { exact: true })
      await field.focus()
      await press(page, 'Control+End', ...letters(label, Math.floor(random() * 7), random))
      const handled = await field.inputValue()
      const cutOff = letters(label, 2, random)
      expected.set(
        label,
        [0, 1, 2].map((length) => handled + cutOff.slice(0, length).join('')),
      )
      await (kill % browserKill === 0 ? killBrowser(page, cutOff) : killPage(page, cutOff))
    }
    const { dialog } = await reopen(path, keys, name)
    for (const [label, allowed] of expected) await expectValue(dialog, label, allowed)
  },
  300_000,
)

async function reopen(path: string, keys: string[], name: string) {
  profile ??= await twende.openProfile(join(folder, 'profile'))
  const page = await profile.newPage()
  await page.goto(`${twende.url}${path}?size=25`)
  await page
    .getByRole('button', { name: /^Delete/ })
    .first()
    .waitFor()
  await press(page, ...keys)
  const dialog = page.getByRole('dialog', { name })
  await dialog.waitFor()
  return { page, dialog }
}

/** Crashes the page while key presses are still being sent to it. */
async function killPage(page: Page, cutOff: string[]): Promise<void> {
  const died = new Promise((resolve) => page.once('crash', resolve))
  const session = await page.context().newCDPSession(page)
  const pressed = cutOff.map((key) => page.keyboard.press(key))
  // Not awaited: a crashed page does not answer these calls.
  void Promise.allSettled([...pressed, session.send('Page.crash')])
  await died
}

/** Kills the whole browser after all earlier drafts are on disk, while the last letters are still being saved. */
async function killBrowser(page: Page, cutOff: string[]): Promise<void> {
  const browser = page.context().browser()
  const session = await browser?.newBrowserCDPSession()
  const processes = await session?.send('SystemInfo.getProcessInfo')
  const main = processes?.processInfo.find(({ type }) => type === 'browser')
  if (!main) throw new Error('The browser lists no main process.')
  const ended = new Promise((resolve) => browser?.once('disconnected', resolve))
  await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('oms')
        opening.onerror = reject
        opening.onsuccess = () => {
          // This read is answered only after every write that was started before it.
          const reading = opening.result.transaction('drafts').objectStore('drafts').count()
          reading.onsuccess = resolve
          reading.onerror = reject
        }
      }),
  )
  await press(page, ...cutOff)
  process.kill(main.id, 'SIGKILL')
  await ended
  profile = undefined
}

const isPicture = (label: string) => label.startsWith('Cover')

/** The visible value of a field; for a picture its width in pixels, by which the test tells pictures apart. */
async function valueOf(dialog: Locator, label: string): Promise<string> {
  if (label === 'User') return dialog.getByRole('button', { name: /^User/ }).innerText()
  if (!isPicture(label)) return dialog.getByLabel(label, { exact: true }).inputValue()
  const widths = await dialog
    .getByAltText(/^Preview/)
    .evaluateAll((found) =>
      found.map((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0)),
    )
  return widths.join()
}

const expectValue = (dialog: Locator, label: string, allowed: string[]) =>
  expect.poll(() => valueOf(dialog, label), { message: label }).toBeOneOf(allowed)

const letters = (label: string, length: number, random: () => number): string[] =>
  Array.from({ length }, () => {
    const from = label === 'Amount' ? '123456789' : 'abcdefghijklmnopqrstuvwxyz0123456789'
    return from[Math.floor(random() * from.length)] ?? ''
  })

async function pickDate(dialog: Locator, label: string, random: () => number): Promise<string> {
  const date = `2027-0${1 + Math.floor(random() * 9)}-1${Math.floor(random() * 10)}`
  await dialog.getByLabel(label).fill(date)
  return date
}

async function select(dialog: Locator, label: string, random: () => number): Promise<string> {
  const option = random() < 0.5 ? 'Internal' : 'External'
  await dialog.getByLabel(label, { exact: true }).selectOption(option)
  return option
}

async function chooseOption(dialog: Locator, random: () => number): Promise<void> {
  const option = dialog.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').first()
  await option.waitFor()
  const downs = Array.from({ length: Math.floor(random() * 4) }, () => 'ArrowDown')
  await press(dialog.page(), ...downs, 'Enter')
  await option.waitFor({ state: 'hidden' })
}

async function choosePlace(dialog: Locator, label: string, random: () => number): Promise<string> {
  const queries = ['karu', 'hotel', 'museum', 'national park']
  await dialog.getByLabel(label).fill(queries[Math.floor(random() * queries.length)] ?? '')
  await chooseOption(dialog, random)
  return valueOf(dialog, label)
}

async function chooseCustomer(dialog: Locator, label: string, random: () => number): Promise<string> {
  await dialog.getByRole('button', { name: /^User/ }).click()
  await chooseOption(dialog, random)
  return valueOf(dialog, label)
}

/** Picks a new image file of a random width, and waits until its preview is shown. */
async function pickImage(dialog: Locator, label: string, random: () => number): Promise<string> {
  const width = 100 + Math.floor(random() * 10_000)
  const file = join(folder, `${width}.gif`)
  const pixel = Buffer.from('47494638396101000100800000000000ffffff2c00000000010001000002024401003b', 'hex')
  pixel.writeUInt16LE(width, 6)
  await writeFile(file, Buffer.concat([pixel, Buffer.alloc(300_000)]))
  await dialog.getByLabel(label).setInputFiles(file)
  await expectValue(dialog, label, [String(width)])
  return String(width)
}
