import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { calls, serve } from '../support/network.ts'
import { renderApp } from '../support/render-app.tsx'
import { wirePage } from '../support/wire.ts'

/** Opens a list and returns its rows, each as a map from column header to cell text. */
async function rowsOf(path: string, call: string, ...records: unknown[]) {
  serve({ [`GET ${call}`]: wirePage(records) })
  renderApp({ path })
  const [header, ...rows] = within(await screen.findByRole('grid')).getAllByRole('row')
  const columns = header ? within(header).getAllByRole('columnheader') : []
  return rows.map((row) => {
    const words = within(row)
      .getAllByRole('gridcell')
      .map(({ textContent }) => textContent)
    return new Map(columns.map(({ textContent }, at) => [textContent, words[at]]))
  })
}

describe('a driver or customer', () => {
  it.each([
    ['/trips', 'trips/', ['Customer', 'Driver']],
    ['/bookings', 'pre-bookings/', ['Customer', 'Driver']],
    ['/vehicles', 'vehicles/', ['Driver']],
    ['/invoices', 'all-invoices/', ['Driver']],
    ['/invites', 'driver-invites/', ['Driver', 'Customer']],
  ])('on %s may be an object or plain text (rulings, lists)', async (path, call, columns) => {
    const parties = ['Jo Kamau', { user: { fullname: 'Jo Kamau' } }, { fullname: 'Jo Kamau' }]
    const rows = await rowsOf(path, call, ...parties.map((driver, id) => ({ id, driver, customer: driver })))
    for (const row of rows)
      expect(columns.map((column) => row.get(column))).toEqual(columns.map(() => 'Jo Kamau'))
    expect(rows).toHaveLength(parties.length)
  })

  it('of an SOS log may be an object or plain text, and so may the person who raised it (S2.r.2)', async () => {
    const jo = { user: { fullname: 'Jo Kamau', phone_number: '254712' } }
    const [plain, whole] = await rowsOf(
      '/sos',
      'sos-lists/',
      { id: 2, raised_by: 'Jo Kamau', trip: { driver: 'Jo Kamau' } },
      { id: 1, raised_by: jo, trip: { driver: jo } },
    )
    expect([plain?.get('Raised by'), plain?.get('Driver')]).toEqual(['Jo Kamau', 'Jo Kamau'])
    expect([whole?.get('Raised by'), whole?.get('Driver')]).toEqual(['Jo Kamau', 'Jo Kamau +254712'])
  })
})

it('a booking whose payment is unknown shows a blank payment status, not Not paid (S2.j.2)', async () => {
  const rows = await rowsOf(
    '/bookings',
    'pre-bookings/',
    { id: 3 },
    { id: 2, paid: false },
    { id: 1, paid: true },
  )
  expect(rows.map((row) => row.get('Payment Status'))).toEqual(['', 'Not paid', 'Paid'])
})

describe('a record without an id', () => {
  it.each([
    ['/riders', 'drivers/', { user: { fullname: 'Jo Kamau' }, deleted: false }],
    ['/invoices', 'all-invoices/', { driver: { user: { fullname: 'Jo Kamau' } }, paid: false }],
    ['/invites', 'driver-invites/', { driver: { user: { fullname: 'Jo Kamau' } } }],
    ['/attractions', 'attractions/all/', { name: 'Fort Jesus' }],
    ['/coupons', 'coupons/', { code: 'KARIBU' }],
    ['/promos', 'promo-codes/', { code: 'KARIBU' }],
  ])('on %s has no links and no buttons, and no key acts on it', async (path, call, record) => {
    serve({ [`GET ${call}`]: wirePage([record]) })
    const { user } = renderApp({ path })
    const grid = within(await screen.findByRole('grid'))
    expect([...grid.queryAllByRole('link'), ...grid.queryAllByRole('button')]).toEqual([])
    await user.keyboard('j{Enter}suced{.}')
    expect(window.location.pathname).toBe(path)
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('is shown as a blog card without buttons', async () => {
    serve({ 'GET blogs-adm/': wirePage([{ title: 'Diani' }, { title: 'Lamu' }, { id: 5, title: 'Watamu' }]) })
    const { user } = renderApp({ path: '/blogs' })
    expect(await screen.findByRole('article', { name: 'Lamu' })).toBeTruthy()
    expect(screen.getAllByRole('article')).toHaveLength(3)
    expect(screen.getAllByRole('button', { name: /^(Edit|Delete) blog/ })).toHaveLength(2)
    await user.keyboard('jj')
    expect(document.activeElement?.textContent).toBe('Lamu')
  })

  it('is not found in the palette', async () => {
    serve({
      'GET drivers/': wirePage([
        { user: { fullname: 'Jo Kamau' } },
        { id: 7, user: { fullname: 'Jo Wanjiru' } },
      ]),
    })
    const { user } = renderApp()
    await user.keyboard('{Control>}k{/Control}')
    await user.keyboard('jo')
    expect(await screen.findByRole('option', { name: /Jo Wanjiru/ })).toBeTruthy()
    expect(screen.queryByRole('option', { name: /Jo Kamau/ })).toBeNull()
  })
})

it('a driver without a name has no invisible link', async () => {
  serve({ 'GET drivers/': wirePage([{ id: 5, user: null }]) })
  renderApp({ path: '/riders' })
  const links = within(await screen.findByRole('grid')).getAllByRole('link')
  expect(links.map(({ textContent }) => textContent)).toEqual(['5'])
})

it('an attraction with coordinates only in its location is edited with that location (S3.11)', async () => {
  const location = { placeName: 'Fort Jesus', lat: '-4.0628', lng: 39.6794 }
  serve({ 'GET attractions/all/': wirePage([{ id: 5, name: 'Fort', lat: null, location }]) })
  const { user } = renderApp({ path: '/attractions' })
  await screen.findByText('Fort')
  await user.keyboard('je')
  expect(await screen.findByRole('combobox', { name: 'Location' })).toHaveProperty('value', 'Fort Jesus')
  expect(screen.getByText('-4.062800, 39.679400')).toBeTruthy()
})

it.each([
  ['/sos', 'sos-lists/', { id: 1, latitude: 'NaN', longitude: 'east' }],
  ['/bookings', 'pre-bookings/', { id: 1, start_lat: 'NaN', start_lng: 'east' }],
])('on %s a malformed coordinate has no exact value (S9.5, R4)', async (path, call, record) => {
  await rowsOf(path, call, record)
  expect(screen.queryByTitle(/NaN|east/)).toBeNull()
})
