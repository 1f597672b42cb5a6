import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { press, useConsole } from '../support/console.ts'
import { seeded } from '../support/random.ts'
import { repeats } from '../support/soak.ts'

const twende = useConsole()

/** Of each form. */
const kills = repeats(3, 25)
/** Each so manyth kill ends the whole browser, the others its page. */
const browserKill = repeats(3, 8)

let folder = ''
let profile: BrowserContext | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'twende-drafts-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** How a field is answered otherwise than by typing; resolves to what it should say from then on. */
type Answer = (dialog: Locator, label: string, random: () => number) => Promise<string>

interface FormCase {
  name: string
  path: string
  /** Leads to the open form from a list that is there. */
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
  '$name: killed at random moments of filling it in, the form has every letter, choice and picture again (R2)',
  async ({ name, path, keys, typed, answered }) => {
    profile = undefined
    const random = seeded(cases.findIndex((one) => one.name === name))
    /** By label, what the field may say: the letters that a kill cut off are there or not. */
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

/** The page dies while letters are on their way to it. */
async function killPage(page: Page, cutOff: string[]): Promise<void> {
  const died = new Promise((resolve) => page.once('crash', resolve))
  const session = await page.context().newCDPSession(page)
  const pressed = cutOff.map((key) => page.keyboard.press(key))
  // A dead page answers none of them.
  void Promise.allSettled([...pressed, session.send('Page.crash')])
  await died
}

/** The whole browser dies, after it has answered for what is on disk and while it has more to put there. */
async function killBrowser(page: Page, cutOff: string[]): Promise<void> {
  const browser = page.context().browser()
  const session = await browser?.newBrowserCDPSession()
  const processes = await session?.send('SystemInfo.getProcessInfo')
  const main = processes?.processInfo.find(({ type }) => type === 'browser')
  if (!main) throw new Error('The browser has no process.')
  const ended = new Promise((resolve) => browser?.once('disconnected', resolve))
  await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('oms')
        opening.onerror = reject
        opening.onsuccess = () => {
          // Answered after every change that was begun before.
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

/** What a person sees there; of a picture its width in pixels, which tells it from others. */
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

/** A file like any other on disk. It counts as picked once it is seen to be. */
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
