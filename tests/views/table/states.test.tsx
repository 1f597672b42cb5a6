import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { queryClient } from '../../../src/api/query-client.ts'
import { serve } from '../../support/network.ts'
import { renderApp } from '../../support/render-app.tsx'
import { wireCoupon, wireCustomer, wireDriver, wireInvoice, wirePage, wirePromo } from '../../support/wire.ts'

/** The date so many days from now, as the server sends it. */
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

const unpaid = { paid: false, over_due: false }

/** The rows, each with the text and the marks of its cell in the named column. */
async function cellsOf(path: string, call: string, header: string, rows: object[]) {
  serve({ [`GET ${call}`]: wirePage(rows) })
  renderApp({ path })
  const [, ...lines] = await screen.findAllByRole('row')
  const at = screen.getAllByRole('columnheader').findIndex(({ textContent }) => textContent === header)
  return lines.map((line) => {
    const cell = within(line).getAllByRole('gridcell')[at] ?? document.body
    const marks = within(cell).queryAllByRole('img')
    // A mark is one picture with a name: what it is drawn of is hidden, or it is drawn itself.
    for (const mark of marks) {
      expect(mark.textContent).toBe('')
      expect(mark.querySelector('svg')?.ariaHidden ?? mark.tagName).toMatch(/^(true|svg)$/)
    }
    return [cell.textContent, marks.map((mark) => mark.title).filter(Boolean)]
  })
}

it('a suspended driver is marked beside the name, and the text of the cell is only the name (S2.d.2)', async () => {
  const rows = [wireDriver({ name: 'Jo Kamau', deleted: true }), wireDriver({ id: 7, name: 'Amina Yusuf' })]
  expect(await cellsOf('/riders', 'drivers/', 'Name', rows)).toEqual([
    ['Jo Kamau', ['Suspended']],
    ['Amina Yusuf', []],
  ])
})

it.each([
  ['/riders', 'drivers/', wireDriver],
  ['/customers', 'customers/', wireCustomer],
] as const)('a negative balance is marked in %s, also if it is sent as text', async (path, call, wire) => {
  const rows = ['-20.00', 0, null].map((wallet_balance, id) => ({ ...wire({ id: id + 1 }), wallet_balance }))
  expect(await cellsOf(path, call, 'Wallet(Ksh)', rows)).toEqual([
    ['-20.00', ['Negative balance']],
    ['0.00', []],
    ['0', []],
  ])
})

it('an unpaid invoice is marked when it is over due', async () => {
  const rows = [
    { ...wireInvoice({ id: 1 }), ...unpaid, over_due: true },
    { ...wireInvoice({ id: 2 }), ...unpaid },
    { ...wireInvoice({ id: 3 }), paid: true, over_due: true },
  ]
  const cells = await cellsOf('/invoices', 'all-invoices/', 'Over Due', rows)
  expect(cells.map(([, marks]) => marks)).toEqual([['Not paid in time'], [], []])
})

it('an unpaid invoice is marked when it is due within 3 days', async () => {
  const rows = [2.9, 3.1, -0.1].map((days, id) => ({
    ...wireInvoice({ id: id + 1 }),
    ...unpaid,
    grace_end_date: inDays(days),
  }))
  rows.push({ ...wireInvoice({ id: 4 }), paid: true, over_due: false, grace_end_date: inDays(1) })
  const cells = await cellsOf('/invoices', 'all-invoices/', 'Grace End Date', rows)
  expect(cells.map(([, marks]) => marks)).toEqual([['Due within 3 days'], [], [], []])
})

it.each([
  ['/coupons', 'coupons/', wireCoupon],
  ['/promos', 'promo-codes/', wirePromo],
] as const)(
  'what expires while %s is on screen is marked after the next load, also one with the same rows',
  async (path, call, wire) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-26T09:00:00Z') })
    serve({ [`GET ${call}`]: wirePage([{ ...wire({ id: 1 }), valid_till: '2026-11-26' }]) })
    renderApp({ path })
    await screen.findByRole('grid')
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2))
    expect(screen.queryByTitle('Expired')).toBeNull()
    // Until nothing else renders the rows.
    await act(() => new Promise<void>((resolve) => setTimeout(resolve, 300)))
    vi.setSystemTime(new Date('2026-11-27T09:00:00Z'))
    await act(() => queryClient.refetchQueries())
    expect(await screen.findByTitle('Expired')).toBeTruthy()
    vi.useRealTimers()
  },
)

it.each([
  ['/coupons', 'coupons/', wireCoupon],
  ['/promos', 'promo-codes/', wirePromo],
] as const)('what has expired is marked and dimmed in %s', async (path, call, wire) => {
  const rows = ['2020-01-31', '2999-01-31'].map((valid_till, id) => ({ ...wire({ id: id + 1 }), valid_till }))
  const cells = await cellsOf(path, call, 'Expiry date', rows)
  expect(cells.map(([, marks]) => marks)).toEqual([['Expired'], []])
  expect(screen.getAllByRole('row').map(({ dataset }) => dataset['past'])).toEqual([
    undefined,
    'true',
    undefined,
  ])
})
