import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { queryClient } from '../../../src/api/query-client.ts'
import { callsTo, serve } from '../../support/network.ts'
import { address, renderApp } from '../../support/render-app.tsx'
import { setViewport } from '../../support/viewport.ts'
import { wireCoupon, wireCustomer, wireDriver, wireInvoice, wirePage, wireTrip } from '../../support/wire.ts'

const rows = [
  wireTrip({ id: 12, notes: 'Two bags' }),
  wireTrip({ id: 7, driver: { id: 3, user: { fullname: 'Amina Yusuf' } } }),
]

async function openTrips(search = '') {
  serve({ 'GET trips/': wirePage(rows) })
  const { user } = renderApp({ path: `/trips${search}` })
  await screen.findByRole('checkbox', { name: 'Select 12' })
  return user
}

const panel = (name: string) => screen.findByRole('complementary', { name })
const isClosed = () => waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
const fields = async (name: string) =>
  within(await panel(name))
    .getAllByRole('term')
    .map((term) => [term.textContent, term.nextElementSibling?.textContent])
const focusedRow = () => document.activeElement?.closest('tr')?.getAttribute('data-index')

describe('the panel of the focused row', () => {
  it('opens with Enter on a row whose record has no screen, and shows what its list has', async () => {
    const user = await openTrips()
    await user.keyboard('j{Enter}')
    expect((await fields('Trip 12')).slice(0, 3)).toEqual([
      ['ID #', '12'],
      ['Origin', 'Westlands'],
      ['Destination', 'Karen'],
    ])
    expect(await fields('Trip 12')).toContainEqual(['Notes', 'Two bags'])
    expect(address()).toBe('/trips?peek=12')
    expect(callsTo('GET trips/')).toHaveLength(1)
  })

  it('follows the focus, which stays in the list, and so does the address', async () => {
    const user = await openTrips()
    await user.keyboard('jo')
    await panel('Trip 12')
    await user.keyboard('j')
    const link = within(await panel('Trip 7')).getByRole('link', { name: 'Amina Yusuf' })
    expect(link.getAttribute('href')).toBe('/riders/3')
    expect(focusedRow()).toBe('1')
    await waitFor(() => expect(address()).toBe('/trips?peek=7'))
    await user.keyboard('{ArrowUp}')
    await panel('Trip 12')
  })

  it.each(['{Escape}', 'o'])('closes with %s; the focus stays where it is', async (key) => {
    const user = await openTrips()
    await user.keyboard('jo')
    await panel('Trip 12')
    await user.keyboard(key)
    await isClosed()
    expect(address()).toBe('/trips')
    expect(focusedRow()).toBe('0')
  })

  it('closes with Escape before the selection is cleared', async () => {
    const user = await openTrips()
    await user.keyboard('jxo')
    await panel('Trip 12')
    await user.keyboard('{Escape}')
    await isClosed()
    expect(screen.getByText('1 of 2 selected')).toBeTruthy()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByText('1 of 2 selected')).toBeNull())
  })

  it('gets the focus with Enter, and gives it back to the row with Escape or its button', async () => {
    const user = await openTrips()
    await user.keyboard('j{Enter}')
    const opened = await panel('Trip 12')
    await user.keyboard('{Enter}')
    expect(document.activeElement).toBe(opened)
    await user.keyboard('{Escape}')
    await isClosed()
    expect(focusedRow()).toBe('0')
    await user.keyboard('o')
    await user.click(within(await panel('Trip 12')).getByRole('button', { name: 'Close' }))
    await isClosed()
    expect(focusedRow()).toBe('0')
  })

  it('closes with Back', async () => {
    const user = await openTrips('?s=back')
    await user.keyboard('jo')
    await panel('Trip 12')
    act(() => window.history.back())
    await isClosed()
    expect(address()).toBe('/trips?s=back')
  })

  it('adds one history entry, however often it is opened there', async () => {
    const user = await openTrips('?s=often')
    const before = window.history.length
    await user.keyboard('j')
    for (let time = 0; time < 3; time++) {
      await user.keyboard('o')
      await panel('Trip 12')
      await user.keyboard('o')
      await isClosed()
    }
    expect(window.history.length).toBe(before + 1)
    await user.keyboard('o')
    await panel('Trip 12')
    act(() => window.history.back())
    await isClosed()
    expect(address()).toBe('/trips?s=often')
  })

  it.each([
    ['its key', (user: Awaited<ReturnType<typeof openTrips>>) => user.keyboard('o')],
    [
      'Back',
      async () => {
        window.history.back()
        await isClosed()
      },
    ],
  ])('gives the focus back to the row when %s closes it', async (_what, closeIt) => {
    const user = await openTrips('?s=row')
    await user.keyboard('jjo')
    const opened = await panel('Trip 7')
    await user.keyboard('{Enter}')
    expect(document.activeElement).toBe(opened)
    await closeIt(user)
    await isClosed()
    await waitFor(() => expect(focusedRow()).toBe('1'))
  })

  it('is open at an address that names a record, whose row gets the focus', async () => {
    await openTrips('?peek=7')
    await panel('Trip 7')
    await waitFor(() => expect(focusedRow()).toBe('1'))
  })

  it('leaves the focus in the search box when a load changes the row that it shows', async () => {
    const jo = wireDriver({ id: 12, name: 'Jo Kamau', online: true })
    serve({ 'GET drivers/': wirePage([jo]) })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByRole('link', { name: 'Jo Kamau' })
    await user.keyboard('jo')
    const inside = within(await panel('Jo Kamau'))
    await user.keyboard('/am')
    serve({ 'GET drivers/': wirePage([{ ...jo, online: false }]) })
    await act(() => queryClient.invalidateQueries())
    await inside.findByText('Offline')
    await user.keyboard('s')
    expect(document.activeElement).toHaveProperty('value', 'ams')
    expect(callsTo('POST driver/:id/suspend/')).toEqual([])
  })

  it('says if the record is not on the page', async () => {
    await openTrips('?peek=99')
    expect(within(await panel('Trip 99')).getByText('It is not on this page of the list.')).toBeTruthy()
    expect(address()).toBe('/trips?peek=99')
  })

  it('leaves the focus in the search box when its record comes to the page', async () => {
    const [jo, amina] = [wireDriver({ id: 12, name: 'Jo Kamau' }), wireDriver({ id: 7, name: 'Amina Yusuf' })]
    serve({ 'GET drivers/': wirePage([amina]) })
    const { user } = renderApp({ path: '/riders?peek=12' })
    await panel('Driver 12')
    await screen.findByRole('link', { name: 'Amina Yusuf' })
    await user.keyboard('/jo')
    serve({ 'GET drivers/': wirePage([jo, amina]) })
    await act(() => queryClient.invalidateQueries())
    await panel('Jo Kamau')
    await user.keyboard('s')
    expect(document.activeElement).toHaveProperty('value', 'jos')
  })

  it.each([1440, 390])(
    'at %d px gives the focus to the content if its record is not there',
    async (width) => {
      setViewport(width)
      serve({ 'GET trips/': wirePage(rows) })
      const { user } = renderApp({ path: '/trips?peek=99' })
      await user.click(await screen.findByRole('button', { name: 'Close' }))
      await waitFor(() => expect(address()).toBe('/trips'))
      await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
    },
  )

  it('has the commands of the record and the lists that belong to it', async () => {
    serve({
      'GET capabilities/': { filters: { trips: ['customer:'], promos: ['customer:'] } },
      'GET customers/': wirePage([wireCustomer({ id: 7 })]),
    })
    const { user } = renderApp({ path: '/customers' })
    await screen.findByRole('checkbox', { name: 'Select 7' })
    await user.keyboard('j{Enter}')
    const inside = within(await panel('Amina Yusuf'))
    expect(inside.getByRole('button', { name: 'Copy phone number of Amina Yusuf' }).textContent).toBe(
      'Copy phone number',
    )
    const link = (name: string) => inside.getByRole('link', { name }).getAttribute('href')
    await waitFor(() => expect(link('Trips')).toBe('/trips?filter=customer:7'))
    expect(link('Promo codes')).toBe('/promos?filter=customer:7')
    expect(link('+254712345678')).toBe('tel:+254712345678')
  })

  it('opens by its key for a record with a screen of its own, which Enter still opens', async () => {
    serve({ 'GET drivers/': wirePage([wireDriver({ id: 12, name: 'Jo Kamau' })]) })
    const { user } = renderApp({ path: '/riders' })
    await screen.findByRole('link', { name: 'Jo Kamau' })
    await user.keyboard('jo')
    const inside = within(await panel('Jo Kamau'))
    expect(inside.getByRole('button', { name: 'Suspend Jo Kamau' }).textContent).toBe('Suspend')
    expect(inside.queryByText('Action')).toBeNull()
  })

  it('leaves Enter on an invoice to its driver (S2.k.4)', async () => {
    serve({
      'GET all-invoices/': wirePage([wireInvoice({ id: 12 })]),
      'GET drivers/:id': wireDriver(),
      'GET drivers/:id/trips/': wirePage([]),
    })
    const { user } = renderApp({ path: '/invoices' })
    await screen.findByRole('checkbox', { name: 'Select 12' })
    await user.keyboard('j{Enter}')
    expect(address()).toBe('/riders/12')
  })

  it('is a dialog in a small window', async () => {
    setViewport(390)
    const user = await openTrips()
    await user.keyboard('j{Enter}')
    const dialog = await screen.findByRole('dialog', { name: 'Trip 12' })
    expect(within(dialog).getByText('Two bags')).toBeTruthy()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(address()).toBe('/trips')
    await waitFor(() => expect(focusedRow()).toBe('0'))
  })

  it('has the focus again after a dialog that was opened over it in a small window', async () => {
    setViewport(390)
    serve({ 'GET coupons/': wirePage([wireCoupon({ id: 5, code: 'SAVE50' })]) })
    const { user } = renderApp({ path: '/coupons' })
    await screen.findByRole('button', { name: /^Delete/ })
    await user.keyboard('jo')
    const panel = await screen.findByRole('dialog')
    const edit = within(panel).getByRole('button', { name: /^Edit/ })
    await user.click(edit)
    await screen.findByLabelText('Code')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByLabelText('Code')).toBeNull())
    expect(document.activeElement).toBe(edit)
  })
})
