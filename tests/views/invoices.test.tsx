import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { endSession } from '../../src/state/session.ts'
import { callsTo, hold, refuse, serve } from '../support/network.ts'
import { address, renderApp, toasts } from '../support/render-app.tsx'
import { wireDriver, wireInvoice, wirePage } from '../support/wire.ts'

const list = 'GET all-invoices/'
const cleared = 'POST invoice/update/'
const unpaid = wireInvoice({ id: 70 })
const other = wireInvoice({ id: 71, driver: null })
const paid = wireInvoice({ id: 72, paid: true, date_paid: '2025-11-05T07:30:00Z' })

const question = () => screen.getByRole('alertdialog')
const clear = (id: number) => screen.getByRole('button', { name: `Clear invoice ${id}` })

/** Whether Enter presses nothing. */
const isPrevented = ({ repeat }: { repeat: boolean }) =>
  !fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Enter', repeat })

async function open(...rows: unknown[]) {
  serve({ [list]: wirePage(rows) })
  const { user } = renderApp({ path: '/invoices' })
  await screen.findByRole('grid', { name: 'Invoices' })
  return user
}

describe('clearing an invoice', () => {
  it("shows processing... on its own row, then the server's message, and the list reloads (S2.k.5, S4.6, S7.22, S8.9)", async () => {
    const reply = hold()
    const user = await open(unpaid, other)
    serve({ [cleared]: reply.answer })
    expect(clear(70).textContent).toBe('Clear')
    await user.click(clear(70))
    expect(clear(70).textContent).toBe('processing...')
    expect(clear(71).textContent).toBe('Clear')
    serve({ [list]: wirePage([{ ...unpaid, paid: true }, other]) })
    reply.give({ message: 'Invoice 70 is settled' })
    expect(await screen.findByText('Invoice 70 is settled')).toBeTruthy()
    expect(await screen.findByRole('img', { name: 'Paid: yes' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Clear invoice 70' })).toBeNull()
    expect(callsTo(cleared).map(({ body }) => body)).toEqual([{ invoice_id: 70 }])
  })

  it('sends one request, however often it is pressed meanwhile (R8)', async () => {
    const reply = hold()
    const user = await open(unpaid)
    serve({ [cleared]: reply.answer })
    await user.click(clear(70))
    await user.click(clear(70))
    await user.keyboard('{Enter}c')
    reply.give({ message: 'Done' })
    await waitFor(() => expect(clear(70).textContent).toBe('Clear'))
    expect(callsTo(cleared)).toHaveLength(1)
    expect(callsTo(cleared)[0]?.headers.get('idempotency-key')).toMatch(/^[\w-]{36}$/)
  })

  it('clears one invoice while Enter is held down, although the button of the next one has the focus then (R8)', async () => {
    const user = await open(unpaid, other)
    serve({ [cleared]: { message: 'Done' }, [list]: wirePage([other]) })
    act(() => clear(70).focus())
    await user.keyboard('{Enter}')
    await waitFor(() => expect(document.activeElement).toBe(clear(71)))
    expect(isPrevented({ repeat: true })).toBe(true)
    expect(isPrevented({ repeat: false })).toBe(false)
    expect(callsTo(cleared)).toHaveLength(1)
  })

  it('shows the specified error toast after a failure, marks its row, and can be repeated (S8.8, R3, R5)', async () => {
    const user = await open(unpaid, other)
    serve({ [cleared]: () => refuse(409, 'Boom') })
    await user.click(clear(70))
    await waitFor(() => expect(toasts()).toEqual(['An error occured!. Driver could not be unsuspended']))
    expect(clear(70).textContent).toBe('Clear')
    const mark = screen.getByRole('img', { name: 'The last action on this row failed' })
    expect(mark.closest('tr')).toBe(clear(70).closest('tr'))
    await waitFor(() => expect(callsTo(list)).toHaveLength(2))
  })

  it('reloads the drivers too, as it decides who is found by the filter "Owing" (R5)', async () => {
    const owing = 'GET drivers/'
    serve({
      [list]: wirePage([unpaid]),
      [cleared]: { message: 'Settled' },
      [owing]: wirePage([wireDriver()]),
    })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByRole('grid', { name: 'Drivers' })
    await user.keyboard('gi')
    await user.click(await screen.findByRole('button', { name: 'Clear invoice 70' }))
    await waitFor(() => expect(toasts()).toEqual(['Settled']))
    expect(callsTo(owing)).toHaveLength(1)
    await user.keyboard('gd')
    await waitFor(() => expect(callsTo(owing)).toHaveLength(2))
  })

  it('cannot be undone, so no Undo is offered (R7)', async () => {
    const user = await open(unpaid)
    serve({ [cleared]: { message: 'Settled' } })
    await user.click(clear(70))
    await waitFor(() => expect(toasts()).toEqual(['Settled']))
    await user.keyboard('{Control>}z{/Control}')
    expect(callsTo(cleared)).toHaveLength(1)
  })

  it('works with its key after a question, only on an unpaid invoice (S2.k.5)', async () => {
    const user = await open(paid, unpaid)
    serve({ [cleared]: { message: 'Settled' } })
    await user.keyboard('jc')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await user.keyboard('jc')
    expect(question().textContent).toContain('Clear invoice 70, Ksh 2,500?Enter clears, Escape cancels')
    expect(callsTo(cleared)).toEqual([])
    await user.keyboard('{Enter}')
    await waitFor(() => expect(toasts()).toEqual(['Settled']))
    expect(callsTo(cleared).map(({ body }) => body)).toEqual([{ invoice_id: 70 }])
  })
})

describe('the question before invoices are cleared by the keyboard, or more than one', () => {
  it('is asked for the button of the selection too, as clearing cannot be undone (R7)', async () => {
    const user = await open(unpaid, other)
    serve({ [cleared]: { message: 'Settled' } })
    await user.keyboard('j{Shift>}X{/Shift}')
    const bar = screen.getByRole('group', { name: 'Selection' })
    await user.click(within(bar).getByRole('button', { name: /^Clear 2 invoices/ }))
    expect(question().textContent).toContain('Clear 2 invoices, Ksh 5,000?')
    expect(callsTo(cleared)).toEqual([])
    await user.click(within(question()).getByRole('button', { name: 'Clear' }))
    await waitFor(() => expect(callsTo(cleared)).toHaveLength(2))
  })

  it('names the number and the sum, and is asked for the palette too', async () => {
    const user = await open(unpaid, other, paid)
    serve({ [cleared]: { message: 'Settled' } })
    await user.keyboard('j{Shift>}X{/Shift}.clear 2 of')
    await screen.findByRole('option', { name: /^Clear 2 of 3 invoices, Ksh 5,000/ })
    await user.keyboard('{Enter}')
    expect(question().textContent).toContain('Clear 2 invoices, Ksh 5,000?')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(callsTo(cleared)).toHaveLength(2))
  })

  it('clears nothing after Escape or Cancel, and returns the focus to the row', async () => {
    const user = await open(unpaid)
    await user.keyboard('jc{Escape}')
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(document.activeElement?.closest('tr')).toBe(clear(70).closest('tr'))
    await user.keyboard('c')
    await user.click(within(question()).getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(callsTo(cleared)).toEqual([])
  })

  it('is not answered by a key that is held down', async () => {
    const user = await open(unpaid)
    await user.keyboard('jc')
    expect(isPrevented({ repeat: true })).toBe(true)
  })

  it('is closed when the session ends', async () => {
    const user = await open(unpaid)
    await user.keyboard('jc')
    act(() => endSession())
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(callsTo(cleared)).toEqual([])
  })
})

describe('the driver', () => {
  const detail = {
    'GET drivers/:id': wireDriver({ id: 12, name: 'Jo Kamau' }),
    'GET drivers/:id/trips/': wirePage([]),
  }
  const invite = { id: 9, driver: { id: 12, user: { fullname: 'Jo Kamau' } }, customer: null, created_at: '' }

  it.each([
    ['an invoice', 'S2.k.4', '/invoices', list, unpaid],
    ['an invite', 'S2.l.3', '/invites', 'GET driver-invites/', invite],
  ])('of %s is opened by a click on the name (%s)', async (_what, _clause, path, call, row) => {
    serve({ ...detail, [call]: wirePage([row]) })
    const { user } = renderApp({ path })
    await user.click(await screen.findByRole('link', { name: 'Jo Kamau' }))
    expect(address()).toBe('/riders/12')
    expect(await screen.findByRole('heading', { name: 'Jo Kamau' })).toBeTruthy()
  })

  it('that is unknown cannot be opened: Enter shows the invoice in a panel', async () => {
    const user = await open(other)
    const entries = window.history.length
    await user.keyboard('j{Enter}')
    expect(address()).toBe('/invoices?peek=71')
    await screen.findByRole('complementary', { name: 'Invoice 71' })
    expect(window.history.length).toBe(entries + 1)
  })
})

it.each(['{ArrowRight}', '{End}'])(
  'after %s a cell without link or button has the tab stop itself',
  async (key) => {
    const user = await open({ ...paid, driver: null })
    await user.keyboard(`j${key}`)
    const grid = screen.getByRole('grid')
    expect(document.activeElement?.matches('td:empty')).toBe(true)
    expect([...grid.querySelectorAll('[tabindex="0"]')]).toEqual([document.activeElement])
  },
)
