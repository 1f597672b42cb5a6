import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { afterEach, describe, expect, test } from 'vitest'
import { Attraction, Blog, Page as PageOf } from '../../src/api/contract.ts'
import { addressOf, press, reload, staff, toasts, useConsole } from '../support/console.ts'
import type { Fault, FaultProxy } from '../support/fault-proxy.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { png } from '../support/storage.ts'

declare global {
  interface Window {
    noteWord: (word: string) => Promise<void>
  }
}

// Registered before the hook of `useConsole`, so it runs after it: the pages that use the proxy are closed by then.
let proxy: FaultProxy | undefined
afterEach(async () => {
  await proxy?.close()
  proxy = undefined
})

const twende = useConsole(undefined, { OMS_UPLOAD_LIMIT: '41 MiB' })
/** The browser's messages for a request that gets no answer. */
const broken = /ERR_(CONNECTION_(RESET|REFUSED)|EMPTY_RESPONSE|FAILED|INTERNET_DISCONNECTED|ABORTED)/
const large = 40_000_000

/** Writes a file to pick; its content differs from that of every other file. */
function pictureOf(size: number, name = 'giraffe.png') {
  const path = join(twende.dataFolder, name)
  writeFileSync(path, png(size))
  return { path, bytes: readFileSync(path) }
}

const dialog = (page: Page) => page.getByRole('dialog')
const footer = (page: Page) => dialog(page).locator('footer')
const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
const progress = (page: Page) => page.getByRole('progressbar')
/** The number of bytes sent, by the progress bar of the picker. */
const sent = async (page: Page, size: number) => Number(await progress(page).getAttribute('value')) * size

async function openBlog(page: Page, url = twende.url): Promise<void> {
  await page.goto(`${url}/blogs`)
  await page.getByRole('button', { name: 'Create Blog' }).click()
}

/** Opens the blog form behind a proxy with these faults. */
async function openBehind(faultOf: Parameters<typeof startFaultProxy>[1]): Promise<Page> {
  proxy = await startFaultProxy(twende.url, faultOf)
  const page = await twende.open('/favicon.svg')
  await openBlog(page, proxy.url)
  return page
}

async function newestBlog(): Promise<Static<typeof Blog>> {
  const { results } = await twende.read('blogs-adm/', PageOf(Blog))
  const [blog] = results
  if (!blog) throw new Error('There is no blog.')
  return blog
}

