import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { callsTo, calls, refuse, serve } from '../support/network.ts'
import { address, renderApp, toasts } from '../support/render-app.tsx'
import { wireInvoice, wirePage } from '../support/wire.ts'

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

  it('are not counted if none is pinned', async () => {
    serveViews([{ ...overdue, pinned: false }])
    renderApp({ path: '/invoices?filter=overdue' })
    await screen.findByText('Overdue', { selector: '[data-changed]' })
    expect(callsTo('GET views/counts/')).toEqual([])
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
      { name: 'Debtors', pinned: false, list: 'invoices', query: 'filter=unpaid', hidden: '' },
    ])
    expect(address()).toBe('/invoices?filter=unpaid&view=Debtors')
  })
})
