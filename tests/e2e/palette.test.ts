import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { Driver, Page as PageOf } from '../../src/api/contract.ts'
import { seeded } from '../support/random.ts'
import { repeats } from '../support/soak.ts'
import { addressOf, focused, press, reload, useConsole } from '../support/console.ts'
import { navigation } from '../support/screens.ts'

const twende = useConsole()

const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' })
const options = (page: Page) => palette(page).getByRole('option')
const marked = (page: Page) => palette(page).locator('[role=option][aria-selected=true]')
const hidden = { state: 'detached' } as const
/** Waits for all rows: those below the rows in sight are rendered later. */
const isComplete = (page: Page) =>
  expect.poll(() => palette(page).locator('[aria-busy=true]').count()).toBe(0)

async function openDrivers(): Promise<Page> {
  const page = await twende.open('/riders')
  await page.getByRole('grid').waitFor()
  return page
}

describe('the palette', () => {
  test.each(['Control+k', 'Meta+k'])(
    '%s opens and closes it, also from a text field, which then has the focus again',
    async (chord) => {
      const page = await openDrivers()
      await page.getByPlaceholder('Search driver by name...').focus()
      await page.keyboard.type('ab')
      await press(page, chord)
      await palette(page).waitFor()
      expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox')
      await press(page, chord)
      await palette(page).waitFor(hidden)
      await expect.poll(() => focused(page)).toBe('Search driver by name...')
      await press(page, chord, 'Escape')
      await palette(page).waitFor(hidden)
      await expect.poll(() => focused(page)).toBe('Search driver by name...')
      await page.keyboard.type('c')
      expect(await page.getByPlaceholder('Search driver by name...').inputValue()).toBe('abc')
    },
  )

  test('names its keys as the other keys are named on a Mac', async () => {
    const userAgent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/140.0.0.0 Safari/537.36'
    const page = await twende.open('/riders', { userAgent })
    await press(page, 'Meta+k')
    await page.keyboard.type('trips')
    await palette(page).getByText('⌘↵ new tab').waitFor()
    await palette(page).getByText('⌘⇧C copy link').waitFor()
  })

  test('Escape returns the focus to the row that had it, and a click outside closes the palette', async () => {
    const page = await openDrivers()
    await press(page, 'j', 'j', 'ArrowRight')
    const before = await focused(page)
    await press(page, 'Control+k')
    await page.keyboard.type('trips')
    await press(page, 'Escape')
    await palette(page).waitFor(hidden)
    await expect.poll(() => focused(page)).toBe(before)
    await press(page, 'Control+k')
    await page.keyboard.type('trips')
    await marked(page).getByText('Trips').waitFor()
    await page.mouse.click(20, 700)
    await palette(page).waitFor(hidden)
    expect(addressOf(page)).toBe('/riders')
  })

  test('the page behind it inherits no property that it sets, so the styles of the page stay as they are', async () => {
    const page = await openDrivers()
    await press(page, 'Control+k')
    await palette(page).waitFor()
    const valuesOn = (selector: string) =>
      page.locator(selector).evaluate((element) => {
        const style = getComputedStyle(element)
        return ['--visible-height', '--removed-body-scroll-bar-size', 'pointer-events'].map((name) =>
          style.getPropertyValue(name),
        )
      })
    expect(await valuesOn('body')).toEqual(['', '0px', 'none'])
    expect(await valuesOn('main')).toEqual(['', '', 'auto'])
    expect(await valuesOn('[role=dialog]')).toEqual(['', '', 'auto'])
    // The palette itself neither: its elements would get new styles when Radix sets a value on it after the first frame.
    await page.locator('[role=dialog]').evaluate((element: HTMLElement) => {
      element.style.pointerEvents = ''
    })
    expect(await valuesOn('[role=dialog]')).toEqual(['', '', 'auto'])
    // Its overlay takes the pointer instead.
    const link = page.getByRole('link', { name: 'Coupons', includeHidden: true })
    const { x = 0, y = 0 } = (await link.boundingBox()) ?? {}
    await page.mouse.click(x + 5, y + 5)
    await palette(page).waitFor(hidden)
    expect(addressOf(page)).toBe('/riders')
  })

  test('every screen is found by typing its name and opened by Enter (S2.b.2)', async () => {
    const page = await twende.open('/sos')
    for (const [name, path] of navigation) {
      await press(page, 'Control+k')
      await page.keyboard.type(name.toLowerCase())
      await marked(page).filter({ hasText: name }).waitFor()
      await press(page, 'Enter')
      await expect.poll(() => addressOf(page), { message: name }).toBe(path)
      await palette(page).waitFor(hidden)
    }
  })

  test('the beginning of a name finds its screen; without a match "Nothing found" is shown and Enter does nothing', async () => {
    const page = await twende.open('/')
    await press(page, 'Control+k')
    await page.keyboard.type('attrac')
    // The typed letters are an element of their own.
    await marked(page).filter({ hasText: 'Attractions' }).waitFor()
    await page.keyboard.type('zzzqqq')
    await palette(page).getByText('Nothing found').waitFor()
    expect(await options(page).count()).toBe(0)
    await press(page, 'Enter')
    expect(await palette(page).count()).toBe(1)
    expect(addressOf(page)).toBe('/')
  })

  test('at most 20 options are in the document', async () => {
    const page = await openDrivers()
    await press(page, 'j', 'Control+k')
    await isComplete(page)
    expect(await options(page).count()).toBe(16)
    for (const query of ['a', 'n', 'an', '25416', 'o']) {
      await page.locator('[cmdk-input]').fill(query)
      await isComplete(page)
      expect(await options(page).count(), query).toBeLessThanOrEqual(20)
    }
  })

  test.each(['End', 'ArrowUp'])(
    '%s goes to the last row also before the rows out of sight are rendered',
    async (key) => {
      const page = await openDrivers()
      await press(page, 'Control+k')
      await isComplete(page)
      // Both events in one task: React renders the rows out of sight in a later one.
      const wasBusy = await page.locator('[cmdk-input]').evaluate(async (input: HTMLInputElement, key) => {
        const property = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
        property?.set?.call(input, 'a')
        input.dispatchEvent(new Event('input', { bubbles: true }))
        await Promise.resolve()
        const isBusy = document.querySelector('[role=listbox]')?.getAttribute('aria-busy')
        input.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
        return isBusy
      }, key)
      expect(wasBusy).toBe('true')
      await isComplete(page)
      const count = await options(page).count()
      expect(count).toBeGreaterThan(12)
      expect(
        await options(page)
          .nth(count - 1)
          .getAttribute('aria-selected'),
      ).toBe('true')
    },
  )

  test('the highlighted row is in sight after each arrow key, End, Home and another query', async () => {
    const page = await openDrivers()
    await press(page, 'Control+k', 's')
    await isComplete(page)
    expect(await options(page).count()).toBe(20)
    const inSight = () =>
      marked(page).evaluate((row) => {
        const list = row.closest('[role=listbox]')?.getBoundingClientRect()
        const { top, bottom } = row.getBoundingClientRect()
        return list !== undefined && top >= list.top && bottom <= list.bottom
      })
    const downwards = Array.from({ length: 19 }, () => 'ArrowDown')
    for (const key of [
      ...downwards,
      'ArrowDown',
      'ArrowUp',
      'Home',
      'End',
      'ArrowUp',
      'i',
      'End',
      'Backspace',
    ]) {
      await press(page, key)
      await isComplete(page)
      await expect.poll(inSight, { message: key }).toBe(true)
    }
    const scrolled = () => page.getByRole('listbox').evaluate((list) => list.scrollTop)
    const before = await scrolled()
    // The mouse is on a row that the list cuts. To scroll would put another row under it.
    const cut = options(page).nth(10)
    const [box, list] = [await cut.boundingBox(), await page.getByRole('listbox').boundingBox()]
    if (!box || !list) throw new Error('The row is not there.')
    expect(box.y + box.height).toBeGreaterThan(list.y + list.height)
    await page.mouse.move(box.x + 50, box.y - 20)
    await page.mouse.move(box.x + 50, box.y + 4)
    await expect.poll(() => cut.getAttribute('aria-selected')).toBe('true')
    expect(await scrolled()).toBe(before)
  })

  test('a failed search shows a Retry row, never "Nothing found" (R1)', async () => {
    twende.expectTrouble(/status of 500/)
    const { results } = await twende.read('drivers/', PageOf(Driver))
    const wanted = results[7]
    const page = await twende.open('/', { answers: true })
    await page.route('**/oms/search/?*', (route) => route.fulfill({ status: 500, json: {} }))
    await press(page, 'Control+k')
    await palette(page).waitFor()
    const height = async () => (await palette(page).boundingBox())?.height
    const before = await height()
    await page.keyboard.type(wanted?.user.phone_number ?? '')
    await palette(page).getByRole('button', { name: /Retry/ }).waitFor()
    expect(await height()).toBe(before)
    expect(
      await palette(page)
        .getByText(/nothing found/i)
        .count(),
    ).toBe(0)
    await page.unroute('**/oms/search/?*')
    await press(page, 'Enter')
    await marked(page)
      .filter({ hasText: wanted?.user.fullname ?? '' })
      .waitFor()
    await press(page, 'Enter')
    await expect.poll(() => addressOf(page)).toBe(`/riders/${wanted?.id}`)
  })

  test('shows a whole option in a window of 320 x 256 px, as of a laptop with a zoom of 400% (S9.6)', async () => {
    const page = await twende.open('/', { viewport: { width: 320, height: 256 } })
    await press(page, 'Control+k')
    await marked(page).waitFor()
    const list = await palette(page).getByRole('listbox').boundingBox()
    const option = await marked(page).boundingBox()
    expect((option?.y ?? 0) + (option?.height ?? 0)).toBeLessThanOrEqual((list?.y ?? 0) + (list?.height ?? 0))
  })

  test('Ctrl+Enter opens a screen in a new tab', async () => {
    const page = await twende.open('/')
    await press(page, 'Control+k')
    await page.keyboard.type('vehicles')
    await marked(page).filter({ hasText: 'Vehicles' }).waitFor()
    const [tab] = await Promise.all([page.waitForEvent('popup'), press(page, 'Control+Enter')])
    await tab.waitForURL('**/vehicles')
    expect(new URL(page.url()).pathname).toBe('/')
  })

  test('Enter with Shift or Alt does nothing, and the arrow keys move the selection and wrap around', async () => {
    const page = await twende.open('/')
    await press(page, 'Control+k', 'Shift+Enter', 'Alt+Enter')
    expect(await palette(page).count()).toBe(1)
    await isComplete(page)
    const ids = await options(page).evaluateAll((found) => found.map((row) => row.getAttribute('data-id')))
    expect(new Set(ids).size).toBe(ids.length)
    await press(page, 'ArrowDown', 'ArrowDown')
    expect(await marked(page).getAttribute('data-id')).toBe(ids[2])
    await press(page, 'ArrowUp', 'ArrowUp', 'ArrowUp')
    expect(await marked(page).getAttribute('data-id')).toBe(ids.at(-1))
  })

  test('on the detail of a driver it offers the commands for that driver', async () => {
    const { user } = await twende.read('drivers/11', Driver)
    const page = await twende.open('/riders/11')
    await page.getByRole('heading', { name: user.fullname }).waitFor()
    await press(page, 'Control+k')
    await page.keyboard.type('suspend')
    await marked(page)
      .filter({ hasText: `uspend ${user.fullname}` })
      .waitFor()
  })

  test('. opens it with only the commands for the focused row', async () => {
    const page = await openDrivers()
    await press(page, 'j', 'j', '.')
    await palette(page).waitFor()
    await isComplete(page)
    const ids = await options(page).evaluateAll((found) => found.map((row) => row.getAttribute('data-id')))
    expect(ids.length).toBeGreaterThan(1)
    // The commands for the driver, and the lists of what belongs to the driver.
    expect(ids.every((id) => /^driver\.|^list \w+ driver:/.test(id ?? ''))).toBe(true)
  })

  test('Tab shows the commands of a found driver, and Escape returns to the typed text', async () => {
    const { user, id } = await twende.read('drivers/13', Driver)
    const page = await twende.open('/')
    await press(page, 'Control+k')
    await page.keyboard.type(user.phone_number)
    await palette(page).locator(`[data-id="driver:${id}"][aria-selected=true]`).waitFor()
    await press(page, 'Tab')
    await palette(page).getByText(`Open ${user.fullname}`).waitFor()
    await press(page, 'Escape')
    expect(await page.locator('[cmdk-input]').inputValue()).toBe(user.phone_number)
    await palette(page).locator(`[data-id="driver:${id}"][aria-selected=true]`).waitFor()
    await press(page, 'Escape')
    await palette(page).waitFor(hidden)
  })
})

