import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { staff, useConsole } from '../support/console.ts'
import { isFilled } from '../support/screens.ts'

const twende = useConsole()

const field = (page: Page) => page.getByRole('dialog').getByRole('combobox')

const columns = (page: Page) => page.getByRole('button', { name: 'Columns' })

/** Holds a file of the console's code back until `come` is called. */
function holdCode(name: string) {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const prepare = (page: Page) =>
    page.route(new RegExp(`/assets/${name}-[^/]*\\.js`), async (route) => {
      await promise
      await route.continue()
    })
  return { prepare, come: () => resolve(undefined) }
}

test('keys that are typed before the code of the palette has come are in its text field', async () => {
  const { prepare, come } = holdCode('dialogs')
  const page = await twende.open('/riders', { early: true, prepare })
  await page.getByRole('row').nth(1).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('vehix')
  await page.keyboard.press('Backspace')
  expect(await page.getByRole('dialog').count()).toBe(0)
  come()
  await field(page).waitFor()
  expect(await field(page).inputValue()).toBe('vehi')
  await page.keyboard.type('cles')
  await page.getByRole('option', { name: 'Vehicles', exact: false }).first().waitFor()
  expect(await field(page).inputValue()).toBe('vehicles')
})

test('keys for a palette whose code has not come neither press nor fill what has the focus behind it', async () => {
  const { prepare, come } = holdCode('dialogs')
  const page = await twende.open('/riders', { early: true, prepare })
  const posts: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') posts.push(request.url())
  })
  const search = page.getByRole('searchbox').first()
  const button = page.getByRole('row').nth(1).getByRole('button')
  await button.focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('dash board')
  await page.keyboard.press('Enter')
  expect(await page.getByRole('row', { selected: true }).count()).toBe(0)
  await search.focus()
  await page.keyboard.type('s')
  expect(await search.inputValue()).toBe('')
  come()
  await field(page).waitFor()
  expect(await field(page).inputValue()).toBe('dash boards')
  expect(posts).toEqual([])
})

describe('the code of the console', () => {
  const signIn = async (page: Page) => {
    await page.getByLabel('Email').fill(staff.email)
    await page.getByLabel('Password').fill(staff.password)
    await page.keyboard.press('Enter')
  }

  test('comes after the login page, which waits for it after the login', async () => {
    const { prepare, come } = holdCode('console')
    const page = await twende.open('/login', { signedIn: false, early: true, prepare })
    await signIn(page)
    await page.getByRole('button', { name: 'Sending...' }).waitFor()
    await page.getByText('Logged in successfully').waitFor()
    expect(await page.getByRole('heading', { name: 'Dashboard' }).count()).toBe(0)
    come()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    expect(await page.getByText('Logged in successfully').count()).toBe(1)
  })

  test.each(['/login', '/riders'])('that cannot be loaded at %s leaves a page that says so', async (path) => {
    twende.expectTrouble(/console-/)
    const signedIn = path !== '/login'
    const prepare = (page: Page) => page.route(/assets\/console-[^/]*\.js/, (route) => route.abort())
    const page = await twende.open(path, { signedIn, early: true, answers: true, prepare })
    if (!signedIn) await signIn(page)
    await page.getByRole('heading', { name: 'The console could not be loaded.' }).waitFor()
    await page.unroute(/assets\/console-[^/]*\.js/)
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { name: signedIn ? 'Drivers' : 'Dashboard' }).waitFor()
  })
})

/** A list whose first request for the code of the dialogs has failed, as the second one will. */
async function openFailingTwice() {
  let requests = 0
  twende.expectTrouble(/dialogs-/)
  const page = await twende.open('/riders', {
    early: true,
    prepare: (page) =>
      page.route(/assets\/dialogs-[^/]*\.js/, async (route) => {
        requests++
        if (requests < 3) await route.abort()
        else await route.continue()
      }),
  })
  await page.getByRole('row').nth(1).waitFor()
  await expect.poll(() => requests).toBeGreaterThan(0)
  return { page, requests: () => requests }
}

