import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { getDefaultStore } from 'jotai'
import { describe, expect, it, vi } from 'vitest'
import { navigate } from '../../src/state/location.ts'
import { settingsAtom } from '../../src/state/settings.ts'
import { callsTo, calls, hold, lose, refuse, serve } from '../support/network.ts'
import { address, renderApp, toasts } from '../support/render-app.tsx'
import { wireCoupon, wireInvoice, wirePage } from '../support/wire.ts'

const overdue = {
  ...{ id: 3, list: 'invoices', name: 'Overdue', query: 'filter=overdue', hidden: '', version: 1 },
  ...{ pinned: true, position: 1, deleted: false },
}
const running = { ...overdue, id: 4, list: 'coupons', name: 'Running', query: 'filter=running' }

function serveViews(views: readonly object[]): void {
  serve({
    'GET capabilities/': {
      views: true,
      filters: { invoices: ['overdue', 'unpaid'], coupons: ['running'] },
    },
    'GET views/': { results: views },
    'GET views/counts/': {
      results: [
        { id: 3, count: 1234 },
        { id: 4, count: null },
      ],
    },
    'GET all-invoices/': wirePage([wireInvoice()]),
  })
}

describe('saved views', () => {
  it('are not asked for and not offered by a server without them (rulings, lists)', async () => {
    serve({ 'GET capabilities/': { filters: { invoices: ['overdue'] } }, 'GET all-invoices/': wirePage([]) })
    const { user } = renderApp({ path: '/invoices?filter=overdue&view=Overdue' })
    await screen.findByRole('button', { name: 'Clear filters' })
    await user.keyboard('v')
    expect(calls.filter(({ path }) => path.startsWith('views'))).toEqual([])
    expect(screen.queryByRole('button', { name: /view/i })).toBeNull()
    expect(within(screen.getByRole('navigation', { name: 'Main' })).getAllByRole('link')).toHaveLength(14)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('are counted by one call for all lists, and a count that is not known is left out (rulings, lists)', async () => {
    serveViews([overdue, running, { ...overdue, id: 9, list: 'unknown' }])
    renderApp({ path: '/staff' })
    await screen.findByRole('link', { name: /^Overdue ?1,234$/ })
    expect(screen.getByRole('link', { name: 'Running' })).toBeTruthy()
    expect(callsTo('GET views/counts/')).toHaveLength(1)
  })

  it('are loaded again with another screen, unless they are fresh, as somebody may have changed them elsewhere', async () => {
    serveViews([overdue])
    const { user } = renderApp({ path: '/staff' })
    await screen.findByRole('link', { name: /^Overdue/ })
    await user.keyboard('gt')
    expect(callsTo('GET views/')).toHaveLength(1)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6_000 })
    serveViews([{ ...overdue, name: 'Long overdue' }])
    await user.keyboard('gi')
    expect(await screen.findByRole('link', { name: /^Long overdue/ })).toBeTruthy()
    expect(callsTo('GET views/')).toHaveLength(2)
    vi.useRealTimers()
  })

  it('are not counted if none is pinned', async () => {
    serveViews([{ ...overdue, pinned: false }])
    renderApp({ path: '/invoices?filter=overdue' })
    await screen.findByText('Overdue', { selector: '[data-changed]' })
    expect(callsTo('GET views/counts/')).toEqual([])
  })

  it('give the focus back to the button of their menu after a dialog that an item has opened', async () => {
    serveViews([])
    const { user } = renderApp({ path: '/invoices?filter=overdue' })
    const button = await screen.findByRole('button', { name: 'Views' })
    act(() => button.focus())
    await user.keyboard('{Enter}')
    await user.click(await screen.findByRole('menuitem', { name: 'Save view…' }))
    await screen.findByRole('dialog')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(button))
  })

  it('keep a typed name, and the form does not say that somebody else changed it, also after a link with another name (R2)', async () => {
    serveViews([])
    serve({ 'GET coupons/': wirePage([wireCoupon()]) })
    const { user } = renderApp({ path: '/invoices?filter=unpaid&view=Debtors' })
    await screen.findByRole('button', { name: 'Clear filters' })
    await user.keyboard('v')
    await user.type(await screen.findByLabelText('Name'), ' of May')
    await user.keyboard('{Escape}')
    act(() => navigate('/coupons'))
    await screen.findByRole('grid', { name: 'Coupons' })
    await user.keyboard('v')
    const name = await screen.findByLabelText('Name')
    expect(name).toMatchObject({ value: 'Debtors of May', title: '', ariaInvalid: 'false' })
  })

  it('are not saved for another list: when Back brings one on screen behind the form, the form closes and keeps the name (R2)', async () => {
    serveViews([])
    serve({ 'POST views/create/': { ...overdue, id: 9 } })
    const { user } = renderApp({ path: '/invoices?filter=unpaid' })
    await user.click(await screen.findByRole('button', { name: 'Remove the filter Unpaid' }))
    act(() => navigate('/invoices?filter=overdue'))
    await screen.findByRole('button', { name: 'Remove the filter Overdue' })
    await user.keyboard('v')
    await user.type(await screen.findByLabelText('Name'), 'Late')
    act(() => window.history.back())
    await waitFor(() => expect(address()).toBe('/invoices'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.keyboard('{Enter}')
    expect(callsTo('POST views/create/')).toEqual([])
    act(() => window.history.forward())
    await screen.findByRole('button', { name: 'Remove the filter Overdue' })
    await user.keyboard('v')
    expect(await screen.findByLabelText('Name')).toHaveProperty('value', 'Late')
  })

  it('that somebody else has linked are saved under the name of the link, and a refusal is shown', async () => {
    serveViews([])
    serve({ 'POST views/create/': () => refuse(400, 'Another view of this list has this name.') })
    const { user } = renderApp({ path: '/invoices?filter=unpaid&view=Debtors' })
    await user.click(await screen.findByRole('button', { name: 'Save view' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Debtors')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(toasts()).toEqual(['Another view of this list has this name.']))
    expect(callsTo('POST views/create/').map(({ body }) => body)).toEqual([
      {
        name: 'Debtors',
        pinned: false,
        list: 'invoices',
        query: 'filter=unpaid',
        hidden: '',
        column_order: '',
      },
    ])
    expect(address()).toBe('/invoices?filter=unpaid&view=Debtors')
  })
})

describe('a change of a saved view without an answer', () => {
  it('is not called a failure, as the server may have stored it: not confirmed', async () => {
    serveViews([])
    serve({ 'POST views/create/': lose })
    const { user } = renderApp({ path: '/invoices?filter=unpaid&view=Debtors' })
    await user.click(await screen.findByRole('button', { name: 'Save view' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(toasts()).toEqual(['The server did not confirm: Save view']))
  })

  it('that is a deletion says so', async () => {
    serveViews([overdue])
    serve({ 'POST views/:id/update/': () => refuse(502) })
    const { user } = renderApp({ path: '/invoices' })
    await screen.findByRole('link', { name: /^Overdue/ })
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await screen.findByRole('combobox'), 'delete view overdue')
    await user.click(await screen.findByRole('option', { name: /^Delete view Overdue/ }))
    await waitFor(() => expect(toasts()).toEqual(['The server did not confirm: Delete view']))
  })
})

describe('the order of columns in a saved view', () => {
  const key = '/coupons?view=Running'
  const specified = ['ID #', 'Code', 'Amount', 'Expiry date', 'Users', 'Actions']
  const moved = ['ID #', 'Users', 'Code', 'Amount', 'Expiry date', 'Actions']
  const stored = 'users,code,amount,expiry-date,actions'
  const headers = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  const update = () => screen.queryByRole('button', { name: 'Update view' })
  const move = async (user: ReturnType<typeof renderApp>['user'], name: string, way: string) => {
    fireEvent.contextMenu(screen.getByRole('columnheader', { name }))
    await user.click(await screen.findByRole('menuitem', { name: `Move the column ${name} ${way}` }))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  }
  async function open(views: readonly object[], path = '/coupons?filter=running&view=Running') {
    serveViews(views)
    serve({ 'GET coupons/': wirePage([wireCoupon({ code: 'KARIBU' })]) })
    const { user } = renderApp({ path })
    await screen.findByText('KARIBU')
    await screen.findByRole('link', { name: /^Running/ })
    return user
  }

  it('is shown by a link that this browser has not opened before (rulings, lists)', async () => {
    await open([{ ...running, column_order: stored }])
    await waitFor(() => expect(headers()).toEqual(moved))
    expect(update()).toBeNull()
  })

  it('replaces the order of this browser when the view is opened', async () => {
    const store = getDefaultStore()
    store.set(settingsAtom, { order: { [key]: ['amount', 'code'] }, hidden: { [key]: [] } })
    const user = await open([{ ...running, column_order: '' }], '/coupons')
    await user.click(screen.getByRole('link', { name: /^Running/ }))
    await waitFor(() => expect(address()).toBe('/coupons?filter=running&view=Running'))
    expect(headers()).toEqual(specified)
    expect(update()).toBeNull()
  })

  it('marks the view as changed when a column is moved, until it is moved back', async () => {
    const user = await open([{ ...running, column_order: '' }])
    expect(update()).toBeNull()
    await move(user, 'Code', 'right')
    expect(update()).toBeTruthy()
    await move(user, 'Code', 'left')
    expect(update()).toBeNull()
  })

  it('is stored when the view is updated to what is on screen', async () => {
    serve({ 'POST views/:id/update/': { record: { ...running, column_order: stored } } })
    const user = await open([{ ...running, column_order: stored }])
    await waitFor(() => expect(headers()).toEqual(moved))
    await move(user, 'Users', 'right')
    await user.click(screen.getByRole('button', { name: 'Update view' }))
    const fields = { query: 'filter=running', hidden: '' }
    await waitFor(() =>
      expect(callsTo('POST views/:id/update/').map(({ body }) => body)).toEqual([
        { ...fields, column_order: 'code,users,amount,expiry-date,actions', version: 1 },
      ]),
    )
    // What is on screen stays there, also where the view is not what it shows.
    expect(headers().slice(0, 3)).toEqual(['ID #', 'Code', 'Users'])
  })

  it('stays that of this browser in a view that was saved without one, and can be added to it', async () => {
    getDefaultStore().set(settingsAtom, { order: { [key]: stored.split(',') }, hidden: {} })
    await open([running])
    expect(headers()).toEqual(moved)
    expect(update()).toBeTruthy()
  })

  it('ignores columns that the list does not have', async () => {
    await open([{ ...running, column_order: 'gone,users,code,amount,expiry-date,actions' }])
    await waitFor(() => expect(headers()).toEqual(moved))
  })
})

describe('a late answer to a change of a saved view', () => {
  const views = [running, { ...running, id: 5, name: 'Past', query: 'filter=past', pinned: true }]
  const hidden = { '/coupons?view=Running': ['users'], '/coupons?view=Past': ['amount'] }

  async function open(path: string) {
    getDefaultStore().set(settingsAtom, { hidden })
    serveViews(views)
    serve({
      'GET capabilities/': { views: true, filters: { coupons: ['running', 'past'] } },
      'GET coupons/': wirePage([wireCoupon({ code: 'KARIBU' })]),
    })
    const { user } = renderApp({ path })
    await screen.findByText('KARIBU')
    await screen.findByRole('link', { name: /^Past/ })
    return user
  }

  it('leaves the address and the columns of another view that is on screen by then', async () => {
    const reply = hold()
    const user = await open('/coupons?filter=running&view=Running')
    serve({ 'POST views/:id/update/': reply.answer })
    await user.click(await screen.findByRole('button', { name: 'Update view' }))
    await waitFor(() => expect(callsTo('POST views/:id/update/')).toHaveLength(1))
    act(() => navigate('/coupons?filter=past&view=Past'))
    const loaded = callsTo('GET views/').length
    reply.give({ ...running, hidden: 'users' })
    await waitFor(() => expect(callsTo('GET views/').length).toBeGreaterThan(loaded))
    expect(address()).toBe('/coupons?filter=past&view=Past')
    expect(getDefaultStore().get(settingsAtom).hidden).toEqual(hidden)
  })

  it('leaves the address of the list if that has changed since a new view was sent', async () => {
    const reply = hold()
    const user = await open('/coupons?filter=running&q=x')
    serve({ 'POST views/create/': reply.answer })
    await user.keyboard('v')
    await user.type(await screen.findByLabelText('Name'), 'Mine{Enter}')
    await waitFor(() => expect(callsTo('POST views/create/')).toHaveLength(1))
    await user.keyboard('{Escape}')
    act(() => navigate('/coupons?filter=past&view=Past'))
    const loaded = callsTo('GET views/').length
    reply.give({ ...running, id: 9, name: 'Mine' })
    await waitFor(() => expect(callsTo('GET views/').length).toBeGreaterThan(loaded))
    expect(address()).toBe('/coupons?filter=past&view=Past')
    expect(getDefaultStore().get(settingsAtom).hidden).toEqual(hidden)
  })
})
