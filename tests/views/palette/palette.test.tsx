import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { getDefaultStore } from 'jotai'
import { QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { queryClient } from '../../../src/api/query-client.ts'
import { takeLink } from '../../../src/commands/find/links.ts'
import { preferenceCommands } from '../../../src/commands/preferences.ts'
import { nameOrPhone } from '../../../src/commands/nouns/driver.ts'
import { Palette } from '../../../src/views/palette/palette.tsx'
import { dialogAtom } from '../../../src/state/dialog.ts'
import { navigate } from '../../../src/state/location.ts'
import { askedForAtom } from '../../../src/state/session.ts'
import { calls, callsTo, hold, lose, refuse, serve } from '../../support/network.ts'
import { address, renderApp } from '../../support/render-app.tsx'
import { wireDriver, wirePage } from '../../support/wire.ts'

const search = 'GET drivers/'
const jo = wireDriver({ id: 12, name: 'Jo Kamau' })
const amina = wireDriver({ id: 7, name: 'Amina Yusuf', deleted: true })

const histories = { 'GET drivers/:id/trips/': wirePage([]), 'GET drivers/:id/transactions/': wirePage([]) }
// On a slow machine, what a highlighted record opens is loaded during any test.
beforeEach(() => serve({ 'GET drivers/:id': jo, ...histories }))

const openPalette = (user: UserEvent) => user.keyboard('{Control>}k{/Control}')
const input = () => screen.getByRole('combobox')
const rows = () => screen.queryAllByRole('option')
const titleOf = (row: HTMLElement) => row.querySelector('span > span')?.textContent ?? ''
const titles = () => rows().map(titleOf)
const highlighted = () => titleOf(screen.getByRole('option', { selected: true }))
const shown = (title: string) => waitFor(() => expect(titles()).toContain(title))
const isOpen = () => screen.queryByRole('dialog', { name: 'Command palette' }) !== null

/** Opens the console and its palette, and types the text. */
async function openWith(typed: string, given: Parameters<typeof renderApp>[0] = {}) {
  const { user } = renderApp(given)
  await openPalette(user)
  if (typed) await user.keyboard(typed)
  return user
}

describe('opening the palette', () => {
  it('works with Ctrl+K and Cmd+K on any platform, and the same keys close it', async () => {
    const { user } = renderApp()
    await openPalette(user)
    expect(input()).toBe(document.activeElement)
    await openPalette(user)
    expect(isOpen()).toBe(false)
    await user.keyboard('{Meta>}k{/Meta}')
    expect(isOpen()).toBe(true)
  })

  it('works inside a text field, and closing returns the focus to it', async () => {
    serve({ [search]: wirePage([jo]) })
    const { user } = renderApp({ path: '/riders' })
    const field = screen.getByRole('searchbox')
    await user.click(field)
    await user.keyboard('wan')
    await openPalette(user)
    expect(input()).toBe(document.activeElement)
    await user.keyboard('{Escape}')
    expect(isOpen()).toBe(false)
    await waitFor(() => expect(document.activeElement).toBe(field))
    expect(field).toHaveProperty('value', 'wan')
  })

  it('loses no key that comes before its text field has the focus', async () => {
    await openWith('tr')
    act(() => input().blur())
    const press = (key: string) => fireEvent.keyDown(document.body, { key })
    press('i')
    press('q')
    press('Backspace')
    press('p')
    expect(input()).toHaveProperty('value', 'trip')
    act(() => input().focus())
    fireEvent.change(input(), { target: { value: 'trips' } })
    expect(input()).toHaveProperty('value', 'trips')
    expect(highlighted()).toContain('Trips')
  })

  it("prevents the browser's own action for Ctrl+K", () => {
    renderApp()
    expect(fireEvent.keyDown(document.body, { key: 'k', code: 'KeyK', ctrlKey: true })).toBe(false)
  })

  it('starts with an empty query and all commands of the screen, except the one that opens the palette', async () => {
    await openWith('')
    expect(input()).toHaveProperty('value', '')
    expect(titles().slice(0, 3)).toEqual(['Dashboard', 'Drivers', 'Customers'])
    expect(titles()).not.toContain('Open the command palette')
    expect(highlighted()).toBe('Dashboard')
  })

  it('is not possible before login', async () => {
    const { user } = renderApp({ path: '/login', staff: null })
    await openPalette(user)
    expect(isOpen()).toBe(false)
  })
})

describe('Enter in the palette', () => {
  it('runs the highlighted row', async () => {
    const user = await openWith('vehi')
    expect(highlighted()).toBe('Vehicles')
    await user.keyboard('{Enter}')
    expect(address()).toBe('/vehicles')
    expect(isOpen()).toBe(false)
  })

  it('runs the row that the arrow keys highlighted', async () => {
    const user = await openWith('{ArrowDown}{ArrowDown}')
    expect(highlighted()).toBe('Customers')
    await user.keyboard('{Enter}')
    expect(address()).toBe('/customers')
  })

  it.each([
    ['Ctrl', { ctrlKey: true }],
    ['Cmd', { metaKey: true }],
    ['Alt', { altKey: true }],
    ['Shift', { shiftKey: true }],
    ['key repeat', { repeat: true }],
    ['an IME composition', { isComposing: true }],
    ['the end of an IME composition in Safari', { keyCode: 229 }],
  ])('with %s runs nothing', async (_what, modifier) => {
    await openWith('logout')
    expect(highlighted()).toBe('Logout')
    fireEvent.keyDown(input(), { key: 'Enter', code: 'Enter', ...modifier })
    expect(isOpen()).toBe(true)
    expect(address()).toBe('/')
  })

  it.each([
    ['Ctrl', { ctrlKey: true }],
    ['Cmd', { metaKey: true }],
  ])('with %s opens a screen in a new tab, as it does a list or a record', async (_what, modifier) => {
    const opened = vi.spyOn(window, 'open').mockReturnValue(null)
    await openWith('vehi')
    fireEvent.keyDown(input(), { key: 'Enter', code: 'Enter', ...modifier })
    expect(opened.mock.calls).toEqual([['/vehicles', '_blank', 'noopener']])
    expect(address()).toBe('/')
  })

  it('of a soft keyboard, which composes the typed word, runs the row', async () => {
    await openWith('vehi')
    fireEvent.keyDown(input(), { key: 'Enter', keyCode: 13, isComposing: true })
    expect(address()).toBe('/vehicles')
  })

  it('closes the palette before the next screen is rendered', async () => {
    const push = window.history.pushState.bind(window.history)
    const wasOpen: boolean[] = []
    await openWith('vehi')
    vi.spyOn(window.history, 'pushState').mockImplementation((...given) => {
      wasOpen.push(isOpen())
      push(...given)
    })
    fireEvent.keyDown(input(), { key: 'Enter', code: 'Enter' })
    expect(address()).toBe('/vehicles')
    expect(wasOpen).toEqual([false])
  })

  it('pressed twice runs a row once', async () => {
    serve({ [search]: wirePage([]), 'POST driver/:id/suspend/': {}, 'GET drivers/:id': jo, ...histories })
    const { user } = renderApp({ path: '/riders/12' })
    await screen.findByRole('heading', { name: 'Jo Kamau' })
    await openPalette(user)
    expect(highlighted()).toBe('Suspend Jo Kamau')
    await user.keyboard('{Enter}{Enter}')
    await waitFor(() => expect(callsTo('POST driver/:id/suspend/')).toHaveLength(1))
  })

  it('does nothing when nothing was found', async () => {
    serve({ [search]: wirePage([]) })
    const user = await openWith('zzzz')
    expect(await screen.findByText('Nothing found')).toBeTruthy()
    const asked = callsTo(search).length
    await user.keyboard('{Enter}')
    expect(isOpen()).toBe(true)
    expect(callsTo(search)).toHaveLength(asked)
  })
})

describe('the mouse in the palette', () => {
  it('runs the row that is clicked', async () => {
    const user = await openWith('')
    await user.click(screen.getByRole('option', { name: /^Trips/ }))
    expect(address()).toBe('/trips')
  })

  it('highlights the row that it moves over', async () => {
    await openWith('')
    const row = screen.getByRole('option', { name: /^Trips/ })
    const move = new MouseEvent('mousemove', { bubbles: true })
    Object.defineProperty(move, 'movementX', { value: 3 })
    fireEvent(row, move)
    expect(highlighted()).toBe('Trips')
  })

  it('at rest does not move the highlight when the rows change under it', async () => {
    await openWith('')
    const move = new MouseEvent('mousemove', { bubbles: true })
    Object.defineProperties(move, { movementX: { value: 0 }, movementY: { value: 0 } })
    fireEvent(screen.getByRole('option', { name: /^Trips/ }), move)
    expect(highlighted()).toBe('Dashboard')
  })
})

it.each(['1 result', 'Esc close'])('a click on "%s" leaves the focus in the text field', async (text) => {
  const user = await openWith('vehi')
  await user.click(await screen.findByText(text))
  expect(document.activeElement).toBe(input())
})

describe('the highlight in the palette', () => {
  it('returns to the first row after every change of the query', async () => {
    const user = await openWith('{ArrowDown}{ArrowDown}')
    await user.keyboard('c')
    expect(highlighted()).toBe(titles()[0])
    await user.keyboard('{Backspace}')
    expect(highlighted()).toBe('Dashboard')
  })

  it('stays on its row, and the rows stay in place, when the server answers in another order', async () => {
    serve({ [search]: wirePage([jo, amina]) })
    const user = await openWith('zz')
    await shown('Amina Yusuf')
    await user.keyboard('{ArrowDown}')
    expect(highlighted()).toBe('Amina Yusuf')
    serve({ [search]: wirePage([amina, wireDriver({ id: 3, name: 'Zz Top' }), jo]) })
    await queryClient.invalidateQueries()
    await waitFor(() => expect(titles()).toEqual(['Jo Kamau', 'Amina Yusuf', 'Zz Top']))
    expect(highlighted()).toBe('Amina Yusuf')
  })
})

describe('what the highlighted row opens', () => {
  it('is loaded before Enter: a screen that was typed or moved to', async () => {
    serve({ 'GET coupons/': wirePage([]), 'GET vehicles/': wirePage([]) })
    const user = await openWith('coupons')
    expect(highlighted()).toBe('Coupons')
    await waitFor(() => expect(callsTo('GET coupons/')).toHaveLength(1))
    await user.keyboard('{Enter}')
    expect(address()).toBe('/coupons')
    await screen.findByText('No Invites to display')
    expect(callsTo('GET coupons/')).toHaveLength(1)
  })

  it('is not loaded again if it is on screen: a command could lose the row that it is to act on', async () => {
    serve({ [search]: wirePage([jo]) })
    const now = Date.now()
    const user = await openWith('', { path: '/riders' })
    await screen.findByText('Jo Kamau')
    // Data older than 5 seconds would be loaded again.
    vi.spyOn(Date, 'now').mockReturnValue(now + 60_000)
    fireEvent.change(input(), { target: { value: 'drivers' } })
    await waitFor(() => expect(highlighted()).toBe('Drivers'))
    const before = callsTo(search).filter(({ query }) => !query['s']).length
    await act(() => new Promise<void>((resolve) => setTimeout(resolve, 200)))
    expect(callsTo(search).filter(({ query }) => !query['s'])).toHaveLength(before)
    await user.keyboard('{Escape}')
  })

  it('is not loaded before something is typed, nor if it is a search for a text', async () => {
    const settled = () => act(() => new Promise<void>((resolve) => setTimeout(resolve, 200)))
    serve({ 'GET trips/': wirePage([]), [search]: wirePage([]) })
    const user = await openWith('', { path: '/coupons' })
    const before = calls.length
    await settled()
    expect(calls.slice(before)).toEqual([])
    // At once: after a pause behind the first word, the list of all trips would be loaded.
    fireEvent.change(input(), { target: { value: 'trips kisumu' } })
    await waitFor(() => expect(highlighted()).toContain('kisumu'))
    await settled()
    expect(callsTo('GET trips/')).toEqual([])
    await user.keyboard('{Enter}')
    await waitFor(() => expect(callsTo('GET trips/')).toHaveLength(1))
  })
})

describe('the search of the palette', () => {
  it('does not move rows when a late answer arrives: Enter runs the row that was highlighted', async () => {
    const reply = hold()
    serve({ [search]: reply.answer, 'GET vehicles/': wirePage([]) })
    const user = await openWith('go')
    await waitFor(() => expect(callsTo(search)).toHaveLength(1))
    while (highlighted() !== 'Vehicles') await user.keyboard('{ArrowDown}')
    const painted = titles()
    reply.give(
      wirePage(Array.from({ length: 25 }, (_, at) => wireDriver({ id: at + 1, name: `Gona ${at}` }))),
    )
    await waitFor(() => expect(titles()).toContain('Gona 4'))
    expect(titles().slice(0, painted.length)).toEqual(painted)
    expect(rows().length).toBeLessThanOrEqual(20)
    expect(highlighted()).toBe('Vehicles')
    await user.keyboard('{Enter}')
    expect(address()).toBe('/vehicles')
  })

  it('uses the ordinary list call, and shows phone number, id and status of each driver (S7.3)', async () => {
    serve({ [search]: wirePage([jo, amina]) })
    await openWith('jo k')
    const row = await screen.findByRole('option', { name: /Jo Kamau/ })
    expect(row.textContent).toContain('+254710000012')
    expect(row.textContent).toContain('Driver 12')
    expect(within(row).getByText(/Online/)).toBeTruthy()
    expect(screen.getByRole('option', { name: /Amina/ }).textContent).toContain('Suspended')
    expect(callsTo(search).at(-1)?.query).toMatchObject({ page: '1', s: 'jo k', phone: '' })
  })

  it('sends one request per pause in typing, not one per key', async () => {
    serve({ [search]: wirePage([jo]) })
    await openWith('')
    for (const value of ['k', 'ka', 'kam', 'kama', 'kamau']) fireEvent.change(input(), { target: { value } })
    await shown('Jo Kamau')
    expect(callsTo(search).map(({ query }) => query['s'])).toEqual(['kamau'])
  })

  it('sends no request for a single letter', async () => {
    await openWith('k')
    await new Promise((resolve) => setTimeout(resolve, 250))
    expect(callsTo(search)).toHaveLength(0)
  })

  it('adds the found drivers below the commands, so that the highlighted row does not move', async () => {
    const reply = hold()
    serve({ [search]: reply.answer })
    await openWith('dri')
    const before = titles()
    expect(before.length).toBeGreaterThan(0)
    reply.give(wirePage([jo, amina]))
    await shown('Jo Kamau')
    expect(titles()).toEqual([...before, 'Jo Kamau', 'Amina Yusuf'])
    expect(highlighted()).toBe(before[0])
  })

  it('waits for better rows again when a letter is deleted and typed again', async () => {
    const held = [hold(), hold(), hold()]
    const given = [...held]
    serve({ [search]: () => given.shift()?.answer(), 'GET all-invoices/': wirePage([]) })
    await openWith('invoices jo kamau')
    await shown('Search invoices for “jo kamau”')
    fireEvent.change(input(), { target: { value: 'invoices jo kama' } })
    fireEvent.change(input(), { target: { value: 'invoices jo kamau' } })
    expect(titles()).toEqual([])
    for (const one of held) one.give(wirePage([jo]))
    await shown('Search invoices for “jo kamau”')
    expect(titles()[0]).toBe('Invoices of Jo Kamau')
    expect(highlighted()).toBe('Invoices of Jo Kamau')
  })

  it('shows results only for the query that they answer', async () => {
    const early = hold()
    const late = hold()
    serve({
      [search]: ({ query }: { query: Record<string, string> }) =>
        (query['s'] === 'ka' ? early : late).answer(),
    })
    const user = await openWith('ka')
    await waitFor(() => expect(callsTo(search)).toHaveLength(1))
    await user.keyboard('r')
    early.give(wirePage([jo]))
    await waitFor(() => expect(callsTo(search)).toHaveLength(2))
    expect(callsTo(search)[0]?.signal.aborted).toBe(true)
    expect(titles()).not.toContain('Jo Kamau')
    expect(screen.getByText('Searching…')).toBeTruthy()
    late.give(wirePage([amina]))
    await shown('Amina Yusuf')
    await user.keyboard('i')
    expect(titles()).not.toContain('Amina Yusuf')
  })

  it('shows at most 20 rows', async () => {
    serve({ [search]: wirePage(Array.from({ length: 25 }, (_, at) => wireDriver({ name: `Found ${at}` }))) })
    await openWith('')
    expect(rows().length).toBeLessThanOrEqual(20)
    fireEvent.change(input(), { target: { value: 'co' } })
    await shown('Found 0')
    expect(rows().length).toBeLessThanOrEqual(20)
  })

  it.each<[string, () => unknown]>([
    ['the network failed', lose],
    ['the server failed', () => refuse(500)],
    ['the request was refused', () => refuse(400)],
    ['the answer is malformed', () => ({ results: 'x' })],
  ])('shows a retry button when %s, never "Nothing found"', async (_what, answer) => {
    serve({ [search]: answer })
    const user = await openWith('zzz')
    const retry = await screen.findByRole('button', { name: 'The search failed. Retry' })
    expect(screen.queryByText(/Nothing found/)).toBeNull()
    serve({ [search]: wirePage([jo]) })
    await user.click(retry)
    await shown('Jo Kamau')
  })

  it('is repeated by Enter after a failure if there is no other row', async () => {
    serve({ [search]: () => refuse(400) })
    const user = await openWith('zzz')
    await screen.findByRole('button', { name: 'The search failed. Retry' })
    serve({ [search]: wirePage([jo]) })
    await user.keyboard('{Enter}')
    await shown('Jo Kamau')
    expect(isOpen()).toBe(true)
  })

  it('is repeated by Shift+Enter after a failure while there are rows', async () => {
    serve({ [search]: () => refuse(400) })
    const user = await openWith('vehi')
    await screen.findByRole('button', { name: 'The search failed. Retry' })
    expect(screen.getByText('Shift ↵ retry')).toBeTruthy()
    serve({ [search]: wirePage([jo]) })
    await user.keyboard('{Shift>}{Enter}{/Shift}')
    await shown('Jo Kamau')
    expect(highlighted()).toBe('Vehicles')
  })

  it('can be repeated with the mouse, and the keys still work then', async () => {
    serve({ [search]: () => refuse(400) })
    const user = await openWith('zzz')
    await user.click(await screen.findByRole('button', { name: 'The search failed. Retry' }))
    expect(document.activeElement).toBe(input())
    await user.keyboard('{Escape}')
    expect(isOpen()).toBe(false)
  })

  it('says how many rows there are', async () => {
    await openWith('vehi')
    expect(await screen.findByText('1 result')).toBeTruthy()
  })

  it('lists drivers with missing or malformed fields', async () => {
    serve({ [search]: wirePage([{ id: 3 }, { id: 4, user: 'x', online: 'yes' }]) })
    await openWith('zzz')
    await shown('Driver 3')
    expect(titles()).toEqual(['Driver 3', 'Driver 4'])
    expect(document.body.textContent).not.toMatch(/undefined|null|NaN/)
  })

  it('opens the found driver with Enter', async () => {
    serve({ [search]: wirePage([jo]), 'GET drivers/:id': jo, ...histories })
    const user = await openWith('kamau')
    await shown('Jo Kamau')
    await user.keyboard('{Enter}')
    expect(address()).toBe('/riders/12')
  })

  it('leads to the login when the session has ended, and the palette stays closed after login', async () => {
    serve({ [search]: () => refuse(401), 'POST login/': { token: 'new' } })
    const user = await openWith('kamau')
    await user.type(await screen.findByLabelText('Email'), 'asha@twende.test')
    expect(address()).toBe('/login')
    await user.type(screen.getByLabelText('Password'), 'secret{Enter}')
    await screen.findByRole('heading', { name: 'Dashboard' })
    expect(isOpen()).toBe(false)
  })
})

it.each([
  ['0712', { s: '', phone: '254712' }],
  ['0712 345 678', { s: '', phone: '254712345678' }],
  ['0112345678', { s: '', phone: '254112345678' }],
  ['254712345678', { s: '', phone: '254712345678' }],
  ['+254 712 345-678', { s: '', phone: '254712345678' }],
  ['0712.345.678', { s: '', phone: '254712345678' }],
  ['0712–345–678', { s: '', phone: '254712345678' }],
  ['(0712) 345678', { s: '', phone: '254712345678' }],
  ['00254 712 345678', { s: '', phone: '254712345678' }],
  ['712', { s: '', phone: '712' }],
  ['Jo Kamau', { s: 'Jo Kamau', phone: '' }],
  ['Jo 2', { s: 'Jo 2', phone: '' }],
  ['2 Jo', { s: '2 Jo', phone: '' }],
  ['KDA 123B', { s: 'KDA 123B', phone: '' }],
  ['+ Jo', { s: '+ Jo', phone: '' }],
  ['.', { s: '.', phone: '' }],
  ['-', { s: '-', phone: '' }],
])('typing %j in the palette searches for %j', (query, asked) => {
  expect(nameOrPhone(query)).toEqual(asked)
})

describe('Tab in the palette', () => {
  async function tabTo(driver: typeof jo) {
    serve({
      [search]: wirePage([driver]),
      'POST driver/:id/suspend/': { message: 'Rider suspended' },
      'POST driver/:id/unfreeze/': { message: 'Rider is back' },
      'GET drivers/:id': driver,
      ...histories,
    })
    const user = await openWith('zzz')
    await shown(driver.user.fullname)
    await user.keyboard('{Tab}')
    return user
  }

  it('shows the commands for the highlighted driver, Suspend first, beside its name', async () => {
    await tabTo(jo)
    expect(titles()).toEqual([
      'Suspend Jo Kamau',
      'Open Jo Kamau',
      'Copy phone number of Jo Kamau',
      'Invoices of Jo Kamau',
      'Trips of Jo Kamau',
      'Bookings of Jo Kamau',
      'Invites of Jo Kamau',
      'SOS logs of Jo Kamau',
    ])
    expect(highlighted()).toBe('Suspend Jo Kamau')
    expect(input()).toHaveProperty('value', '')
    expect(input().parentElement?.textContent).toContain('Jo Kamau')
  })

  it('shows Unsuspend first for a suspended driver (S4.3)', async () => {
    await tabTo(amina)
    expect(titles()[0]).toBe('Unsuspend Amina Yusuf')
    expect(titles()).not.toContain('Suspend Amina Yusuf')
  })

  it('and then Enter runs the command on this driver (S7.7, S8.2)', async () => {
    const user = await tabTo(jo)
    await user.keyboard('{Enter}')
    expect(await screen.findByText('Rider suspended')).toBeTruthy()
    expect(callsTo('POST driver/:id/suspend/').map(({ path }) => path)).toEqual(['driver/12/suspend/'])
    expect(isOpen()).toBe(false)
  })

  it('and then typing filters the commands, without a request', async () => {
    const user = await tabTo(jo)
    const asked = calls.length
    await user.keyboard('copy')
    expect(titles()).toEqual(['Copy phone number of Jo Kamau'])
    await new Promise((resolve) => setTimeout(resolve, 250))
    expect(calls).toHaveLength(asked)
  })

  it.each(['{Escape}', '{Backspace}'])('and then %s returns to the earlier query', async (key) => {
    const user = await tabTo(jo)
    await user.keyboard(key)
    expect(isOpen()).toBe(true)
    expect(input()).toHaveProperty('value', 'zzz')
    await shown('Jo Kamau')
    await user.keyboard('{Escape}')
    expect(isOpen()).toBe(false)
  })

  it('and then Backspace first deletes the text typed after Tab', async () => {
    const user = await tabTo(jo)
    await user.keyboard('c{Backspace}')
    expect(titles()[0]).toBe('Suspend Jo Kamau')
  })

  it('with Shift does nothing and keeps the focus in the input', async () => {
    serve({ [search]: wirePage([jo]) })
    const user = await openWith('zzz')
    await shown('Jo Kamau')
    await user.keyboard('{Shift>}{Tab}{/Shift}')
    expect(titles()).toEqual(['Jo Kamau'])
    expect(document.activeElement).toBe(input())
  })

  it('does nothing on a command and keeps the focus in the input', async () => {
    const user = await openWith('vehi')
    await user.keyboard('{Tab}')
    expect(highlighted()).toBe('Vehicles')
    expect(document.activeElement).toBe(input())
  })
})

describe('the address requested before login', () => {
  it('is the first suggestion until it is used', async () => {
    const second = wirePage([jo], { current_page_number: 2, total_pages: 2 })
    serve({ 'POST login/': { token: 'new' }, [search]: second })
    const { user } = renderApp({ path: '/riders?page=2&s=jo', staff: null })
    await user.type(await screen.findByLabelText('Email'), 'asha@twende.test')
    await user.type(screen.getByLabelText('Password'), 'secret{Enter}')
    await screen.findByRole('heading', { name: 'Dashboard' })
    expect(address()).toBe('/')
    await openPalette(user)
    expect(highlighted()).toBe('Continue to /riders?page=2&s=jo')
    await user.keyboard('{Enter}')
    expect(address()).toBe('/riders?page=2&s=jo')
    await openPalette(user)
    expect(titles().some((title) => title.startsWith('Continue'))).toBe(false)
  })

  it('is not suggested once a query is typed', async () => {
    getDefaultStore().set(askedForAtom, '/vehicles')
    await openWith('vehi')
    expect(titles()).toEqual(['Vehicles'])
  })
})

describe('a disabled command', () => {
  const run = vi.fn()
  afterEach(() => run.mockReset())
  const blocked = {
    id: 'test.blocked',
    about: 'Export the drivers',
    title: () => 'Export the drivers',
    enabled: () => 'An export is running',
    run,
  }

  it('shows the reason, and neither a click nor Enter runs it', async () => {
    getDefaultStore().set(dialogAtom, { kind: 'palette' })
    render(
      <QueryClientProvider client={queryClient}>
        <Palette icons={new Map()} prefetch={() => Promise.resolve()} commands={[blocked]} />
      </QueryClientProvider>,
    )
    const row = await screen.findByRole('option', { name: /Export the drivers/ })
    expect(within(row).getByText('An export is running')).toBeTruthy()
    expect(row.getAttribute('aria-disabled')).toBe('true')
    fireEvent.click(row)
    fireEvent.keyDown(input(), { key: 'Enter', code: 'Enter' })
    expect(run).not.toHaveBeenCalled()
    expect(isOpen()).toBe(true)
  })
})

it('the first row stays highlighted if it is disabled: Enter does not run the second one', () => {
  const run = vi.fn()
  const command = (id: string, title: string) => ({ id, about: title, title: () => title, run })
  const exporting = { ...command('test.export', 'Export the drivers'), enabled: () => 'Downloading…' }
  serve({ [search]: wirePage([]) })
  getDefaultStore().set(dialogAtom, { kind: 'palette' })
  render(
    <QueryClientProvider client={queryClient}>
      <Palette
        icons={new Map()}
        prefetch={() => Promise.resolve()}
        commands={[exporting, command('test.cancel', 'Cancel: Export the drivers')]}
      />
    </QueryClientProvider>,
  )
  for (const value of ['e', 'ex', 'export']) fireEvent.change(input(), { target: { value } })
  expect(titles()).toEqual(['Export the drivers', 'Cancel: Export the drivers'])
  expect(highlighted()).toBe('Export the drivers')
  expect(input().getAttribute('aria-activedescendant')).toBe(rows()[0]?.id)
  fireEvent.keyDown(input(), { key: 'Enter' })
  expect(run).not.toHaveBeenCalled()
  fireEvent.keyDown(input(), { key: 'ArrowDown' })
  expect(highlighted()).toBe('Cancel: Export the drivers')
  fireEvent.keyDown(input(), { key: 'Enter' })
  expect(run).toHaveBeenCalledOnce()
})

it('the palette makes no other list of the commands when it opens, as the words of its first one are prepared', async () => {
  const command = { id: 'test.export', about: 'Export', title: () => 'Export', run: vi.fn() }
  const commands = [command]
  const filter = vi.spyOn(commands, 'filter')
  const icons = new Map()
  render(
    <QueryClientProvider client={queryClient}>
      <Palette icons={icons} prefetch={() => Promise.resolve()} commands={commands} />
    </QueryClientProvider>,
  )
  for (const dialog of [{ kind: 'palette' as const }, null, { kind: 'palette' as const }])
    act(() => getDefaultStore().set(dialogAtom, dialog))
  await screen.findByRole('option', { name: /Export/ })
  expect(filter).toHaveBeenCalledOnce()
})

describe('a link to a command', () => {
  const link = '/trips?cmd=driver.suspend&id=12'

  it('opens the palette filled in, runs nothing by itself, and leaves the address', async () => {
    serve({ 'GET drivers/:id': jo, 'POST driver/:id/suspend/': { message: 'Rider suspended' } })
    const { user } = renderApp({ path: link })
    await shown('Suspend Jo Kamau')
    expect(input()).toHaveProperty('value', 'suspend driver #12')
    expect(address()).toBe('/trips')
    expect(callsTo('POST driver/:id/suspend/')).toHaveLength(0)
    await user.keyboard('{Enter}')
    expect(await screen.findByText('Rider suspended')).toBeTruthy()
  })

  it('to a command that is loaded later stays in the address until then', () => {
    navigate('/trips?cmd=theme.dark')
    const [dark] = preferenceCommands
    expect(takeLink([], false)).toBeNull()
    expect(address()).toBe('/trips?cmd=theme.dark')
    expect(takeLink(dark ? [dark] : [], true)).toBe('Dark theme')
    expect(address()).toBe('/trips')
  })

  it('with a command that does not exist opens nothing', async () => {
    renderApp({ path: '/trips?cmd=driver.fly&id=12' })
    await waitFor(() => expect(address()).toBe('/trips'))
    expect(isOpen()).toBe(false)
  })

  it('is copied from the highlighted row with Ctrl+Shift+C', async () => {
    serve({ 'GET drivers/:id': jo })
    const { user } = renderApp({ path: link })
    await shown('Suspend Jo Kamau')
    await user.keyboard('{Control>}{Shift>}C{/Shift}{/Control}')
    expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}${link}`)
    expect(isOpen()).toBe(true)
  })

  it('is copied with the key at the same place on a Cyrillic layout', async () => {
    serve({ 'GET drivers/:id': jo })
    const { user } = renderApp({ path: link })
    await shown('Suspend Jo Kamau')
    await navigator.clipboard.writeText('')
    fireEvent.keyDown(input(), { key: 'С', code: 'KeyC', ctrlKey: true, shiftKey: true })
    await waitFor(async () =>
      expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}${link}`),
    )
    await user.keyboard('{Escape}')
  })
})