describe('the palette with late and reordered answers', () => {
  interface Pressed {
    key: string
    /** The id of the option that was shown as selected when the key was pressed. */
    painted: string | null
  }

  test('runs Enter and Tab on the option that is shown as selected at that moment', async () => {
    const random = seeded(2026)
    const between = (least: number, most: number) => least + random() * (most - least)
    const { results } = await twende.read('drivers/?page_size=200', PageOf(Driver))
    const page = await twende.open('/sos', { answers: true })
    const pressed = await page.evaluateHandle(() => {
      const keys: Pressed[] = []
      const note = ({ key }: KeyboardEvent) => {
        const row = document.querySelector('[cmdk-item][aria-selected=true]')
        if (key === 'Enter' || key === 'Tab')
          keys.push({ key, painted: row?.getAttribute('data-id') ?? null })
      }
      window.addEventListener('keydown', note, { capture: true })
      return keys
    })
    await page.route('**/oms/search/?*', async (route) => {
      await page.waitForTimeout(between(0, 450))
      await route.continue().catch(() => null) // The page has aborted the request.
    })
    const posts: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') posts.push(new URL(request.url()).pathname)
    })
    let acted = 0
    for (let run = 0; run < repeats(4, 15); run++) {
      const before = (await pressed.jsonValue()).length
      const sent = posts.length
      const driver = results[Math.floor(between(0, results.length))]
      const { fullname = '', phone_number = '' } = driver?.user ?? {}
      await press(page, 'Control+k')
      for (const part of [
        fullname.slice(0, 3),
        fullname.slice(3, 6),
        phone_number.slice(0, 5),
        phone_number.slice(5, 9),
      ].slice(run % 2 ? 0 : 2, run % 2 ? 2 : 4)) {
        await page.keyboard.type(part, { delay: between(0, 60) })
        await page.waitForTimeout(between(0, 250))
        if (random() < 0.3) await press(page, 'ArrowDown')
        if (random() < 0.3) await press(page, 'Tab')
      }
      for (let tries = 0; tries < 20 && (await palette(page).count()) > 0; tries++) {
        await press(page, random() < 0.3 ? 'Tab' : 'Enter')
        await page.waitForTimeout(between(0, 150))
      }
      const keys = (await pressed.jsonValue()).slice(before)
      const chosen = keys.findLast(
        ({ key, painted }) => key === 'Tab' && painted?.startsWith('driver:'),
      )?.painted
      const entered = keys.findLast(({ key, painted }) => key === 'Enter' && painted !== null)?.painted
      const opened = /^driver:(\d+)$/.exec(entered === 'driver.open' ? (chosen ?? '') : (entered ?? ''))?.[1]
      const verb =
        entered === 'driver.suspend' ? 'suspend' : entered === 'driver.unsuspend' ? 'unfreeze' : null
      if (opened) {
        await expect.poll(() => addressOf(page)).toBe(`/riders/${opened}`)
        expect(posts.slice(sent)).toEqual([])
        acted++
      } else if (verb) {
        await expect
          .poll(() => posts.slice(sent))
          .toEqual([`/api/v1/oms/driver/${chosen?.slice(7)}/${verb}/`])
        expect(addressOf(page)).toBe('/sos')
        acted++
      } else {
        expect(posts.slice(sent)).toEqual([])
        if (entered !== undefined && (await palette(page).count()) === 0) acted++
      }
      while ((await palette(page).count()) > 0) await press(page, 'Escape')
      await press(page, 'g', 'o')
      await expect.poll(() => addressOf(page)).toBe('/sos')
    }
    expect(acted).toBeGreaterThan(repeats(1, 10))
  })
})

