import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endSession, startSession } from '../../src/state/session.ts'
import { calls, callsTo, hold, refuse, serve } from '../support/network.ts'
import { address, renderApp } from '../support/render-app.tsx'
import { wireDriver, wirePage } from '../support/wire.ts'

const list = 'GET drivers/'
const suspended = 'POST driver/:id/suspend/'
const failed = 'An error occured!. Driver could not be unsuspended'

/** Opens the drivers screen with these rows. */
async function open(...rows: unknown[]) {
  serve({ [list]: wirePage(rows) })
  const { user } = renderApp({ path: '/riders' })
  await screen.findByRole('grid', { name: 'Drivers' })
  return user
}
const cellsOf = (row: number) =>
  within(screen.getAllByRole('row')[row] ?? document.body).getAllByRole('gridcell')
const textsOf = (row: number) => cellsOf(row).map(({ textContent }) => textContent)

describe('the drivers screen', () => {
  it('has its title and its search (S2.d.1)', async () => {
    await open(wireDriver())
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Drivers')
    expect(screen.getByPlaceholderText('Search driver by name...')).toBeTruthy()
    await waitFor(() => expect(document.title).toContain('Drivers'))
  })

  it('has the columns of the specification, in their order (S2.d.2)', async () => {
    await open(wireDriver())
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'ID #',
      'Name',
      'Phone No',
      'Date joined',
      'Completed Trips',
      'Failed Trips',
      'Wallet(Ksh)',
      'Status',
      'Action',
    ])
  })

  it('shows the values of a driver in the specified formats (S2.d.2, S9.2, S9.3)', async () => {
    await open(
      wireDriver({
        id: 12,
        user: { fullname: 'Jo Kamau', phone_number: '254712345678', date_joined: '2025-11-02T22:30:00Z' },
        total_completed_trips: 1234,
        total_failed_trips: 7,
        wallet_balance: 98765.4,
      }),
    )
    expect(textsOf(1)).toEqual([
      '12',
      'Jo Kamau',
      '+254712345678',
      '3rd Nov 2025',
      '1,234',
      '7',
      '98,765.40',
      'Online',
      'Suspend',
    ])
  })

  it.each([
    [true, false, 'Online'],
    [false, false, 'Offline'],
    [true, true, 'Online / Busy'],
    [false, true, 'Offline / Busy'],
    [null, 'yes', 'Offline'],
  ])('with online %j and busy %j shows the status %s (S2.d.2)', async (online, busy, status) => {
    await open(wireDriver({ online, busy }))
    expect(textsOf(1)[7]).toBe(status)
  })

  it('keeps suspended drivers in the list, with the action Unsuspend (S2.d.3, S4.3)', async () => {
    await open(wireDriver({ deleted: true }), wireDriver({ deleted: null }))
    expect([textsOf(1)[8], textsOf(2)[8]]).toEqual(['Unsuspend', 'Suspend'])
  })

  it('never doubles the plus of a phone number (S2.d.2)', async () => {
    await open(wireDriver({ user: { fullname: 'Jo', phone_number: '+254712345678', date_joined: '' } }))
    expect(textsOf(1)[2]).toBe('+254712345678')
  })

  it('dials a local phone number in its international form', async () => {
    await open(wireDriver({ user: { fullname: 'Jo', phone_number: '0712345678', date_joined: '' } }))
    expect(screen.getByRole('link', { name: '+0712345678' }).getAttribute('href')).toBe('tel:+254712345678')
  })

  it('links id and name to the driver (S2.d.4)', async () => {
    const user = await open(wireDriver({ id: 12, name: 'Jo Kamau' }))
    const links = screen.getAllByRole('link').filter((link) => link.closest('td'))
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['12', '/riders/12'],
      ['Jo Kamau', '/riders/12'],
      ['+254710000012', 'tel:+254710000012'],
    ])
    serve({
      'GET drivers/:id': wireDriver({ id: 12, name: 'Jo Kamau' }),
      'GET drivers/:id/trips/': wirePage([]),
    })
    await user.click(screen.getByRole('link', { name: 'Jo Kamau' }))
    expect(address()).toBe('/riders/12')
  })

  it('gives the exact values of rounded cells (R4)', async () => {
    await open(
      wireDriver({
        user: { fullname: 'Jo', phone_number: '', date_joined: '2025-11-02T22:30:00Z' },
        wallet_balance: 12.345,
      }),
      wireDriver({ wallet_balance: null, total_completed_trips: null, total_failed_trips: 'many' }),
    )
    expect(cellsOf(1).map(({ title }) => title)[3]).toBe('3rd Nov 2025, 1:30 am')
    expect(cellsOf(1).map(({ title }) => title)[6]).toBe('12.345')
    expect(textsOf(2).slice(4, 7)).toEqual(['0', '0', '0'])
    expect(
      cellsOf(2)
        .map(({ title }) => title)
        .slice(4, 7),
    ).toEqual(['no value', 'no value', 'no value'])
  })
})

