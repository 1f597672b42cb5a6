import { targetsOf } from '../../../src/commands/command.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { getDefaultStore } from 'jotai'
import { PanelLeft, Siren } from 'lucide-react'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { driver, suspend } from '../../../src/commands/nouns/driver.ts'
import { activityAtom } from '../../../src/state/activity.ts'
import { askedForAtom, endSession, sessionAtom } from '../../../src/state/session.ts'
import { screens } from '../../../src/views/screens.ts'
import { calls, callsTo, hold, lose, refuse, serve } from '../../support/network.ts'
import { address, renderApp } from '../../support/render-app.tsx'
import { mostKeptUpdates, rendersOf } from '../../support/renders.ts'
import { navigation } from '../../support/screens.ts'
import { setViewport } from '../../support/viewport.ts'
import { wireAttraction, wireCustomer, wireDriver, wirePage } from '../../support/wire.ts'

const store = getDefaultStore()
const sidebar = () => screen.getByRole('navigation', { name: 'Main' })
const shell = () => document.querySelector<HTMLElement>('[data-expanded]')?.dataset
const toggle = () => screen.getByRole('button', { name: 'Toggle the sidebar' })
const account = () => screen.getByRole('button', { name: 'Account of asha@twende.test' })
const over = (element: Element, pointerType = 'mouse') =>
  act(() => {
    for (const type of ['pointerover', 'pointermove'])
      element.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType }))
  })
const pass = (time: number) =>
  act(() => {
    vi.advanceTimersByTime(time)
  })
const tooltip = () => screen.queryByRole('tooltip')?.textContent

describe('the guard (S2.a.20)', () => {
  it.each(['/', '/riders?page=2', '/riders/12', '/sos', '/nowhere'])(
    'redirects from %s to the login, replaces the history entry and sends no request',
    async (path) => {
      const pushed = vi.spyOn(window.history, 'pushState')
      renderApp({ path, staff: null })
      expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy()
      expect(address()).toBe('/login')
      expect(pushed.mock.calls.map(([, , to]) => to)).toEqual([path])
      expect(screen.queryByRole('navigation')).toBeNull()
      expect(calls).toEqual([])
    },
  )

  it('keeps the requested address for the time after login', async () => {
    renderApp({ path: '/riders?page=2', staff: null })
    await screen.findByRole('heading', { name: 'Sign in' })
    expect(store.get(askedForAtom)).toBe('/riders?page=2')
  })

  it('keeps no address when the home screen was requested, as login leads there anyway', async () => {
    renderApp({ path: '/', staff: null })
    await screen.findByRole('heading', { name: 'Sign in' })
    expect(store.get(askedForAtom)).toBeNull()
  })

  it('redirects to the login when the session ends while a screen is open', async () => {
    renderApp({ path: '/trips' })
    await screen.findByRole('heading', { name: 'Trips' })
    const entries = window.history.length
    act(() => endSession())
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy()
    expect(address()).toBe('/login')
    expect(window.history.length).toBe(entries)
    expect(sessionStorage).toHaveLength(0)
  })

  it('redirects only once when several answers are 401', async () => {
    serve({ 'GET analytics/': () => refuse(401), 'GET capabilities/': () => refuse(401) })
    const pushed = vi.spyOn(window.history, 'pushState')
    const replaced = vi.spyOn(window.history, 'replaceState')
    renderApp({ path: '/' })
    await screen.findByRole('heading', { name: 'Sign in' })
    await waitFor(() => expect(calls).toHaveLength(2))
    expect(address()).toBe('/login')
    expect(pushed.mock.calls.map(([, , to]) => to)).toEqual(['/'])
    expect(replaced.mock.calls.map(([, , to]) => to).filter(Boolean)).toEqual(['/login'])
  })
})

