import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { getDefaultStore } from 'jotai'
import { describe, expect, it, vi } from 'vitest'
import { commands } from '../../../src/views/app.tsx'
import { isOffered } from '../../../src/commands/command.ts'
import { activityAtom } from '../../../src/state/activity.ts'
import { settingsAtom } from '../../../src/state/settings.ts'
import { callsTo, hold, refuse, serve } from '../../support/network.ts'
import { address, renderApp } from '../../support/render-app.tsx'
import { wireCoupon, wireDriver, wirePage, wireTrip } from '../../support/wire.ts'

const list = 'GET drivers/'
const suspended = 'POST driver/:id/suspend/'
const unfrozen = 'POST driver/:id/unfreeze/'
const capabilities = {
  count: true,
  page_size: true,
  idempotency: true,
  ordering: { drivers: ['id', 'fullname', 'wallet_balance'] },
}
const jo = wireDriver({ id: 12, name: 'Jo Kamau' })
const amina = wireDriver({ id: 7, name: 'Amina Yusuf', deleted: true })
const baraka = wireDriver({ id: 5, name: 'Baraka Mwangi' })

const rowOf = (name: string) => screen.getByRole('row', { name: new RegExp(name) })
const selected = () =>
  screen
    .getAllByRole('row', { selected: true })
    .map((row) => within(row).getAllByRole('link')[1]?.textContent)
const bar = () => screen.getByRole('group', { name: 'Selection' })
const header = (name: string) => screen.getByRole('columnheader', { name })
const headers = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)

async function open(path = '/riders') {
  serve({ 'GET capabilities/': capabilities, [list]: wirePage([jo, amina, baraka]) })
  const { user } = renderApp({ path })
  await screen.findByText('Jo Kamau')
  return user
}

type User = ReturnType<typeof renderApp>['user']

async function choose(user: User, command: string) {
  await user.keyboard('{Control>}k{/Control}')
  // Pasted, as each typed letter renders all rows of the palette.
  await user.paste(command)
  const titles = () =>
    screen.queryAllByRole('option').map((row) => row.querySelector('span > span')?.textContent)
  await waitFor(() => expect(titles()).toContain(command))
  await user.keyboard('{Enter}')
}

describe('sorting', () => {
  it('by a header goes from ascending to descending to the order of the server, on page 1', async () => {
    const user = await open('/riders?page=1&s=a')
    for (const [ordering, direction] of [
      ['fullname', 'ascending'],
      ['-fullname', 'descending'],
      [undefined, null],
    ] satisfies [string | undefined, string | null][]) {
      await user.click(within(header('Name')).getByRole('button'))
      if (ordering) await waitFor(() => expect(callsTo(list).at(-1)?.query['ordering']).toBe(ordering))
      await waitFor(() => expect(header('Name').getAttribute('aria-sort')).toBe(direction))
      expect(address()).toBe(ordering ? `/riders?s=a&ordering=${ordering}` : '/riders?s=a')
    }
  })

  it('is not shown by a header if the server cannot sort by it', async () => {
    serve({ [list]: wirePage([jo, amina]) })
    renderApp({ path: '/riders?ordering=fullname' })
    await screen.findByText('Jo Kamau')
    expect(header('Name').getAttribute('aria-sort')).toBeNull()
  })

  it('is offered only for columns that the server can sort by', async () => {
    await open()
    const sortable = screen
      .getAllByRole('columnheader')
      .filter((one) => within(one).queryByRole('button'))
      .map(({ textContent }) => textContent)
    expect(sortable).toEqual(['ID #', 'Name', 'Wallet(Ksh)'])
  })

  it('is not offered if the server has no capabilities (rulings, capabilities)', async () => {
    serve({ 'GET capabilities/': () => refuse(404), [list]: wirePage([jo]) })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByText('Jo Kamau')
    expect(within(header('Name')).queryByRole('button')).toBeNull()
    await user.keyboard('{Control>}k{/Control}sort')
    expect(screen.queryByRole('option', { name: /^Sort/ })).toBeNull()
  })

  it('by a command goes through the same three orders', async () => {
    const user = await open()
    await choose(user, 'Sort by Wallet(Ksh)')
    await waitFor(() => expect(address()).toBe('/riders?ordering=wallet_balance'))
    await choose(user, 'Sort by Wallet(Ksh), descending')
    await waitFor(() => expect(address()).toBe('/riders?ordering=-wallet_balance'))
    await choose(user, 'Do not sort this list any more')
    await waitFor(() => expect(address()).toBe('/riders'))
  })

  it('has two commands for every sortable column, offered where the server can sort by it', async () => {
    await open()
    const sorts = commands.filter(({ id }) => /^riders.sortBy/.test(id))
    expect(sorts.length).toBeGreaterThan(10)
    const offered = (path: string) =>
      sorts
        .filter((command) => isOffered(command, { path, targets: [] }))
        .map((command) => command.title({ path, targets: [] }))
    expect(offered('/riders').toSorted()).toEqual([
      'Sort by ID #',
      'Sort by ID #, descending',
      'Sort by Name',
      'Sort by Name, descending',
      'Sort by Wallet(Ksh)',
      'Sort by Wallet(Ksh), descending',
    ])
    expect(offered('/')).toContain('Sort drivers by Name')
  })
})

