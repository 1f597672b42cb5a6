import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { getDefaultStore } from 'jotai'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { settingsAtom } from '../../../src/state/settings.ts'
import { calls, callsTo, refuse, serve } from '../../support/network.ts'
import { address, renderApp } from '../../support/render-app.tsx'
import { wireCoupon, wireDriver, wirePage } from '../../support/wire.ts'

const list = 'GET drivers/'
const suspended = 'POST driver/:id/suspend/'
const unfrozen = 'POST driver/:id/unfreeze/'
const jo = wireDriver({ id: 12, name: 'Jo Kamau' })
const amina = wireDriver({ id: 7, name: 'Amina Yusuf', deleted: true })
const isExpanded = () => document.querySelector('[data-expanded]')?.getAttribute('data-expanded')

/** Opens the drivers list and waits for its rows. */
async function openDrivers(given: Record<string, unknown> = {}) {
  serve({
    [list]: wirePage([jo, amina], given),
    [suspended]: { message: 'Rider suspended' },
    [unfrozen]: { message: 'Rider is back' },
    'GET drivers/:id': jo,
    'GET drivers/:id/trips/': wirePage([]),
    'GET drivers/:id/transactions/': wirePage([]),
  })
  const { user } = renderApp({ path: '/riders' })
  await screen.findByText('Jo Kamau')
  return user
}

describe('a key sequence', () => {
  it.each([
    ['gd', '/riders'],
    ['gh', '/'],
    ['gv', '/vehicles'],
    ['ggv', '/vehicles'],
    ['gxgv', '/vehicles'],
    ['gx', '/trips'],
    ['g', '/trips'],
    ['d', '/trips'],
  ])('%s pressed at /trips leads to %s', async (keys, end) => {
    serve({ [list]: wirePage([]) })
    const { user } = renderApp({ path: '/trips' })
    await user.keyboard(keys)
    expect(address()).toBe(end)
  })

  it('shows its first key until it is complete', async () => {
    const { user } = renderApp({ path: '/trips' })
    const indicator = () => screen.getByText(/…$/, { selector: '[role=status]' })
    await user.keyboard('g')
    expect(indicator().textContent).toBe('G …')
    await user.keyboard('h')
    expect(screen.queryByText(/…$/, { selector: '[role=status]' })).toBeNull()
  })

  it('does not start with a modifier: Ctrl+G and then D does nothing', async () => {
    const { user } = renderApp({ path: '/trips' })
    await user.keyboard('{Control>}g{/Control}d')
    expect(address()).toBe('/trips')
  })

  it.each([
    ['another row gets the focus by an arrow key', '{ArrowDown}'],
    ['another row gets the focus by a click', 'click'],
  ])('that deletes begins again if %s between its keys', async (_how, way) => {
    const update = 'POST coupons/:id/update/'
    const coupons = [wireCoupon({ id: 1, code: 'ONE' }), wireCoupon({ id: 2, code: 'TWO' })]
    serve({ 'GET coupons/': wirePage(coupons), [update]: { message: 'Updated' } })
    const { user } = renderApp({ path: '/coupons' })
    const second = await screen.findByText('TWO')
    await user.keyboard('jd')
    if (way === 'click') await user.click(second)
    else await user.keyboard(way)
    await user.keyboard('d')
    expect(callsTo(update)).toEqual([])
    await user.keyboard('d')
    await waitFor(() => expect(callsTo(update)).toHaveLength(1))
  })

  describe('over time', () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    })
    afterEach(() => {
      vi.useRealTimers()
    })
    const press = (key: string) => fireEvent.keyDown(document.body, { key, code: key })
    const pass = (milliseconds: number) => {
      act(() => {
        vi.advanceTimersByTime(milliseconds)
      })
    }

    it('waits 1.5 s for the next key', () => {
      renderApp({ path: '/trips' })
      press('g')
      pass(1499)
      press('v')
      expect(address()).toBe('/vehicles')
    })

    it('ends after 1.5 s without another key', () => {
      renderApp({ path: '/trips' })
      press('g')
      pass(1500)
      expect(screen.queryByText(/…$/, { selector: '[role=status]' })).toBeNull()
      press('v')
      expect(address()).toBe('/trips')
    })

    it('waits 1.5 s again when it is started again', () => {
      renderApp({ path: '/trips' })
      press('g')
      pass(1000)
      press('g')
      pass(1000)
      press('v')
      expect(address()).toBe('/vehicles')
    })

    it('is not continued by the repeats of a held key', () => {
      renderApp({ path: '/trips' })
      press('g')
      fireEvent.keyDown(document.body, { key: 'v', code: 'KeyV', repeat: true })
      expect(address()).toBe('/trips')
    })
  })
})