describe('a menu whose code has not come', () => {
  const menus = [
    ['by its key', (page: Page) => page.keyboard.press('ArrowDown')],
    ['by the pointer', (page: Page) => columns(page).click()],
  ] as const
  test.each(menus)('opens %s when it has, at the same button', async (how, open) => {
    const { prepare, come } = holdCode('dialogs')
    const page = await twende.open('/riders', { early: true, prepare })
    await page.getByRole('row').nth(1).waitFor()
    const before = await columns(page).elementHandle()
    await columns(page).focus()
    await open(page)
    expect(await page.getByRole('menu').count()).toBe(0)
    expect(await columns(page).getAttribute('aria-expanded')).toBe('false')
    come()
    await page.getByRole('menu', { name: 'Columns' }).waitFor()
    const first = page.getByRole('menuitemcheckbox').first()
    const focused = how === 'by its key' ? first : page.getByRole('menu')
    await expect.poll(() => focused.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await expect.poll(() => before.evaluate((one) => one === document.activeElement)).toBe(true)
  })

  test.each(['Escape', 'Tab'])('stays closed after %s', async (key) => {
    const { prepare, come } = holdCode('dialogs')
    const page = await twende.open('/riders', { early: true, prepare })
    await page.getByRole('row').nth(1).waitFor()
    await columns(page).press('Enter')
    await page.keyboard.press(key)
    come()
    await page.locator('html[data-dialogs]').waitFor()
    await expect.poll(() => columns(page).getAttribute('id')).not.toBeNull()
    expect(await page.getByRole('menu').count()).toBe(0)
  })

  test('and could not be loaded: a press says so, and opens it when it has come', async () => {
    const { page } = await openFailingTwice()
    await columns(page).press('Enter')
    await page.getByText('This could not be loaded. It is tried again').waitFor()
    await page.getByRole('menu', { name: 'Columns' }).waitFor()
  })
})

test('a link that has the focus before the code of its tooltip has come shows it then', async () => {
  const { prepare, come } = holdCode('dialogs')
  const page = await twende.open('/riders', { early: true, prepare, viewport: { width: 1000, height: 800 } })
  await page.getByRole('row').nth(1).waitFor()
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Trips' })
  await page.keyboard.press('Tab')
  await link.focus()
  come()
  await page.getByRole('tooltip', { name: 'Trips' }).waitFor()
  expect(await link.evaluate((one) => one === document.activeElement)).toBe(true)
  await page.keyboard.press('Tab')
  await page.getByRole('tooltip', { name: 'Bookings' }).waitFor()
  expect(await page.getByRole('tooltip').count()).toBe(1)
})

test('code that could not be loaded is asked for again, also by the key that needs it', async () => {
  const { page, requests } = await openFailingTwice()
  await page.keyboard.press('Control+k')
  await page.getByText('This could not be loaded. It is tried again').waitFor()
  await field(page).waitFor()
  expect(requests()).toBe(3)
})

test('until the virtualizer has come, a long list has first the rows that fit, and then all, in the document', async () => {
  const { prepare, come } = holdCode('windowing')
  const page = await twende.open('/riders?size=1000', {
    prepare: async (page) => {
      await prepare(page)
      await page.addInitScript(noteRowCounts)
    },
  })
  const rows = page.locator('tbody tr[data-index]')
  await expect.poll(() => rows.count()).toBe(1000)
  const counts = await page.evaluate(() => window.rowCounts)
  expect(counts[0]).toBeGreaterThan(10)
  expect(counts[0]).toBeLessThan(100)
  come()
  await expect.poll(() => rows.count()).toBeLessThan(100)
})

declare global {
  interface Window {
    /** The numbers of rows that the table has had. */
    rowCounts: number[]
    /** Whether a frame did not show that the page is loading. */
    wasHidden?: true
  }
}

/** Runs in the page. */
function noteRowCounts(): void {
  window.rowCounts = []
  new MutationObserver(() => {
    const count = document.querySelectorAll('tr[data-index]').length
    if (count > 0 && window.rowCounts.at(-1) !== count) window.rowCounts.push(count)
  }).observe(document, { childList: true, subtree: true })
}

test('a page whose script takes long says so after a moment, and later what may help, until there is something else to show', async () => {
  const { prepare, come } = holdCode('index')
  const asked = Promise.withResolvers<Page>()
  const opened = twende.open('/riders', {
    prepare: async (page) => {
      await prepare(page)
      await page.addInitScript(() => {
        const look = () => {
          const message = document.querySelector('.starting')
          if (message && getComputedStyle(message).visibility === 'hidden') window.wasHidden = true
          requestAnimationFrame(look)
        }
        look()
      })
      page.once('request', () => asked.resolve(page))
    },
  })
  const page = await asked.promise
  const message = page.getByText('Loading…')
  const advice = page.getByText('If nothing comes, reload the page.', { exact: true })
  // Before the style sheet has come, both texts count as visible.
  await page.waitForFunction(() => window.wasHidden)
  await message.waitFor()
  expect(await advice.isVisible()).toBe(false)
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.currentTime = 10_001
  })
  expect(await advice.isVisible()).toBe(true)
  come()
  await isFilled(await opened)
  expect(await message.count()).toBe(0)
})