describe('an unknown address', () => {
  it('shows the not-found page with a link to the home screen (S2.a.18, S2.t.1, S8.12)', async () => {
    const { user } = renderApp({ path: '/nowhere/at/all' })
    expect(screen.getByRole('heading').textContent).toBe('OOPS! The page you are looking for does not exist')
    await user.click(screen.getByRole('link', { name: 'Go home' }))
    expect(address()).toBe('/')
    expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeTruthy()
  })

  it.each(['/Riders/12/x', '/ridersx', '/login/x', '/attractions/1/2'])(
    'such as %s shows the not-found page inside the shell',
    (path) => {
      renderApp({ path })
      expect(screen.getByText('OOPS! The page you are looking for does not exist')).toBeTruthy()
      expect(sidebar()).toBeTruthy()
    },
  )
})

describe('the side navigation', () => {
  it('has the 14 entries in their order, each with its own route (S2.b.2)', () => {
    renderApp({ path: '/trips' })
    const links = within(sidebar()).getAllByRole('link')
    expect(links.map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')])).toEqual(
      navigation.map(([title, path]) => [title, path]),
    )
  })

  it('has the same icon for Drivers and Vehicles, and for Blogs and Coupons (S2.b.2)', () => {
    renderApp({ path: '/trips' })
    const icon = (name: string) =>
      within(sidebar()).getByRole('link', { name }).querySelector('svg')?.innerHTML
    expect(icon('Drivers')).toBe(icon('Vehicles'))
    expect(icon('Blogs')).toBe(icon('Coupons'))
    expect(icon('Blogs')).not.toBe(icon('Drivers'))
  })

  it.each([
    ['/', 'Dashboard'],
    ['/riders?page=2', 'Drivers'],
    ['/riders/12', 'Drivers'],
    ['/attractions/5', 'Attractions'],
    ['/sos', 'SOS logs'],
    ['/nowhere', undefined],
    ['/ridersx', undefined],
  ])('at %s marks the entry %s as current; a detail marks the entry of its list', (path, name) => {
    serve({
      'GET drivers/': wirePage([]),
      'GET drivers/:id': hold().answer,
      'GET attractions/all/:id/': hold().answer,
      'GET drivers/:id/trips/': wirePage([]),
    })
    renderApp({ path })
    const current = within(sidebar())
      .getAllByRole('link')
      .filter((link) => link.getAttribute('aria-current') === 'page')
    expect(current.map((link) => link.getAttribute('aria-label'))).toEqual(name ? [name] : [])
  })

  it('opens a screen without reloading the page', async () => {
    const { user } = renderApp({ path: '/trips' })
    await user.click(within(sidebar()).getByRole('link', { name: 'Coupons' }))
    expect(address()).toBe('/coupons')
    expect(screen.getByRole('heading', { name: 'Coupons' })).toBeTruthy()
  })

  it('keeps its elements when another screen opens, as does the top bar (S2.b.1)', async () => {
    const { user } = renderApp({ path: '/trips' })
    const [entries, bar] = [within(sidebar()).getAllByRole('link'), account()]
    await user.keyboard('gu')
    expect(address()).toBe('/coupons')
    expect(within(sidebar()).getAllByRole('link')).toEqual(entries)
    expect(account()).toBe(bar)
  })

  it('has what the server offers also if it refused to say so for the first screen', async () => {
    serve({ 'GET capabilities/': () => refuse(403) })
    const { user } = renderApp({ path: '/trips' })
    await waitFor(() => expect(callsTo('GET capabilities/')).toHaveLength(1))
    serve({ 'GET capabilities/': { counts: true }, 'GET counts/': { sos: { new: 3 } } })
    await user.keyboard('gu')
    expect(await within(sidebar()).findByRole('img', { name: '3 new SOS logs' })).toBeTruthy()
  })

  it('and the top bar are not rendered again by the palette, another focused row, another page of a list or another screen', async () => {
    const rows = [wireCustomer({ id: 1 }), wireCustomer({ id: 2 })]
    serve({
      'GET customers/': ({ query }) =>
        wirePage(rows, { current_page_number: Number(query['page']), total_pages: 2 }),
    })
    const { user } = renderApp({ path: '/customers' })
    await user.keyboard('j')
    const ofSidebar = rendersOf(Siren)
    const ofBar = rendersOf(PanelLeft)
    await user.keyboard('j')
    await user.keyboard(']')
    expect(address()).toBe('/customers?page=2')
    // The palette has the icons of the side navigation too.
    expect(ofSidebar).not.toHaveBeenCalled()
    await user.keyboard('{Control>}k{/Control}')
    await screen.findByRole('dialog', { name: 'Command palette' })
    await user.keyboard('{Escape}')
    ofSidebar.mockClear()
    await user.keyboard('gu')
    expect(address()).toBe('/coupons')
    // Only the entries of the two screens are.
    expect(ofSidebar).not.toHaveBeenCalled()
    expect(ofBar).not.toHaveBeenCalled()
    act(() => setViewport(1000))
    expect(ofSidebar).toHaveBeenCalled()
    expect(ofBar).toHaveBeenCalled()
  })

  it('shows names in tooltips without delay while collapsed, and no tooltips while expanded (S9.8)', () => {
    renderApp({ path: '/trips' })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    over(within(sidebar()).getByRole('link', { name: 'Coupons' }))
    pass(1000)
    expect(tooltip()).toBeUndefined()
    fireEvent.click(toggle())
    over(within(sidebar()).getByRole('link', { name: 'Vehicles' }))
    expect(tooltip()).toContain('Vehicles')
  })
})