describe('a key', () => {
  it("prevents the browser's own action only if a command uses the key", () => {
    renderApp({ path: '/trips' })
    const passes = (key: string, more = {}) => fireEvent.keyDown(document.body, { key, code: key, ...more })
    expect(passes('b', { ctrlKey: true })).toBe(false)
    expect(passes('?', { shiftKey: true })).toBe(false)
    expect(passes('p', { ctrlKey: true })).toBe(true)
    expect(passes('F5')).toBe(true)
    expect(passes('q')).toBe(true)
    expect(passes('j')).toBe(true)
  })

  it('is ignored if another handler prevented its default action', () => {
    renderApp({ path: '/trips' })
    const use = (event: Event) => event.preventDefault()
    document.body.addEventListener('keydown', use)
    fireEvent.keyDown(document.body, { key: 'b', code: 'KeyB', ctrlKey: true })
    document.body.removeEventListener('keydown', use)
    expect(isExpanded()).toBe('true')
  })

  it('does nothing before login', async () => {
    const { user } = renderApp({ path: '/login', staff: null })
    await screen.findByRole('heading', { name: 'Sign in' })
    await user.keyboard('{Control>}b{/Control}?gd')
    expect(address()).toBe('/login')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('in a text field types text and runs no command', async () => {
    const user = await openDrivers()
    await user.click(screen.getByRole('searchbox'))
    await user.keyboard('gh s?/r')
    expect(address()).toBe('/riders')
    expect(screen.getByRole('searchbox')).toHaveProperty('value', 'gh s?/r')
    expect(callsTo(suspended)).toHaveLength(0)
  })

  it('that is held after its command types nothing into the field that has the focus then', async () => {
    await openDrivers()
    const slash = { key: '/', code: 'Slash' }
    fireEvent.keyDown(document.body, slash)
    const field = screen.getByRole('searchbox')
    expect(document.activeElement).toBe(field)
    expect(fireEvent.keyDown(field, { ...slash, repeat: true })).toBe(false)
    // Pressed again, it is typed, and so are its repeats.
    expect(fireEvent.keyDown(field, slash)).toBe(true)
    expect(fireEvent.keyDown(field, { ...slash, repeat: true })).toBe(true)
  })

  it('pressed with AltGr types a character and is no shortcut', () => {
    renderApp({ path: '/trips' })
    fireEvent.keyDown(document.body, { key: '?', code: 'Minus', modifierAltGraph: true })
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('a key of an input method (IME)', () => {
  const composed = { isComposing: true, keyCode: 229 }

  it.each(['Escape', 'ArrowDown'])('%s stays in the search box and keeps its text', async (key) => {
    const user = await openDrivers()
    await user.click(screen.getByRole('searchbox'))
    await user.keyboard('か')
    expect(fireEvent.keyDown(screen.getByRole('searchbox'), { key, code: key, ...composed })).toBe(true)
    expect(document.activeElement).toBe(screen.getByRole('searchbox'))
    expect(screen.getByRole('searchbox')).toHaveProperty('value', 'か')
  })

  it.each([
    ['help', '?'],
    ['form', 'n'],
  ])('Escape leaves the %s open', async (_what, key) => {
    serve({ 'GET coupons/': wirePage([wireCoupon({ id: 1, code: 'ONE' })]) })
    const { user } = renderApp({ path: '/coupons' })
    await screen.findByText('ONE')
    await user.keyboard(key)
    const dialog = await screen.findByRole('dialog')
    fireEvent.keyDown(document.activeElement ?? dialog, { key: 'Escape', code: 'Escape', ...composed })
    expect(screen.getByRole('dialog')).toBe(dialog)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('Ctrl or Cmd and B (S2.b.4)', () => {
  it('toggles the sidebar, inside text fields too', async () => {
    const user = await openDrivers()
    expect(isExpanded()).toBe('true')
    await user.keyboard('{Control>}b{/Control}')
    expect(isExpanded()).toBe('false')
    await user.click(screen.getByRole('searchbox'))
    await user.keyboard('{Meta>}b{/Meta}')
    expect(isExpanded()).toBe('true')
  })

  it('toggles the sidebar while a dialog is open, and leaves the dialog open', async () => {
    const { user } = renderApp({ path: '/trips' })
    await user.keyboard('?')
    await screen.findByRole('dialog')
    await user.keyboard('{Control>}b{/Control}')
    expect(isExpanded()).toBe('false')
    expect(screen.getByRole('dialog')).toBeTruthy()
  })
})

describe('while a dialog is open', () => {
  it('the keys of the screen behind it do nothing', async () => {
    const user = await openDrivers()
    await user.keyboard('j?')
    await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
    await user.keyboard('sjrgh]')
    expect(address()).toBe('/riders')
    expect(callsTo(suspended)).toHaveLength(0)
    expect(callsTo(list)).toHaveLength(1)
  })

  it('Ctrl+K closes it and opens the palette', async () => {
    const { user } = renderApp({ path: '/trips' })
    await user.keyboard('?')
    await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
    await user.keyboard('{Control>}k{/Control}')
    expect(await screen.findByRole('dialog', { name: 'Command palette' })).toBeTruthy()
    expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeNull()
  })

  it('Escape closes it and returns the focus', async () => {
    const user = await openDrivers()
    await user.keyboard('j')
    const before = document.activeElement
    await user.keyboard('?')
    await screen.findByRole('dialog')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(before)
  })
})

describe('single-letter keys', () => {
  it('can be switched off, and on again, from the palette (WCAG 2.1.4)', async () => {
    const { user } = renderApp({ path: '/trips' })
    await user.keyboard('{Control>}k{/Control}single{Enter}')
    expect(getDefaultStore().get(settingsAtom).singleKeys).toBe(false)
    await user.keyboard('?gh')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(address()).toBe('/trips')
    await user.keyboard('{Control>}k{/Control}single{Enter}')
    await user.keyboard('gh')
    expect(address()).toBe('/')
  })
})

describe('in a list', () => {
  it('no key acts on a driver before a row has the focus', async () => {
    const user = await openDrivers()
    await user.keyboard('su.')
    expect(calls.some(({ method }) => method === 'POST')).toBe(false)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('s suspends and u unsuspends the focused driver (S4.3, S7.7, S7.8)', async () => {
    const user = await openDrivers()
    await user.keyboard('js')
    expect(await screen.findByText('Rider suspended')).toBeTruthy()
    await user.keyboard('ju')
    expect(await screen.findByText('Rider is back')).toBeTruthy()
    expect(callsTo(suspended).map(({ path }) => path)).toEqual(['driver/12/suspend/'])
    expect(callsTo(unfrozen).map(({ path }) => path)).toEqual(['driver/7/unfreeze/'])
  })

  it('s on a suspended driver and u on an active one do nothing', async () => {
    const user = await openDrivers()
    await user.keyboard('jujs')
    expect(calls.some(({ method }) => method === 'POST')).toBe(false)
  })

  it('s while its request runs is ignored (R8)', async () => {
    const user = await openDrivers()
    serve({ [suspended]: () => new Promise(() => undefined) })
    await user.keyboard('jsss')
    await waitFor(() => expect(callsTo(suspended)).toHaveLength(1))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(callsTo(suspended)).toHaveLength(1)
  })

  it('Ctrl+Z undoes the last action, but not inside a text field (R7)', async () => {
    const user = await openDrivers()
    await user.keyboard('js')
    await screen.findByText('Rider suspended')
    await user.click(screen.getByRole('searchbox'))
    await user.keyboard('{Control>}z{/Control}')
    expect(callsTo(unfrozen)).toHaveLength(0)
    act(() => {
      screen.getByRole('searchbox').blur()
    })
    await user.keyboard('{Control>}z{/Control}')
    expect(await screen.findByText('Rider is back')).toBeTruthy()
    expect(callsTo(unfrozen).map(({ path }) => path)).toEqual(['driver/12/unfreeze/'])
  })

  it('a slash focuses the search box and types no slash', async () => {
    const user = await openDrivers()
    await user.keyboard('/')
    expect(document.activeElement).toBe(screen.getByRole('searchbox'))
    expect(screen.getByRole('searchbox')).toHaveProperty('value', '')
  })

  it('the bracket keys go to the previous and next page, and do nothing beyond the first and last', async () => {
    const user = await openDrivers({ current_page_number: 1, total_pages: 2 })
    await user.keyboard('[BracketLeft][BracketLeft]')
    expect(address()).toBe('/riders')
    serve({ [list]: wirePage([amina], { current_page_number: 2, total_pages: 2 }) })
    await user.keyboard(']')
    await waitFor(() => expect(callsTo(list).at(-1)?.query['page']).toBe('2'))
    await waitFor(() => expect(screen.queryByText('Jo Kamau')).toBeNull())
    await user.keyboard(']]')
    expect(address()).toBe('/riders?page=2')
    serve({ [list]: wirePage([jo], { current_page_number: 1, total_pages: 2 }) })
    await user.keyboard('[BracketLeft]')
    expect(address()).toBe('/riders')
  })

  it('r reloads the list', async () => {
    const user = await openDrivers()
    await user.keyboard('r')
    await waitFor(() => expect(callsTo(list)).toHaveLength(2))
  })

  it('a fault mark stays on the row until an action on it succeeds (R3)', async () => {
    const user = await openDrivers()
    serve({ [suspended]: () => refuse(409) })
    await user.keyboard('js')
    expect(await screen.findByRole('img', { name: 'The last action on this row failed' })).toBeTruthy()
    serve({ [suspended]: {} })
    await user.keyboard('s')
    await waitFor(() =>
      expect(screen.queryByRole('img', { name: 'The last action on this row failed' })).toBeNull(),
    )
  })

  it('the list keys do nothing while no list is shown', async () => {
    const { user } = renderApp({ path: '/' })
    await user.keyboard('j/]')
    expect(document.activeElement?.matches('body,main')).toBe(true)
    expect(address()).toBe('/')
  })
})