test('config.json is loaded beside the script, once', async () => {
  const page = await twende.open('/riders')
  const loads = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('/config.json'))
      .map((entry) => (entry instanceof PerformanceResourceTiming ? entry.initiatorType : '')),
  )
  expect(loads).toEqual(['link'])
})

test.each(['/riders', '/riders?s=jo', '/riders?size=1000&ordering=-id'])(
  'the rows of %s are asked for before the code of the console has come, and once',
  async (path) => {
    const { prepare, come } = holdCode('first')
    const asked: string[] = []
    const opened = twende.open(path, {
      prepare: async (page) => {
        page.on('request', (request) => {
          if (request.url().includes('/oms/drivers/')) asked.push(request.url())
        })
        await prepare(page)
      },
    })
    await expect.poll(() => asked.length).toBe(1)
    come()
    const page = await opened
    await isFilled(page)
    expect(asked).toHaveLength(1)
  },
)

test('a link to a command loads the palette at once, not when the browser has nothing else to do', async () => {
  const page = await twende.open('/trips?cmd=driver.suspend&id=1', {
    early: true,
    prepare: (page) => page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 })),
  })
  await expect.poll(() => page.locator('[cmdk-input]').inputValue()).toBe('suspend driver #1')
})

test('a long list comes into the document with its rows, not as an empty table that is measured first', async () => {
  const page = await twende.open('/riders?size=1000', {
    prepare: (page) =>
      page.addInitScript(() => {
        // One call for each task that changes the document.
        new MutationObserver((changes) => {
          const isNew = changes.some(({ addedNodes }) =>
            [...addedNodes].some((node) => node instanceof Element && node.querySelector('[role=grid]')),
          )
          if (!isNew) return
          const later = changes.filter(
            ({ target, addedNodes }) =>
              target instanceof Element &&
              target.matches('[role=grid] tbody') &&
              [...addedNodes].some((node) => node instanceof Element && node.matches('[data-index]')),
          )
          Object.assign(window, { laterRows: later.length })
        }).observe(document, { childList: true, subtree: true })
      }),
  })
  await isFilled(page)
  expect(await page.evaluate('window.laterRows')).toBe(0)
})

test('if the script that asks for the rows early cannot be loaded, the list is there all the same', async () => {
  twende.expectTrouble(/begin-/)
  const page = await twende.open('/riders', {
    prepare: (page) => page.route(/assets\/begin-[^/]*\.js/, (route) => route.abort()),
  })
  await isFilled(page)
  expect(await page.locator('tbody tr[data-index]').count()).toBe(50)
})

/** Opens an address, and lists the calls of the page as they are made. */
async function openAndListen(path: string): Promise<{ page: Page; asked: string[] }> {
  const asked: string[] = []
  const page = await twende.open(path, {
    prepare: (page) =>
      Promise.resolve(
        page.on('request', (request) => {
          const call = /\/api\/v1\/oms\/(.*?)(\?|$)/.exec(request.url())?.[1]
          if (call !== undefined) asked.push(call)
        }),
      ),
  })
  await isFilled(page)
  await page.waitForLoadState('networkidle')
  return { page, asked }
}

const dist = join(import.meta.dirname, '../../dist')

/** The sum of the sizes of these files, compressed with gzip, in kB. */
async function sizeOf(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(dist, `${file}.gz`))).size))
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}