async function bytesAt(address: string): Promise<Buffer> {
  const response = await fetch(new URL(address, twende.url))
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

const objectAddress = (folder: string, name: string) =>
  new RegExp(`^/v0/b/oms/o/${folder}%2F[0-9a-f-]{36}-${name}\\?alt=media&token=[\\w-]+$`)

async function storedNames(prefix: string): Promise<string[]> {
  const response = await fetch(`${twende.url}/v0/b/oms/o?prefix=${encodeURIComponent(prefix)}`, {
    headers: { authorization: `Firebase ${await twende.newToken()}` },
  })
  const json: unknown = await response.json()
  const { items } = Value.Parse(
    Type.Object({ items: Type.Array(Type.Object({ name: Type.String() })) }),
    json,
  )
  return items.map(({ name }) => name)
}

describe('a blog’s image', () => {
  test('of 40 MB is uploaded in chunks with exact progress, and downloads byte for byte the same (S2.o.5, S7.37, S9.13)', async () => {
    const held = Promise.withResolvers<undefined>()
    const reached = Promise.withResolvers<undefined>()
    const page = await openBehind(async (_command, nth) => {
      if (nth !== 4) return undefined
      reached.resolve(undefined)
      return held.promise
    })
    const { path, bytes } = pictureOf(large)
    await dialog(page).getByLabel('Title', { exact: true }).fill('Forty')
    const before = await footer(page).boundingBox()
    await page.getByLabel('Cover image').setInputFiles(path)
    await reached.promise
    // The proxy has received the whole third chunk and has not answered it yet.
    const thirdEnd = (1 + 2 + 4) * 256 * 1024
    await expect.poll(() => sent(page, large)).toBeCloseTo(thirdEnd, 3)
    expect(await dialog(page).textContent()).toContain('4% of 40 MB')
    expect(await footer(page).isVisible()).toBe(false)
    expect((await footer(page).boundingBox())?.height).toBe(before?.height)
    held.resolve(undefined)
    await page.getByAltText('Preview', { exact: true }).waitFor()
    expect(proxy?.commands.slice(0, 4)).toEqual(['start', 'upload 0', 'upload 262144', 'upload 786432'])
    expect(proxy?.commands.at(-1)).toBe('upload, finalize 33292288')
    await button(page, 'Continue').click()
    await dialog(page).waitFor({ state: 'detached' })
    const blog = await newestBlog()
    expect(blog.title).toBe('Forty')
    expect(blog.image).toMatch(objectAddress('uploads', 'giraffe.png'))
    expect((await bytesAt(blog.image)).equals(bytes)).toBe(true)
  })

  const size = 3_000_000
  const faults: [name: string, fault: (nth: number) => Fault | undefined | Promise<Fault | undefined>][] = [
    ['a 503 on a chunk', (nth) => (nth === 3 ? { answer: 503 } : undefined)],
    ['a reset in the middle of a chunk', (nth) => (nth === 3 ? { cutAfter: 100_000 } : undefined)],
    ['a chunk’s reply lost', (nth) => (nth === 3 ? 'lose the answer' : undefined)],
    ['the last reply lost', (nth) => (nth === 5 ? 'lose the answer' : undefined)],
    ['the last reply replaced by a 502', (nth) => (nth === 5 ? { answerInstead: 502 } : undefined)],
    [
      'the server restarted',
      async (nth) => {
        if (nth !== 4) return undefined
        await twende.killServer()
        await twende.startServer()
        return { answer: 503 }
      },
    ],
  ]
  test.each(faults)(
    'is stored once and byte for byte after %s, without help (S8.14, S9.13)',
    async (name, fault) => {
      if (/50\d|restarted/.test(name)) twende.expectTrouble(/status of 50\d/)
      const { path, bytes } = pictureOf(size, `${name.replaceAll(/\W/g, '')}.png`)
      const page = await openBehind((_command, nth) => fault(nth))
      await page.getByLabel('Cover image').setInputFiles(path)
      await page.getByAltText('Preview', { exact: true }).waitFor({ timeout: 60_000 })
      await button(page, 'Continue').click()
      await dialog(page).waitFor({ state: 'detached' })
      expect((await bytesAt((await newestBlog()).image)).equals(bytes)).toBe(true)
      // The SDK sends a chunk again, or first queries how many bytes the server has received.
      const [, ...commands] = proxy?.commands ?? []
      expect(
        new Set(commands).size < commands.length || commands.some((one) => one.startsWith('query')),
      ).toBe(true)
      const names = await storedNames('uploads/')
      expect(names.filter((one) => path.endsWith(one.slice('uploads/'.length + 37)))).toHaveLength(1)
      expect(await toasts(page).count()).toBe(0)
    },
  )

  test('can be cancelled during the upload: nothing is stored, and another image can be picked (S2.o.5)', async () => {
    const held = Promise.withResolvers<undefined>()
    const reached = Promise.withResolvers<undefined>()
    const page = await openBehind((_command, nth) => {
      if (nth !== 3) return undefined
      reached.resolve(undefined)
      return held.promise
    })
    const { path } = pictureOf(size, 'called-off.png')
    await page.getByLabel('Cover image').setInputFiles(path)
    await reached.promise
    await button(page, 'Cancel').press('Enter')
    await page.getByAltText('Preview of called-off.png').waitFor({ state: 'detached' })
    await expect
      .poll(() => page.getByLabel('Cover image').evaluate((one) => one.matches(':focus')))
      .toBe(true)
    expect(await footer(page).isVisible()).toBe(true)
    held.resolve(undefined)
    await page.getByLabel('Cover image').setInputFiles(pictureOf(1000, 'small.png').path)
    await page.getByAltText('Preview', { exact: true }).waitFor()
    expect((await storedNames('uploads/')).filter((name) => name.endsWith('called-off.png'))).toEqual([])
  })

  test('says that it waits for the network, offers Cancel, and continues when the network is back (S9.13)', async () => {
    twende.expectTrouble(broken)
    const page = await openBehind(async (_command, nth) => {
      if (nth === 3) await page.context().setOffline(true)
      return undefined
    })
    const { path, bytes } = pictureOf(size, 'offline.png')
    await page.getByLabel('Cover image').setInputFiles(path)
    await page.getByText('Waiting for the network…').waitFor()
    expect(await button(page, 'Cancel').isVisible()).toBe(true)
    expect(await toasts(page).count()).toBe(0)
    await page.context().setOffline(false)
    await page.getByAltText('Preview', { exact: true }).waitFor({ timeout: 60_000 })
    await button(page, 'Continue').click()
    await dialog(page).waitFor({ state: 'detached' })
    expect((await bytesAt((await newestBlog()).image)).equals(bytes)).toBe(true)
  })

  test('that is too large or of a refused type shows a message in the picker and a code in the activity (S5.3, S8.11, S8.14)', async () => {
    twende.expectTrouble(/status of 413/, /status of 415/)
    const page = await twende.open('/favicon.svg')
    await openBlog(page)
    const note = (text: string) => dialog(page).getByRole('status').filter({ hasText: text })
    await page.getByLabel('Cover image').setInputFiles(pictureOf(44_000_000, 'huge.png').path)
    await note('huge.png is too large to be stored: 44 MB').waitFor()
    await page.getByLabel('Cover image').setInputFiles({
      name: 'vector.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    })
    await note('vector.svg is no picture that can be stored').waitFor()
    expect(await button(page, 'Retry upload of vector.svg').isVisible()).toBe(true)
    expect(await toasts(page).count()).toBe(0)
    await press(page, 'Escape', 'g', 'y')
    await dialog(page).getByRole('listitem').nth(1).waitFor()
    expect(await dialog(page).getByRole('listitem').allTextContents()).toEqual([
      expect.stringContaining('storage/unknown 415'),
      expect.stringContaining('storage/unknown 413'),
    ])
  })

  test('stays picked after a reload during its upload, and Retry uploads it again (R2)', async () => {
    const held = Promise.withResolvers<undefined>()
    const page = await openBehind((_command, nth) => (nth === 3 ? held.promise : undefined))
    const { path, bytes } = pictureOf(size, 'reloaded.png')
    await dialog(page).getByLabel('Title', { exact: true }).fill('Reloaded')
    await page.getByLabel('Cover image').setInputFiles(path)
    await expect.poll(() => sent(page, size)).toBeGreaterThan(0)
    await reload(page)
    held.resolve(undefined)
    await page.getByRole('button', { name: 'Create Blog' }).click()
    await page.getByAltText('Preview of reloaded.png').waitFor()
    expect(await dialog(page).getByLabel('Title', { exact: true }).inputValue()).toBe('Reloaded')
    await button(page, 'Retry upload of reloaded.png').press('Enter')
    await page.getByAltText('Preview', { exact: true }).waitFor()
    await button(page, 'Continue').click()
    await dialog(page).waitFor({ state: 'detached' })
    expect((await bytesAt((await newestBlog()).image)).equals(bytes)).toBe(true)
  })

  test('stays picked after its tab is closed, and Continue uploads it (R2)', async () => {
    const page = await openBehind((_command, nth) => (nth === 2 ? { answer: 403 } : undefined))
    twende.expectTrouble(/status of 403/)
    const { path, bytes } = pictureOf(size, 'crashed.png')
    await page.getByLabel('Cover image').setInputFiles(path)
    await button(page, 'Retry upload of crashed.png').waitFor()
    const other = await page.context().newPage()
    await openBlog(other, proxy?.url)
    await page.close()
    await reload(other)
    await other.getByRole('button', { name: 'Create Blog' }).click()
    await other.getByAltText('Preview of crashed.png').waitFor()
    await button(other, 'Continue').click()
    await dialog(other).waitFor({ state: 'detached' })
    expect((await bytesAt((await newestBlog()).image)).equals(bytes)).toBe(true)
  })

  test('whose upload meets an ended session leads to the login and stays in the draft (reliability 25)', async () => {
    twende.expectTrouble(/status of 401/)
    const token = await twende.newToken()
    const page = await twende.open('/favicon.svg', { token })
    const views = page.waitForResponse('**/oms/views/')
    await openBlog(page)
    // Asked for after the list; the ended session is to be met by the upload.
    await views
    await page
      .getByAltText(/Cover|No cover/)
      .first()
      .waitFor({ state: 'attached' })
    await twende.post('logout/', token)
    await page.getByLabel('Cover image').setInputFiles(pictureOf(1000, 'late.png').path)
    await page.getByLabel('Password').waitFor()
    expect(addressOf(page)).toBe('/login')
    await page.getByLabel('Email').fill(staff.email)
    await page.getByLabel('Password').fill(staff.password)
    await press(page, 'Enter')
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await page.getByRole('link', { name: 'Blogs' }).click()
    await page.getByRole('button', { name: 'Create Blog' }).click()
    await button(page, 'Retry upload of late.png').click()
    await page.getByAltText('Preview', { exact: true }).waitFor()
  })

  test('can have a very long file name with emoji, quotes, # and ? (S7.37)', async () => {
    const page = await twende.open('/favicon.svg')
    await openBlog(page)
    await page.getByLabel('Cover image').setInputFiles({
      name: `${'🦒'.repeat(60)}twiga “mrefu” #1?.png`,
      mimeType: 'image/png',
      buffer: png(1000),
    })
    await page.getByAltText('Preview', { exact: true }).waitFor()
    await button(page, 'Continue').click()
    await dialog(page).waitFor({ state: 'detached' })
    expect(await bytesAt((await newestBlog()).image)).toHaveLength(1000)
  })
})

describe('an attraction’s image', () => {
  async function fill(page: Page, name: string, picture: string): Promise<void> {
    await page.getByRole('button', { name: 'Add attraction' }).click()
    await dialog(page).getByLabel('Name').fill(name)
    await dialog(page).getByLabel('Location').fill('karura')
    await page.getByRole('dialog').getByRole('option').first().click()
    await page.getByLabel('Cover photo').setInputFiles(picture)
  }
  const named = async (name: string) => {
    const { results } = await twende.read(`attractions/all/?name=${name}`, PageOf(Attraction))
    const [attraction] = results
    if (!attraction) throw new Error(`There is no attraction ${name}.`)
    return attraction
  }

  test('is uploaded on Save, and not again after saving failed (S2.n.4, S7.37, S8.6, S8.7)', async () => {
    twende.expectTrouble(/status of 500/)
    const page = await twende.open('/attractions', { answers: true })
    const { path, bytes } = pictureOf(1_000_000, 'forest.png')
    await fill(page, 'Twice', path)
    const uploads: string[] = []
    page.on('request', (request) => {
      if (request.headers()['x-goog-upload-command'] === 'start') uploads.push(request.url())
    })
    const words: string[] = []
    await page.exposeFunction('noteWord', (word: string) => words.push(word))
    await button(page, 'Save').evaluate((save) => {
      new MutationObserver(() => void window.noteWord(save.textContent)).observe(save, {
        characterData: true,
        childList: true,
        subtree: true,
      })
    })
    await page.route('**/attraction/create/oms/', (route) => route.fulfill({ status: 500, json: {} }))
    await button(page, 'Save').click()
    await toasts(page).getByText('Error occured during upload', { exact: true }).waitFor()
    expect(words).toEqual(['Uploading image...', 'Saving...', 'Save'])
    await dialog(page).waitFor({ state: 'detached' })
    await page.unroute('**/attraction/create/oms/')
    await page.getByRole('button', { name: 'Add attraction' }).click()
    await button(page, 'Save').click()
    await toasts(page).getByText('Attraction added successfully', { exact: true }).waitFor()
    expect(uploads).toHaveLength(1)
    const { image, lat, lng } = await named('Twice')
    expect(image).toMatch(objectAddress('files', 'forest.png'))
    expect((await bytesAt(image)).equals(bytes)).toBe(true)
    expect([lat, lng].map(Number).every((one) => Number.isFinite(one) && one !== 0)).toBe(true)
    await dialog(page).waitFor({ state: 'detached' })
    const shown = page.getByAltText('Cover of Twice')
    await shown.waitFor()
    expect(await shown.getAttribute('src')).toBe(image)
  })

  test('with the file name of another image does not replace that one (S7.37)', async () => {
    const page = await twende.open('/attractions')
    const pictures: Buffer[] = []
    for (const [name, size] of [
      ['First', 5000],
      ['Second', 6000],
    ] as const) {
      const { path, bytes } = pictureOf(size, 'same.png')
      pictures.push(bytes)
      await fill(page, name, path)
      await button(page, 'Save').click()
      await dialog(page).waitFor({ state: 'detached' })
    }
    const kept = [await bytesAt((await named('First')).image), await bytesAt((await named('Second')).image)]
    expect(kept.map((bytes, at) => pictures[at]?.equals(bytes))).toEqual([true, true])
  })

  test('still loads after the data move to another folder and port (S7.37)', async () => {
    const page = await twende.open('/attractions')
    const picture = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'console.png'))
    writeFileSync(join(twende.dataFolder, 'moved.png'), picture)
    await fill(page, 'Moved', join(twende.dataFolder, 'moved.png'))
    await button(page, 'Save').click()
    await dialog(page).waitFor({ state: 'detached' })
    const port = new URL(twende.url).port
    await twende.moveServer()
    expect(new URL(twende.url).port).not.toBe(port)
    await page.goto(`${twende.url}/attractions`)
    const shown = page.getByAltText('Cover of Moved')
    await shown.waitFor()
    await expect
      .poll(() => shown.evaluate((one) => one instanceof HTMLImageElement && one.naturalWidth))
      .toBeGreaterThan(0)
  })
})

describe('the storage SDK', () => {
  test('is loaded when the first form with an image field opens, before a file is picked', async () => {
    const page = await twende.open('/favicon.svg')
    const scripts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url())
    })
    const isLoaded = () => scripts.some((url) => url.includes('/firebase-'))
    await page.goto(`${twende.url}/coupons`)
    await page.getByRole('button', { name: 'Create coupon' }).click()
    await dialog(page).waitFor()
    expect(isLoaded()).toBe(false)
    await press(page, 'Escape')
    await page.getByRole('link', { name: 'Blogs' }).click()
    await page.getByRole('button', { name: 'Create Blog' }).click()
    await expect.poll(isLoaded).toBe(true)
  })
})