describe('the action button of a driver (S2.d.3)', () => {
  const jo = wireDriver({ id: 12, name: 'Jo Kamau' })
  const amina = wireDriver({ id: 7, name: 'Amina Yusuf' })
  const action = (name: string) => screen.getByRole('button', { name: new RegExp(`spend ${name}$`) })

  it('shows ... while its request runs, only on the row of that driver', async () => {
    const reply = hold()
    const user = await open(jo, amina)
    serve({ [suspended]: reply.answer })
    await user.click(action('Jo Kamau'))
    expect(action('Jo Kamau').textContent).toBe('...')
    expect(action('Jo Kamau').getAttribute('aria-disabled')).toBe('true')
    expect(action('Amina Yusuf').textContent).toBe('Suspend')
    expect(action('Jo Kamau').closest('tr')?.getAttribute('aria-busy')).toBe('true')
    serve({ [list]: wirePage([{ ...jo, deleted: true }, amina]) })
    reply.give({ message: 'Rider suspended' })
    expect(await screen.findByRole('button', { name: 'Unsuspend Jo Kamau' })).toBeTruthy()
    expect(screen.getByText('Rider suspended')).toBeTruthy()
  })

  it('ignores clicks and keys while it is busy (R8)', async () => {
    const reply = hold()
    const user = await open(jo)
    serve({ [suspended]: reply.answer })
    await user.click(action('Jo Kamau'))
    await user.click(action('Jo Kamau'))
    await user.keyboard('{Enter} s')
    reply.give({})
    await waitFor(() => expect(action('Jo Kamau').textContent).toBe('Suspend'))
    expect(callsTo(suspended)).toHaveLength(1)
  })

  it('shows a toast and a fault mark on the row after a failure; the list reloads (S8.1, R3, R5)', async () => {
    const user = await open(jo, amina)
    serve({ [suspended]: () => refuse(500, 'Boom') })
    await user.click(action('Jo Kamau'))
    expect(await screen.findByText(failed)).toBeTruthy()
    expect(action('Jo Kamau').textContent).toBe('Suspend')
    const mark = screen.getByRole('img', { name: 'The last action on this row failed' })
    expect(mark.closest('tr')).toBe(action('Jo Kamau').closest('tr'))
    await waitFor(() => expect(callsTo(list)).toHaveLength(2))
    expect(mark.isConnected).toBe(true)
  })

  it('offers Undo in its toast only while somebody is signed in (R7)', async () => {
    const reply = hold()
    const user = await open(jo)
    serve({ [suspended]: reply.answer })
    await user.click(action('Jo Kamau'))
    act(() => endSession())
    reply.give({ message: 'Jo is suspended' })
    await screen.findByText('Jo is suspended')
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
    act(() => startSession({ token: 'next', email: 'asha@twende.test' }))
    expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  })

  it('names its driver in its accessible name', async () => {
    await open(wireDriver({ id: 5, user: null }))
    expect(screen.getByRole('button', { name: 'Suspend driver 5' }).textContent).toBe('Suspend')
  })
})

describe('malformed answers on the drivers screen', () => {
  it('are shown as blanks, never as undefined, null, NaN, Invalid Date or 1970', async () => {
    await open(
      { id: 1 },
      { id: 2, user: null, vehicle: null, online: null, wallet_balance: null },
      { id: 3, user: 'Jo Kamau', total_completed_trips: 'many', wallet_balance: NaN },
      { id: 4, user: { fullname: null, phone_number: {}, date_joined: 0 }, wallet_balance: [] },
      { id: 5, user: { fullname: 7, phone_number: 254712345678, date_joined: 'yesterday' } },
      { id: 6, user: { fullname: ['x'], phone_number: null, date_joined: '1970-01-01T00:00:00Z' } },
    )
    expect(textsOf(1)).toEqual(['1', '', '', '', '0', '0', '0', 'Offline', 'Suspend'])
    expect(textsOf(5).slice(0, 4)).toEqual(['5', '7', '+254712345678', ''])
    expect(screen.getByRole('grid').textContent).not.toMatch(/undefined|null|NaN|Invalid|1970|object/)
  })

  it('with missing or duplicate ids are shown one row each', async () => {
    await open(
      {},
      { id: null },
      { id: {} },
      wireDriver({ id: 4, name: 'One' }),
      wireDriver({ id: 4, name: 'Two' }),
    )
    expect(screen.getAllByRole('row')).toHaveLength(6)
    expect(screen.getByText('One')).toBeTruthy()
    expect(screen.getByText('Two')).toBeTruthy()
  })

  it('never break the screen', async () => {
    const anyRow = fc.dictionary(
      fc.constantFrom(...Object.keys(wireDriver()), 'more'),
      fc.oneof(
        fc.jsonValue(),
        fc.constant({ fullname: {}, phone_number: [], date_joined: -1, registration: 5 }),
      ),
    )
    const samples = fc.sample(fc.array(anyRow, { minLength: 1, maxLength: 8 }), { numRuns: 12, seed: 1 })
    for (const [at, rows] of samples.entries()) {
      serve({ [list]: wirePage(rows) })
      const { user } = renderApp({ path: `/riders?s=${at}` })
      await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(rows.length + 1))
      expect(screen.queryByRole('alert')).toBeNull()
      await user.keyboard('j')
      cleanup()
    }
    expect(calls.length).toBeGreaterThan(0)
  })
})