describe('tooltips of buttons', () => {
  const buttons = () => [
    screen.getByRole('button', { name: 'Suspend Jo Kamau' }),
    screen.getByRole('button', { name: 'Filter' }),
  ]

  it('show the name and the keys after 700 ms, the next one at once, and none for touch or after a key (S9.8)', async () => {
    serve({
      'GET drivers/': wirePage([wireDriver({ id: 12, name: 'Jo Kamau' })]),
      'GET capabilities/': { filters: { drivers: ['suspended'] } },
    })
    renderApp({ path: '/riders' })
    await screen.findByRole('button', { name: 'Filter' })
    const [suspending, filter] = buttons()
    if (!suspending || !filter) throw new Error('A button is missing.')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    over(suspending, 'touch')
    pass(1000)
    expect(tooltip()).toBeUndefined()
    over(suspending)
    pass(699)
    expect(tooltip()).toBeUndefined()
    pass(1)
    expect(tooltip()).toBe('Suspend Jo Kamau S')
    expect(suspending.getAttribute('aria-describedby')).toBe(screen.getByRole('tooltip').id)
    over(filter)
    expect(tooltip()).toBe('Filter F')
    expect(suspending.hasAttribute('aria-describedby')).toBe(false)
    act(() => {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift', bubbles: true }))
    })
    expect(tooltip()).toBeUndefined()
    vi.useRealTimers()
  })
})

describe('from 1200 px on (S2.b.1, S9.6)', () => {
  it('the toggle collapses and expands the docked sidebar, and a cookie keeps the choice (S2.b.3, S4.10)', async () => {
    const { user } = renderApp({ path: '/trips' })
    expect(shell()).toMatchObject({ narrow: 'false', expanded: 'true' })
    expect(screen.queryByRole('button', { name: 'Open the sidebar' })).toBeNull()
    await user.click(toggle())
    expect(shell()).toMatchObject({ expanded: 'false' })
    expect(document.cookie).toContain('sidebar:state=false')
    await user.click(toggle())
    expect(shell()).toMatchObject({ expanded: 'true' })
    expect(document.cookie).toContain('sidebar:state=true')
  })
})