describe('what a screen costs', () => {
  test.each([
    ['/login', 95, false],
    ['/riders', 142.1, true],
  ])('%s needs at most %s kB of script before it is complete', async (path, most, signedIn) => {
    const scripts: string[] = []
    const page = await twende.open(path, {
      signedIn,
      early: true,
      prepare: async (page) => {
        page.on('request', (request) => {
          if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
        })
        // Code that is loaded after the first screen waits for this.
        await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }))
      },
    })
    await isFilled(page)
    await page.waitForLoadState('networkidle')
    expect(await sizeOf(scripts)).toBeLessThan(most)
  })

  test('no function of the browser is replaced to notice a change of the address', async () => {
    const page = await twende.open('/riders')
    await isFilled(page)
    expect(await page.evaluate('String(window.history.pushState)')).toContain('[native code]')
  })

  test('the style sheet has at most 11.7 kB', async () => {
    const page = await readFile(join(dist, 'index.html'), 'utf8')
    const styles = [...page.matchAll(/href="(\/assets\/[^"]+\.css)"/g)].map(([, file = '']) => file)
    expect(await sizeOf(styles)).toBeLessThan(11.7)
  })

  test('each script file but that of the first calls begins with the line that has Chromium compile its functions on another thread', async () => {
    const files = (await readdir(join(dist, 'assets'))).filter((file) => file.endsWith('.js'))
    expect(files.length).toBeGreaterThan(5)
    for (const file of files) {
      const code = await readFile(join(dist, 'assets', file), 'utf8')
      expect(code.startsWith('//# allFunctionsCalledOnLoad\n'), file).toBe(!file.startsWith('begin-'))
    }
  })

  test('code that is loaded later imports no file that is loaded later', async () => {
    // The import of a file that failed can be repeated under another address; what that file imports cannot.
    const page = await readFile(join(dist, 'index.html'), 'utf8')
    const files = (await readdir(join(dist, 'assets'))).filter((file) => file.endsWith('.js'))
    const first = files.filter((file) => page.includes(`/assets/${file}`))
    expect(first.length).toBeGreaterThan(0)
    for (const file of files) {
      const code = await readFile(join(dist, 'assets', file), 'utf8')
      const imported = [...code.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)].map(([, name]) => name)
      expect(
        imported.filter((name) => name !== undefined && !first.includes(name)),
        file,
      ).toEqual([])
    }
  })

  test.each([
    ['/', ['analytics/', 'trends/']],
    ['/riders', ['drivers/']],
    ['/riders?size=100&ordering=-id', ['drivers/']],
    ['/attractions', ['attractions/all/']],
    ['/riders/1', ['drivers/1', 'drivers/1/trips/', 'all-invoices/', 'sos-lists/']],
  ])('%s makes each of its calls once', async (path, calls) => {
    const { page, asked } = await openAndListen(path)
    expect(asked.toSorted()).toEqual(['capabilities/', 'views/', 'counts/', ...calls].toSorted())
    await page.close()
  })

  test.each(['the pointer rests on its link', 'its link gets the focus'])(
    'a screen is loaded when %s, and not again when it is opened',
    async (how) => {
      const { page, asked } = await openAndListen('/riders')
      const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Trips' })
      await (how === 'its link gets the focus' ? link.focus() : link.hover())
      await expect.poll(() => asked).toContain('trips/')
      await page.waitForLoadState('networkidle')
      await link.click()
      await page.getByRole('heading', { name: 'Trips' }).waitFor()
      await isFilled(page)
      expect(asked.filter((call) => call === 'trips/')).toHaveLength(1)
    },
  )

  test.each([50, 1000])('a page of %i rows has at most 1,500 elements', async (size) => {
    const page = await twende.open(`/riders?size=${String(size)}`)
    await isFilled(page)
    await expect.poll(() => page.locator('*').count()).toBeLessThan(1500)
  })
})

/** Notes what the page makes of Intl before its first row, in `made`. */
const watchIntl = `
  window.made = []
  for (const name of ['DateTimeFormat', 'NumberFormat', 'Segmenter', 'Collator'])
    Intl[name] = new Proxy(Intl[name], {
      construct: (target, args) => {
        if (!document.querySelector('tr[data-index]')) made.push(name)
        return new target(...args)
      },
    })`

test.each(['/riders', '/trips', '/invoices'])(
  '%s has its rows before the browser makes anything of Intl, whose first use takes 10 ms',
  async (path) => {
    const page = await twende.open(path, { prepare: (page) => page.addInitScript({ content: watchIntl }) })
    await isFilled(page)
    expect(await page.evaluate<unknown>('made')).toEqual([])
  },
)

test.each(['/trips', '/invoices'])(
  '%s shows the same dates in a browser without Temporal (S9.3)',
  async (path) => {
    const rowsIn = async (script: string) => {
      const page = await twende.open(path, { prepare: (page) => page.addInitScript({ content: script }) })
      await isFilled(page)
      const hasTemporal = await page.evaluate(() => 'Temporal' in window)
      return { hasTemporal, texts: await page.getByRole('row').allInnerTexts() }
    }
    const [usual, without] = [await rowsIn(''), await rowsIn('delete window.Temporal')]
    expect([usual.hasTemporal, without.hasTemporal]).toEqual([true, false])
    expect(usual.texts.join()).toMatch(/\d(st|nd|rd|th) [A-Z][a-z]{2} 20\d\d/)
    expect(without.texts).toEqual(usual.texts)
  },
)