describe("the focused row's commands", () => {
  const openOnRow = async () => {
    serve({ [search]: wirePage([jo, amina]) })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByText('Jo Kamau')
    await user.keyboard('j')
    await openPalette(user)
    return user
  }

  it('stay when Backspace is held to delete the text, and go when it is pressed again', async () => {
    await openOnRow()
    expect(highlighted()).toBe('Suspend Jo Kamau')
    fireEvent.keyDown(input(), { key: 'Backspace', repeat: true })
    expect(highlighted()).toBe('Suspend Jo Kamau')
    fireEvent.keyDown(input(), { key: 'Backspace' })
    expect(titles()).not.toContain('Suspend Jo Kamau')
  })

  it('leave the highlight on the first row when they go while one of them is highlighted', async () => {
    const user = await openOnRow()
    await user.keyboard('{ArrowDown}')
    expect(highlighted()).toBe('Open Jo Kamau')
    await user.keyboard('{Backspace}')
    expect(highlighted()).toBe(titles()[0])
    expect(input().getAttribute('aria-activedescendant')).toBe(rows()[0]?.id)
  })

  it('are the only rows when the dot key opened the palette', async () => {
    serve({ [search]: wirePage([jo, amina]), 'POST driver/:id/unfreeze/': { message: 'Rider is back' } })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByText('Jo Kamau')
    await user.keyboard('jj.')
    expect(titles()).toEqual([
      'Unsuspend Amina Yusuf',
      'Open Amina Yusuf',
      'Copy phone number of Amina Yusuf',
      ...['Invoices', 'Trips', 'Bookings', 'Invites', 'SOS logs'].map((list) => `${list} of Amina Yusuf`),
    ])
    await user.keyboard('{Enter}')
    expect(await screen.findByText('Rider is back')).toBeTruthy()
    expect(callsTo('POST driver/:id/unfreeze/').map(({ path }) => path)).toEqual(['driver/7/unfreeze/'])
  })
})