describe('below 1200 px (S2.b.1, S2.b.3)', () => {
  it('an extra control opens the sidebar, which closes after navigation', async () => {
    setViewport(1199)
    const { user } = renderApp({ path: '/trips' })
    expect(shell()).toMatchObject({ narrow: 'true', expanded: 'false' })
    await user.click(screen.getByRole('button', { name: 'Open the sidebar' }))
    expect(shell()).toMatchObject({ expanded: 'true' })
    await user.click(within(sidebar()).getByRole('link', { name: 'Vehicles' }))
    expect(address()).toBe('/vehicles')
    await waitFor(() => expect(shell()).toMatchObject({ expanded: 'false' }))
  })

  it('Escape and a click on the backdrop close the sidebar', async () => {
    setViewport(700)
    const { user } = renderApp({ path: '/trips' })
    const opener = screen.getByRole('button', { name: 'Open the sidebar' })
    await user.click(opener)
    await user.keyboard('{Escape}')
    expect(shell()).toMatchObject({ expanded: 'false' })
    await user.click(opener)
    const backdrop = sidebar().previousElementSibling
    if (!backdrop) throw new Error('The sidebar has no backdrop.')
    await user.click(backdrop)
    expect(shell()).toMatchObject({ expanded: 'false' })
  })

  it('the toggle does not change the stored choice for wide windows', async () => {
    setViewport(1199)
    document.cookie = 'sidebar:state=true; path=/'
    const { user } = renderApp({ path: '/trips' })
    await user.click(toggle())
    expect(shell()).toMatchObject({ expanded: 'true' })
    await user.click(toggle())
    expect(document.cookie).toContain('sidebar:state=true')
    act(() => setViewport(1440))
    expect(shell()).toMatchObject({ narrow: 'false', expanded: 'true' })
  })
})