describe('selecting rows', () => {
  it('with x and Space toggles the focused row', async () => {
    const user = await open()
    await user.keyboard('jx')
    expect(selected()).toEqual(['Jo Kamau'])
    await user.keyboard('j{ }')
    expect(selected()).toEqual(['Jo Kamau', 'Amina Yusuf'])
    await user.keyboard('x')
    expect(selected()).toEqual(['Jo Kamau'])
  })

  it('with Shift and J, K or an arrow adds every row that the focus passes', async () => {
    const user = await open()
    await user.keyboard('j{Shift>}J{/Shift}')
    expect(selected()).toEqual(['Jo Kamau', 'Amina Yusuf'])
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}')
    expect(selected()).toEqual(['Jo Kamau', 'Amina Yusuf', 'Baraka Mwangi'])
    expect(document.activeElement?.closest('tr')).toBe(rowOf('Baraka Mwangi'))
  })

  it('with Shift and J begins at the focused row after the selection was cleared', async () => {
    const user = await open()
    await user.keyboard('jx{Escape}j{Shift>}J{/Shift}')
    expect(selected()).toEqual(['Amina Yusuf', 'Baraka Mwangi'])
  })

  it('with Shift and X selects the whole page or nothing; Escape clears the selection', async () => {
    const user = await open()
    await user.keyboard('j{Shift>}X{/Shift}')
    expect(selected()).toHaveLength(3)
    await user.keyboard('{Shift>}X{/Shift}')
    expect(screen.queryAllByRole('row', { selected: true })).toEqual([])
    await user.keyboard('x{Escape}')
    expect(screen.queryAllByRole('row', { selected: true })).toEqual([])
  })

  it('works with the mouse: the checkbox, Ctrl and a click, Shift and a click', async () => {
    const user = await open()
    await user.click(screen.getByRole('checkbox', { name: 'Select 12' }))
    expect(selected()).toEqual(['Jo Kamau'])
    fireEvent.click(within(rowOf('Baraka Mwangi')).getByText(/254/), { shiftKey: true })
    expect(selected()).toEqual(['Jo Kamau', 'Amina Yusuf', 'Baraka Mwangi'])
    fireEvent.click(within(rowOf('Amina Yusuf')).getByText(/254/), { ctrlKey: true })
    expect(selected()).toEqual(['Jo Kamau', 'Baraka Mwangi'])
    await user.click(within(bar()).getByRole('button', { name: 'Clear selection' }))
    expect(screen.queryAllByRole('row', { selected: true })).toEqual([])
  })

  it('survives the reload after an action that failed, and is over after one that succeeded (R5)', async () => {
    serve({ [suspended]: () => refuse(409) })
    const user = await open()
    await user.keyboard('jx')
    await user.keyboard('s')
    await waitFor(() => expect(callsTo(list)).toHaveLength(2))
    expect(selected()).toEqual(['Jo Kamau'])
    serve({ [suspended]: { message: 'Done' } })
    await user.keyboard('s')
    await waitFor(() => expect(callsTo(list)).toHaveLength(3))
    expect(screen.queryByRole('group', { name: 'Selection' })).toBeNull()
    expect(document.activeElement?.closest('tr')).toBe(rowOf('Jo Kamau'))
  })
})