describe('keys', () => {
  test('g and a second key open every screen, and the g is shown until the second key', async () => {
    const page = await twende.open('/sos')
    // The page itself notes what it shows: a slow test run that looks between the keys would let the pause pass.
    await page.evaluate(() => {
      const note = () => {
        const shown = document.querySelector('[role=status][data-shown=true]')?.textContent
        if (shown) document.body.dataset['pending'] = shown
      }
      new MutationObserver(note).observe(document.body, { subtree: true, childList: true })
    })
    const pending = page.locator('[role=status][data-shown=true]')
    for (const [name, path, keys] of navigation) {
      const [first = '', second = ''] = keys.split(' ')
      await page.evaluate(() => delete document.body.dataset['pending'])
      await press(page, first, second)
      await expect.poll(() => addressOf(page), { message: name }).toBe(path)
      await pending.waitFor(hidden)
      expect(await page.evaluate(() => document.body.dataset['pending'])).toMatch(/^G/)
    }
  })

  test('a wrong second key or a timeout ends the sequence and does nothing', async () => {
    const page = await twende.open('/riders', { prepare: (before) => before.clock.install() })
    await page.getByRole('grid').waitFor()
    const pending = page.locator('[role=status][data-shown=true]')
    await press(page, 'j', 'j')
    const before = await focused(page)
    for (const wrong of ['j', '?', '/', 'r', 'x', '.']) {
      await press(page, 'g')
      await pending.waitFor()
      await press(page, wrong)
      await pending.waitFor(hidden)
    }
    expect(await focused(page)).toBe(before)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await press(page, 'g')
    await pending.waitFor()
    await page.clock.runFor(1600)
    await pending.waitFor(hidden)
    await press(page, 'h')
    expect(addressOf(page)).toBe('/riders')
  })

  test('? lists every key (WCAG 2.1.4)', async () => {
    const page = await openDrivers()
    await press(page, 'j', '?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.waitFor()
    const listed = new Map(
      await help
        .locator('dl > div')
        .evaluateAll((lines) =>
          lines.map((line): [string, string] => [
            line.querySelector('dt')?.textContent ?? '',
            [...line.querySelectorAll('kbd')].map((key) => key.textContent).join(' then '),
          ]),
        ),
    )
    for (const [name, , keys] of navigation)
      expect(listed.get(name), name).toBe(keys.toUpperCase().replace(' ', ' then '))
    const others = {
      'Open the command palette': 'Ctrl K',
      'Toggle the sidebar': 'Ctrl B',
      'Undo the last action': 'Ctrl Z',
      'Keyboard shortcuts': '?',
      'Activity of this session': 'G then Y',
      'Reload what is on screen': 'R',
      "The focused row's commands": '.',
      'Suspend the driver': 'S',
      'Unsuspend the driver': 'U',
      'Next row': 'J',
      'Previous row': 'K',
      'Open the focused row': 'Enter',
      'Search this list': '/',
      'Previous page': '[',
      'Next page': ']',
    }
    for (const [name, keys] of Object.entries(others)) expect(listed.get(name), name).toBe(keys)
    await press(page, 'Escape')
    await help.waitFor(hidden)
  })

  test('single keys never act in a text field', async () => {
    const page = await openDrivers()
    const search = page.getByPlaceholder('Search driver by name...')
    await search.focus()
    await page.keyboard.type('gdgcsu?.r[]jk')
    expect(await search.inputValue()).toBe('gdgcsu?.r[]jk')
    // In a text field Ctrl+Z is the undo of the browser.
    await press(page, 'Control+z')
    expect(addressOf(page)).toBe('/riders')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('single keys never act in a select element or behind an open dialog', async () => {
    const page = await openDrivers()
    await press(page, 'j', 'j')
    const before = await focused(page)
    await page.getByLabel('Rows per page').focus()
    await press(page, 'g', 'h')
    expect(addressOf(page)).toBe('/riders')
    await page.locator('[data-active-cell=true] a').first().focus()
    const posts: string[] = []
    page.on('request', (request) => posts.push(request.method()))
    await press(page, '?')
    await page.getByRole('dialog').waitFor()
    await press(page, 'g', 'h', 's', 'j', ']', 'g', 'y', '.')
    expect(await page.getByRole('dialog').getAttribute('aria-labelledby')).toBeTruthy()
    expect(await page.getByRole('heading', { name: 'Keyboard shortcuts' }).count()).toBe(1)
    expect(addressOf(page)).toBe('/riders')
    expect(posts.filter((method) => method === 'POST')).toEqual([])
    await press(page, 'Escape')
    await expect.poll(() => focused(page)).toBe(before)
  })

  test('no key acts with AltGr or Alt, during composition, or on repeats of a held key', async () => {
    const page = await openDrivers()
    await press(page, 'j', 'j')
    const before = await focused(page)
    await page.evaluate(() => {
      const target = document.activeElement
      const common = { bubbles: true, cancelable: true }
      for (const init of [
        { key: '?', ctrlKey: true, altKey: true, modifierAltGraph: true },
        { key: ']', modifierAltGraph: true },
        { key: '/', isComposing: true },
        { key: 'k', ctrlKey: true, isComposing: true },
        { key: 'Process' },
        { key: '?', altKey: true },
        { key: 'j', repeat: true },
        { key: 'k', ctrlKey: true, metaKey: true },
      ])
        target?.dispatchEvent(new KeyboardEvent('keydown', { ...common, ...init }))
    })
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(addressOf(page)).toBe('/riders')
    expect(await focused(page)).toBe(before)
    await page.keyboard.down('Control')
    // A second time it would close the palette.
    await page.keyboard.down('k')
    await page.keyboard.down('k')
    await page.keyboard.up('k')
    await page.keyboard.up('Control')
    await palette(page).waitFor()
  })

  test('a key is identified by the character that the keyboard layout produces, not by its position', async () => {
    const page = await openDrivers()
    // On AZERTY, "?" is Shift with the key whose code is KeyM.
    await page.evaluate(() =>
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', {
          key: '?',
          code: 'KeyM',
          shiftKey: true,
          bubbles: true,
          cancelable: true,
        }),
      ),
    )
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  })

  test('single keys can be switched off and on again, and off survives a reload (WCAG 2.1.4)', async () => {
    const page = await openDrivers()
    const choose = async (query: string, id: string) => {
      await press(page, 'Control+k')
      await page.keyboard.type(query)
      await palette(page).locator(`[data-id="${id}"][aria-selected=true]`).waitFor()
      await press(page, 'Enter')
      await palette(page).waitFor(hidden)
    }
    await choose('single-letter', 'keys.singleOff')
    await press(page, '?', 'g', 'h')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(addressOf(page)).toBe('/riders')
    await reload(page)
    await page.getByRole('grid').waitFor()
    await press(page, '?')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await choose('single-letter', 'keys.singleOn')
    await press(page, '?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  })
})

describe('on a phone, the palette', () => {
  /** What the soft keyboard of a phone takes, of 844 pixels. */
  const keyboard = 380

  async function openByTouch(): Promise<Page> {
    const page = await twende.open('/trips', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    await page.locator('[data-command="palette.open"]').tap()
    await palette(page).waitFor()
    return page
  }
  const bottom = async (page: Page) => {
    const box = await palette(page).boundingBox()
    return box ? box.y + box.height : Infinity
  }

  test.each(['that makes the page smaller', 'that covers the page'])(
    'is above a soft keyboard %s, and its last row can be reached',
    async (kind) => {
      const page = await openByTouch()
      if (kind === 'that makes the page smaller')
        await page.setViewportSize({ width: 390, height: 844 - keyboard })
      else
        await page.evaluate((height) => {
          Object.defineProperty(VisualViewport.prototype, 'height', { get: () => height })
          window.visualViewport?.dispatchEvent(new Event('resize'))
        }, 844 - keyboard)
      await expect.poll(() => bottom(page)).toBeLessThanOrEqual(844 - keyboard)
      await isComplete(page)
      const last = options(page).last()
      await last.scrollIntoViewIfNeeded()
      const box = await last.boundingBox()
      expect(box?.height).toBeGreaterThanOrEqual(44)
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(844 - keyboard)
      expect(await options(page).count()).toBeGreaterThan(8)
    },
  )

  test('finds a driver, shows the commands of the driver and drops the driver again, all by touch', async () => {
    const page = await openByTouch()
    await page.keyboard.type('tumanka')
    const row = options(page).filter({ hasText: 'Tumanka' }).first()
    await row.locator('[class*=actions]').tap()
    await expect.poll(() => options(page).allTextContents()).toContainEqual(expect.stringMatching(/uspend/))
    const chip = palette(page).getByRole('button', { name: /Tumanka/ })
    expect((await chip.boundingBox())?.height).toBeGreaterThanOrEqual(24)
    await chip.tap()
    await row.waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox')
    await row.locator('span').first().tap()
    await page.waitForURL(/\/riders\/\d+/)
  })

  test('shows the whole phone number of each person that it finds', async () => {
    const page = await openByTouch()
    await page.keyboard.type('wanjiku')
    const details = options(page).locator('[class*=detail]').filter({ hasText: '+254' })
    await details.nth(4).waitFor()
    const cut = await details.evaluateAll((all) =>
      all.filter((one) => one.scrollWidth > one.clientWidth).map(({ textContent }) => textContent),
    )
    expect(cut).toEqual([])
  })

  test('cuts a long title before the button for the commands of the record', async () => {
    const page = await openByTouch()
    await page.setViewportSize({ width: 320, height: 700 })
    await page.keyboard.type('suspend wanj')
    const rows = options(page).filter({ has: page.locator('[class*=actions]') })
    await rows.nth(2).waitFor()
    const overlapping = await rows.evaluateAll((all) =>
      all.flatMap((row) => {
        const [title, button] = ['title', 'actions'].map((name) =>
          row.querySelector(`[class*=${name}]`)?.getBoundingClientRect(),
        )
        return title && button && title.right <= button.left ? [] : [row.textContent]
      }),
    )
    expect(overlapping).toEqual([])
  })

  test('has the title of a row without further text beside the middle of its icon', async () => {
    const page = await openByTouch()
    await page.keyboard.type('>dash')
    const row = options(page).filter({ hasText: 'Dashboard' }).first()
    const middle = async (part: string) => {
      const box = await row.locator(part).first().boundingBox()
      return box ? box.y + box.height / 2 : NaN
    }
    expect(Math.abs((await middle('svg')) - (await middle('[class*=title]')))).toBeLessThan(2)
  })

  test('is closed by a touch beside it', async () => {
    const page = await openByTouch()
    await page.touchscreen.tap(195, 840)
    await palette(page).waitFor(hidden)
  })
})