describe('the top bar (S2.b.3)', () => {
  it('shows the first letter of the e-mail address as the avatar', () => {
    renderApp({ path: '/trips' })
    expect(account().textContent).toBe('A')
    expect(account().title).toBe('asha@twende.test')
  })

  it('opens and closes the account menu with the avatar', async () => {
    const { user } = renderApp({ path: '/trips' })
    await user.click(account())
    const menu = screen.getByRole('menu')
    expect(within(menu).getByText('asha@twende.test')).toBeTruthy()
    expect(within(menu).getByRole('menuitem', { name: 'Logout' })).toBeTruthy()
    await user.click(account())
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  })

  it('opens and closes the account menu for a click without a press, as a screen reader makes it', async () => {
    renderApp()
    // The first press mounts the menu, the third one finds it mounted.
    for (const count of [1, 0, 1]) {
      fireEvent.click(account())
      await waitFor(() => expect(screen.queryAllByRole('menu')).toHaveLength(count))
    }
  })

  it('mounts the account menu when it is opened for the first time, as a list does its menus', async () => {
    const { user } = renderApp({ path: '/trips' })
    const columns = screen.getByRole('button', { name: 'Columns' })
    // Radix gives the button of a menu an id.
    expect([account().id, columns.id]).toEqual(['', ''])
    await user.click(columns)
    expect(screen.getAllByRole('menuitemcheckbox').length).toBeGreaterThan(0)
    expect([account().id, columns.id === '']).toEqual(['', false])
  })

  it('closes the account menu with its close icon, without logging out', async () => {
    const { user } = renderApp({ path: '/trips' })
    await user.click(account())
    await user.click(screen.getByRole('menuitem', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    expect(store.get(sessionAtom)).not.toBeNull()
  })

  it('changes theme and density in the account menu, which stays open, and opens help and activity with their keys', async () => {
    const { user } = renderApp({ path: '/trips' })
    await user.click(account())
    const menu = within(screen.getByRole('menu'))
    const chosen = () =>
      menu
        .getAllByRole('menuitemradio')
        .filter((one) => one.getAttribute('aria-checked') === 'true')
        .map(({ textContent }) => textContent)
    expect(chosen()).toEqual(['Theme of the system', 'Comfortable rows'])
    await user.click(menu.getByRole('menuitemradio', { name: 'Dark theme' }))
    await user.click(menu.getByRole('menuitemradio', { name: 'Compact rows' }))
    expect(chosen()).toEqual(['Dark theme', 'Compact rows'])
    expect(document.documentElement.dataset).toMatchObject({ theme: 'dark', density: 'compact' })
    expect(menu.getByRole('menuitem', { name: /^Activity of this session/ }).textContent).toBe(
      'Activity of this session G Y',
    )
    await user.click(menu.getByRole('menuitem', { name: /^Keyboard shortcuts/ }))
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(account()))
  })

  it('opens the palette with its search button', async () => {
    const { user } = renderApp({ path: '/trips' })
    await user.click(screen.getByRole('button', { name: /Search or run a command/ }))
    expect(screen.getByRole('dialog', { name: 'Command palette' })).toBeTruthy()
  })
})

describe('Logout (S2.b.5)', () => {
  async function logOut() {
    const { user } = renderApp({ path: '/trips' })
    await user.click(account())
    await user.click(screen.getByRole('menuitem', { name: 'Logout' }))
    return user
  }

  it('clears the local session and goes to the login', async () => {
    await logOut()
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy()
    expect(address()).toBe('/login')
    expect(sessionStorage).toHaveLength(0)
    expect(store.get(sessionAtom)).toBeNull()
  })

  it('calls logout on the server with the token of the session', async () => {
    serve({ 'GET capabilities/': { logout: true } })
    await logOut()
    await waitFor(() => expect(callsTo('POST logout/')).toHaveLength(1))
    expect(callsTo('POST logout/')[0]?.headers.get('authorization')).toBe('Bearer token-of-this-session')
  })

  it.each<[string, () => unknown]>([
    ['does not answer', hold().answer],
    ['is out of reach', lose],
    ['has no such call', () => refuse(404)],
  ])('does not wait for a server that %s', async (_what, answer) => {
    serve({ 'GET capabilities/': { logout: true }, 'POST logout/': answer })
    await logOut()
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy()
  })

  it('tells the other tabs that the session has ended', async () => {
    const heard: unknown[] = []
    const sibling = new BroadcastChannel('oms.session')
    sibling.onmessage = (event: MessageEvent<unknown>) => heard.push(event.data)
    const { joinSession } = await import('../../../src/state/session.ts')
    await joinSession()
    await logOut()
    await waitFor(() => expect(heard).toContainEqual({ type: 'ended' }))
    sibling.close()
  })

  it('leaves nothing for the next person: no cached answer, no activity, no undo, no address', async () => {
    serve({
      'GET drivers/': wirePage([wireDriver({ id: 12, name: 'Jo Kamau' })]),
      'POST driver/:id/suspend/': { message: 'Done' },
      'POST login/': { token: 'other' },
    })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByText('Jo Kamau')
    await user.keyboard('js')
    await screen.findByText('Done')
    await user.click(account())
    await user.click(screen.getByRole('menuitem', { name: 'Logout' }))
    serve({ 'GET drivers/': hold().answer })
    await user.type(await screen.findByLabelText('Email'), 'baraka@twende.test')
    await user.type(screen.getByLabelText('Password'), 'secret{Enter}')
    await screen.findByRole('heading', { name: 'Dashboard' })
    await user.keyboard('gygd')
    expect(await screen.findByText('Nothing was done yet.')).toBeTruthy()
    await user.keyboard('{Escape}{Control>}k{/Control}')
    expect(screen.queryByRole('option', { name: /^(Undo|Continue)/ })).toBeNull()
    await user.keyboard('{Escape}gd')
    expect(address()).toBe('/riders')
    expect(screen.queryByText('Jo Kamau')).toBeNull()
    expect(screen.getByRole('status', { name: 'Loading' })).toBeTruthy()
  })

  it('differs from an ended session, after which the same person keeps activity and undo', async () => {
    serve({
      'GET drivers/': wirePage([wireDriver({ id: 12, name: 'Jo Kamau' })]),
      'POST driver/:id/suspend/': { message: 'Done' },
      'POST login/': { token: 'again' },
    })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByText('Jo Kamau')
    await user.keyboard('js')
    await screen.findByText('Done')
    act(() => endSession())
    await user.type(await screen.findByLabelText('Email'), 'asha@twende.test')
    await user.type(screen.getByLabelText('Password'), 'secret{Enter}')
    await screen.findByRole('heading', { name: 'Dashboard' })
    await user.keyboard('{Control>}k{/Control}')
    expect(screen.getByRole('option', { name: /^Undo: Suspend Jo Kamau/ })).toBeTruthy()
    expect(screen.getByRole('option', { name: /^Continue to \/riders/ })).toBeTruthy()
  })
})

describe('a screen that fails to render (S8.13)', () => {
  const complaints = () => vi.spyOn(console, 'error')
  afterEach(() => complaints().mockClear())

  /** Opens the drivers list while number formatting throws `failure`. */
  async function openBroken(failure: unknown) {
    complaints().mockImplementation(() => undefined)
    const padding = vi.spyOn(String.prototype, 'padEnd').mockImplementation(() => {
      throw failure
    })
    serve({ 'GET drivers/': wirePage([wireDriver({ name: 'Jo Kamau' })]) })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByRole('alert')
    padding.mockRestore()
    return user
  }

  it('shows the error message without a stack trace, a Reload button and a Go home link', async () => {
    await openBroken(new RangeError('Out of digits'))
    const alert = within(screen.getByRole('alert'))
    expect(alert.getByRole('heading').textContent).toBe('Unexpected Application Error!')
    expect(alert.getByText('Out of digits')).toBeTruthy()
    expect(alert.getByRole('button', { name: 'Reload' })).toBeTruthy()
    expect(alert.getByRole('link', { name: 'Go home' }).getAttribute('href')).toBe('/')
    expect(screen.getByRole('alert').textContent).not.toMatch(/\bat \w|\.tsx?|node_modules|RangeError/)
  })

  it.each([
    [Object.assign(new Error('Gone'), { status: 503 }), '503'],
    ['just text', 'just text'],
    [{ status: 404 }, '404'],
  ])('shows the status of the error, or its text if it has no status', async (failure, text) => {
    await openBroken(failure)
    expect(within(screen.getByRole('alert')).getByText(text)).toBeTruthy()
  })

  it('leaves the rest of the shell usable, and its error disappears after navigation', async () => {
    const user = await openBroken(new Error('Out of digits'))
    expect(within(sidebar()).getAllByRole('link')).toHaveLength(14)
    await user.keyboard('{Control>}b{/Control}')
    expect(shell()).toMatchObject({ expanded: 'false' })
    await user.keyboard('gt')
    expect(address()).toBe('/trips')
    expect(screen.getByRole('heading', { name: 'Trips' })).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('of the shell itself disappears after navigation too', async () => {
    complaints().mockImplementation(() => undefined)
    const icon = rendersOf(Siren).mockImplementation(() => {
      throw new Error('No such icon')
    })
    const { user } = renderApp({ path: '/trips' })
    expect(await screen.findByText('No such icon')).toBeTruthy()
    expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull()
    icon.mockRestore()
    await user.click(screen.getByRole('link', { name: 'Go home' }))
    expect(within(sidebar()).getAllByRole('link')).toHaveLength(14)
  })

  it('leads to the home screen with its Go home link', async () => {
    const user = await openBroken(new Error('Out of digits'))
    await user.click(screen.getByRole('link', { name: 'Go home' }))
    expect(await screen.findByText('35.5% online')).toBeTruthy()
  })

  it('renders again when the person returns to it', async () => {
    const user = await openBroken(new Error('Out of digits'))
    await user.keyboard('gt')
    await user.keyboard('gd')
    expect(await screen.findByText('Jo Kamau')).toBeTruthy()
  })
})

describe('a console that is open for hours', () => {
  it('keeps nothing of the keys that were pressed and of what the mouse did', async () => {
    serve({ 'GET drivers/': wirePage([wireDriver({ id: 1 }), wireDriver({ id: 2 })]) })
    const { user } = renderApp({ path: '/riders' })
    await screen.findAllByRole('row')
    for (let times = 0; times < 6; times++) {
      await user.keyboard('jk{Control>}k{/Control}q{Escape}{Escape}')
      await user.click(screen.getByRole('heading', { level: 1 }))
    }
    expect(mostKeptUpdates()).toBeLessThan(6)
  })
})

describe('the activity panel (R6)', () => {
  it('renders its entries only while it is open', async () => {
    const { user } = renderApp({ path: '/trips' })
    const written = vi.spyOn(Date.prototype, 'toISOString')
    act(() => store.set(activityAtom, { what: 'Suspend Jo Kamau', outcome: 'done', detail: '' }))
    expect(written).not.toHaveBeenCalled()
    await user.keyboard('gy')
    expect(within(await screen.findByRole('dialog')).getByText('Suspend Jo Kamau')).toBeTruthy()
    expect(written).toHaveBeenCalled()
  })

  it('opens only on request, and says so when nothing was done yet', async () => {
    const { user } = renderApp({ path: '/trips' })
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.keyboard('gy')
    const panel = await screen.findByRole('dialog', { name: 'Activity of this session' })
    expect(within(panel).getByText('Nothing was done yet.')).toBeTruthy()
    await user.click(within(panel).getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('lists what was done and what failed, newest first, with time and reason', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2025-11-03T22:30:00Z') })
    serve({
      'POST driver/:id/suspend/': ({ path }: { path: string }) =>
        path.includes('/7/') ? refuse(409, 'Busy with a trip') : { message: 'Rider suspended' },
    })
    const { user } = renderApp({ path: '/trips' })
    const drivers = [wireDriver({ id: 12, name: 'Jo Kamau' }), wireDriver({ id: 7, name: 'Amina Yusuf' })]
    await suspend.run({ path: '/riders', targets: targetsOf(driver, drivers) })
    vi.useRealTimers()
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.keyboard('{Control>}k{/Control}activity{Enter}')
    const panel = await screen.findByRole('dialog', { name: 'Activity of this session' })
    const entries = within(panel).getAllByRole('listitem')
    expect(entries.map((entry) => entry.textContent)).toEqual([
      'Suspend Amina YusufFailed409 Busy with a trip4th Nov 2025, 1:30 am',
      'Suspend Jo KamauDoneRider suspended4th Nov 2025, 1:30 am',
    ])
  })

  it('shows new entries while it is open', async () => {
    const { user } = renderApp({ path: '/trips' })
    await user.keyboard('gy')
    await screen.findByText('Nothing was done yet.')
    act(() => {
      store.set(activityAtom, { what: 'Delete a blog', outcome: 'failed', detail: 'storage/quota-exceeded' })
    })
    expect(screen.getByText('storage/quota-exceeded')).toBeTruthy()
    expect(screen.queryByText('Nothing was done yet.')).toBeNull()
  })
})

describe('every screen', () => {
  // Three screens have another title than their entry in the side navigation (S2.b.2).
  const headings: Record<string, string> = {
    '/staff': 'Staff users',
    '/invites': 'invites',
    '/promos': 'Promo codes',
  }
  it.each(screens.map(({ path, title }) => [path, headings[path] ?? title]))(
    '%s has the heading %s, and a document title that begins with it or with the name of its record',
    async (path, title) => {
      serve({
        'GET drivers/': wirePage([]),
        'GET drivers/:id': wireDriver({ name: 'Jo Kamau' }),
        'GET drivers/:id/trips/': wirePage([]),
        'GET attractions/all/:id/': wireAttraction(),
      })
      renderApp({ path: path.replace(/:\w+/, '12') })
      expect(
        (await screen.findAllByRole('heading', { level: 1 })).map(({ textContent }) => textContent),
      ).toEqual([title])
      const records: Record<string, string> = {
        '/riders/:riderID': 'Jo Kamau · Drivers',
        '/attractions/:attractionID': 'Giraffe Centre · Attractions',
      }
      await waitFor(() => expect(document.title).toBe(`${records[path] ?? title} · Twende OMS`))
    },
  )
})

it('the toasts are at the bottom centre, dark (S2.u.4)', async () => {
  serve({ 'POST login/': { token: 'new' } })
  const { user } = renderApp({ path: '/login', staff: null })
  await user.type(screen.getByLabelText('Email'), 'asha@twende.test')
  await user.type(screen.getByLabelText('Password'), 'secret{Enter}')
  await screen.findByText('Logged in successfully')
  expect(document.querySelector<HTMLElement>('[data-sonner-toaster]')?.dataset).toMatchObject({
    xPosition: 'center',
    yPosition: 'bottom',
    sonnerTheme: 'dark',
  })
})

it('the skip link leads past the navigation to the main content', () => {
  renderApp({ path: '/trips' })
  const skip = screen.getByRole('link', { name: 'Skip to content' })
  expect(document.querySelector(skip.getAttribute('href') ?? '')?.tagName).toBe('MAIN')
})