describe('an action on a selection', () => {
  it('of fifty rows reloads the list once, after the last request (R5)', async () => {
    const fifty = Array.from({ length: 50 }, (_, at) => wireDriver({ id: at + 1, name: `Driver ${at + 1}` }))
    serve({
      'GET capabilities/': capabilities,
      [list]: wirePage(fifty),
      [suspended]: { message: 'Suspended.' },
    })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByText('Driver 50')
    const before = callsTo(list).length
    let doneAtReload = 0
    serve({
      [list]: () => {
        doneAtReload = callsTo(suspended).length
        return wirePage(fifty.map((driver) => ({ ...driver, deleted: true })))
      },
    })
    await user.keyboard('j{Shift>}X{/Shift}s')
    await waitFor(() => expect(screen.getAllByRole('button', { name: /^Unsuspend/ })).toHaveLength(50))
    expect(callsTo(suspended)).toHaveLength(50)
    expect(callsTo(list)).toHaveLength(before + 1)
    expect(doneAtReload).toBe(50)
  })

  it('by key acts on all rows that it applies to, and is undone as one action (R7)', async () => {
    serve({
      [suspended]: ({ path }: { path: string }) => ({ message: `${path.split('/')[1]} suspended` }),
      [unfrozen]: { message: 'Back' },
    })
    const user = await open()
    await user.keyboard('j{Shift>}X{/Shift}s')
    await screen.findByText(/12 suspended\s+5 suspended/)
    expect(callsTo(suspended).map(({ path }) => path)).toEqual(['driver/12/suspend/', 'driver/5/suspend/'])
    await choose(user, 'Undo: Suspend 2 drivers')
    await waitFor(() => expect(callsTo(unfrozen)).toHaveLength(2))
  })

  it('is offered in the selection bar, with the number of rows in its name', async () => {
    serve({ [suspended]: { message: 'Done' } })
    const user = await open()
    await user.keyboard('j{Shift>}X{/Shift}')
    expect(bar().textContent).toContain('3 of 3 selected')
    expect(
      within(bar())
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Suspend 2 of 3 drivers', 'Unsuspend Amina Yusuf', 'Clear selection'])
    expect(within(bar()).getByText('1 is suspended already')).toBeTruthy()
    await user.click(within(bar()).getByRole('button', { name: 'Suspend 2 of 3 drivers' }))
    await waitFor(() => expect(callsTo(suspended)).toHaveLength(2))
  })

  it('that fails on some rows shows one toast and marks these rows (R3)', async () => {
    serve({
      [suspended]: ({ path }: { path: string }) =>
        path.includes('/12/') ? refuse(500) : { message: 'Baraka suspended' },
    })
    const user = await open()
    await user.keyboard('j{Shift>}X{/Shift}s')
    await screen.findByText('Baraka suspended')
    expect(screen.getAllByText('An error occured!. Driver could not be unsuspended')).toHaveLength(1)
    expect(within(rowOf('Jo Kamau')).getByRole('img', { name: /failed/ })).toBeTruthy()
    expect(within(rowOf('Baraka Mwangi')).queryByRole('img', { name: /failed/ })).toBeNull()
  })

  it('is not offered for several rows if it opens a form', async () => {
    serve({ 'GET coupons/': wirePage([wireCoupon({ id: 1 }), wireCoupon({ id: 2 })]) })
    const { user } = renderApp({ path: '/coupons' })
    await screen.findByRole('grid')
    await user.keyboard('j{Shift>}X{/Shift}')
    expect(
      within(bar())
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Delete 2 coupons', 'Clear selection'])
  })
})

describe('choosing columns', () => {
  it('hides and shows them with the menu, and stores that in this browser', async () => {
    const user = await open()
    await user.click(screen.getByRole('button', { name: 'Columns' }))
    await user.click(screen.getByRole('menuitemcheckbox', { name: 'Phone No' }))
    expect(headers()).not.toContain('Phone No')
    expect(localStorage.getItem('oms.settings')).toContain('"/riders":["phone-no"]')
    await user.click(screen.getByRole('menuitemcheckbox', { name: 'Phone No' }))
    expect(headers()).toContain('Phone No')
  })

  it.each(['/riders/', '/Riders'])('hides them at the address %s too, for the same list', async (path) => {
    const user = await open(path)
    expect(screen.getByRole('link', { name: 'Drivers' }).getAttribute('aria-current')).toBe('page')
    await user.click(screen.getByRole('button', { name: 'Columns' }))
    await user.click(screen.getByRole('menuitemcheckbox', { name: 'Phone No' }))
    expect(headers()).not.toContain('Phone No')
    expect(localStorage.getItem('oms.settings')).toContain('"/riders":["phone-no"]')
  })

  it('hides and shows them with a command', async () => {
    const user = await open()
    await choose(user, 'Hide the column Date joined')
    await waitFor(() => expect(headers()).not.toContain('Date joined'))
    await choose(user, 'Show the column Date joined')
    await waitFor(() => expect(headers()).toContain('Date joined'))
  })

  it('cannot hide the last one, and keeps a tab stop when the focused column is hidden', async () => {
    const user = await open()
    await user.keyboard('j{End}')
    const ids = ['phone-no', 'date-joined', 'completed-trips', 'failed-trips', 'wallet-ksh']
    act(() => getDefaultStore().set(settingsAtom, { hidden: { '/riders': [...ids, 'status', 'action'] } }))
    expect(headers()).toEqual(['ID #', 'Name'])
    expect(document.querySelectorAll('td [tabindex="0"], td[tabindex="0"]')).toHaveLength(1)
    await user.click(screen.getByRole('button', { name: 'Columns' }))
    await user.click(screen.getByRole('menuitemcheckbox', { name: 'ID #' }))
    expect(screen.getByRole('menuitemcheckbox', { name: 'Name' }).getAttribute('aria-disabled')).toBe('true')
  })
})

describe('copying', () => {
  const copied = () => {
    const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    return () => written.mock.calls.at(-1)?.[0]
  }
  const joAsText = '12\tJo Kamau\t+254710000012\t3rd Nov 2025\t'

  it('copies the focused row, with tabs between the cells', async () => {
    const user = await open()
    const text = copied()
    await user.keyboard('jy')
    expect(text()).toMatch(new RegExp(`^${joAsText.replace('+', '\\+')}[^\\n]*\\tOnline$`))
    expect(getDefaultStore().get(activityAtom)[0]).toMatchObject({ what: 'Copy rows', outcome: 'done' })
    expect(screen.getByRole('status', { name: 'Status' }).textContent).toBe('Done: Copy rows')
  })

  it('copies the selected rows, one per line, with the visible columns only', async () => {
    const user = await open()
    const ids = ['date-joined', 'completed-trips', 'failed-trips', 'wallet-ksh', 'status', 'action']
    act(() => getDefaultStore().set(settingsAtom, { hidden: { '/riders': ids } }))
    const text = copied()
    await user.keyboard('jxjjx')
    await user.keyboard('y')
    expect(text()).toBe('12\tJo Kamau\t+254710000012\n5\tBaraka Mwangi\t+254710000005')
  })

  it('also works with the copy event of the browser, unless text is selected', async () => {
    const user = await open()
    await user.keyboard('j')
    const clipboardData = { setData: vi.fn() }
    const event = () => fireEvent.copy(document.activeElement ?? document.body, { clipboardData })
    event()
    expect(clipboardData.setData).toHaveBeenCalledWith('text/plain', expect.stringContaining(joAsText))
    clipboardData.setData.mockClear()
    document.getSelection()?.selectAllChildren(rowOf('Jo Kamau'))
    event()
    expect(clipboardData.setData).not.toHaveBeenCalled()
    document.getSelection()?.removeAllRanges()
  })

  it('escapes formulas for spreadsheets, and removes tabs and line breaks inside cells', async () => {
    serve({ [list]: wirePage([wireDriver({ id: 9, name: '=HYPERLINK("x")\tKamau\nJo' })]) })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByRole('grid')
    const text = copied()
    await user.keyboard('jy')
    expect(text()?.split('\t')[1]).toBe('\'=HYPERLINK("x") Kamau Jo')
    expect(text()).not.toContain('\n')
  })

  it('quotes a cell that begins with a quote, which spreadsheets would read on into the next cells', async () => {
    serve({
      [list]: wirePage([wireDriver({ id: 9, name: '"Jo" Kamau' }), wireDriver({ id: 8, name: 'Ali "Al' })]),
    })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByRole('grid')
    const text = copied()
    await user.keyboard('j{Shift>}X{/Shift}y')
    const names = text()
      ?.split('\n')
      .map((line) => line.split('\t')[1])
    expect(names).toEqual(['"""Jo"" Kamau"', 'Ali "Al'])
  })

  it('is listed as failed in the activity if the browser refuses it (R6)', async () => {
    const user = await open()
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('Not allowed'))
    await user.keyboard('jy')
    await waitFor(() =>
      expect(getDefaultStore().get(activityAtom)[0]).toMatchObject({
        what: 'Copy rows',
        outcome: 'failed',
        detail: 'Not allowed',
      }),
    )
    expect(screen.getByRole('status', { name: 'Status' }).textContent).toBe('')
  })
})

describe('printing', () => {
  it('renders every row, however many there are', async () => {
    const many = Array.from({ length: 600 }, (_, at) => wireDriver({ id: at + 1, name: `Driver ${at + 1}` }))
    serve({ 'GET capabilities/': capabilities, [list]: wirePage(many) })
    renderApp({ path: '/riders?size=1000' })
    await screen.findByText('Driver 1')
    expect(screen.queryByText('Driver 600')).toBeNull()
    fireEvent(window, new Event('beforeprint'))
    expect(screen.getByText('Driver 600')).toBeTruthy()
    fireEvent(window, new Event('afterprint'))
    await waitFor(() => expect(screen.queryByText('Driver 600')).toBeNull())
  })

  it('is started by a command', async () => {
    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
    const user = await open()
    await choose(user, 'Print this list')
    await waitFor(() => expect(print).toHaveBeenCalledOnce())
  })
})

describe('the palette on another screen', () => {
  async function openTrips() {
    serve({
      'GET capabilities/': {
        ...capabilities,
        ordering: { ...capabilities.ordering, trips: ['id'] },
      },
      [list]: wirePage([jo, amina, baraka]),
      'GET trips/': wirePage([wireTrip()]),
    })
    const { user } = renderApp({ path: '/trips' })
    await screen.findByRole('grid')
    return user
  }
  const found = () =>
    screen.queryAllByRole('option').filter(({ textContent }) => textContent.includes('drivers')).length

  it('sorts a list that the query names, and opens it', async () => {
    const user = await openTrips()
    await choose(user, 'Sort drivers by Name, descending')
    expect(address()).toBe('/riders?ordering=-fullname')
  })

  it('sets the rows of its pages', async () => {
    const user = await openTrips()
    await choose(user, 'Show 100 drivers a page')
    expect(address()).toBe('/riders?size=100')
  })

  it('hides one of its columns', async () => {
    const user = await openTrips()
    await choose(user, 'Hide the column Phone No of drivers')
    expect(address()).toBe('/riders')
    await screen.findByText('Jo Kamau')
    expect(headers()).not.toContain('Phone No')
  })

  it('prints it once its rows are on screen', async () => {
    const printed: string[] = []
    vi.spyOn(window, 'print').mockImplementation(() => {
      printed.push(screen.queryByText('Jo Kamau') ? address() : 'no rows')
    })
    const user = await openTrips()
    await choose(user, 'Print the drivers')
    await waitFor(() => expect(printed).toEqual(['/riders']))
  })

  it('prints all of its rows, also those below the window, which come after the first frame', async () => {
    const fifty = Array.from({ length: 50 }, (_, at) => wireDriver({ id: at + 1, name: `Driver ${at + 1}` }))
    const printed: (string | null)[] = []
    vi.spyOn(window, 'print').mockImplementation(() => {
      fireEvent(window, new Event('beforeprint'))
      printed.push(...screen.queryAllByRole('link', { name: /^Driver / }).map((link) => link.textContent))
    })
    const user = await openTrips()
    serve({ [list]: wirePage(fifty) })
    await choose(user, 'Print the drivers')
    await waitFor(() => expect(printed).toHaveLength(50))
  })

  it('does not print it if a screen without a list was opened before it was loaded', async () => {
    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
    const user = await openTrips()
    const drivers = hold()
    serve({ [list]: drivers.answer, 'GET analytics/': {} })
    await choose(user, 'Print the drivers')
    await user.keyboard('gh')
    await screen.findByRole('heading', { name: 'Dashboard' })
    drivers.give(wirePage([jo]))
    await user.keyboard('gd')
    await screen.findByText('Jo Kamau')
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)))
    expect(print).not.toHaveBeenCalled()
  })

  it('does not print it if another list was opened before it was loaded', async () => {
    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
    const user = await openTrips()
    const drivers = hold()
    serve({ [list]: drivers.answer })
    await choose(user, 'Print the drivers')
    await user.keyboard('gt')
    await screen.findByRole('grid')
    drivers.give(wirePage([jo]))
    await user.keyboard('gd')
    await screen.findByText('Jo Kamau')
    expect(print).not.toHaveBeenCalled()
  })

  it('has none of these without the name of a list', async () => {
    const user = await openTrips()
    await user.keyboard('{Control>}k{/Control}sort')
    await screen.findAllByRole('option')
    expect(found()).toBe(0)
    await user.keyboard(' drivers')
    await waitFor(() => expect(found()).toBeGreaterThan(5))
  })
})
