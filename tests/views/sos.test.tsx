import { act, screen, waitFor, within } from '@testing-library/react'
import { getDefaultStore } from 'jotai'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { configAtom } from '../../src/api/config.ts'
import { callsTo, hold, refuse, serve } from '../support/network.ts'
import { address, renderApp, toasts } from '../support/render-app.tsx'
import { wirePage, wireSos } from '../support/wire.ts'

const store = getDefaultStore()
const list = 'GET sos-lists/'
const acknowledge = 'POST sos/:id/acknowledge/'
const reopen = 'POST sos/:id/reopen/'
const handled = { handled_at: '2025-11-03T09:31:00Z', handled_by: 'grace.moraa@twende.test' }

async function open(rows: object[], capabilities: object = { acknowledge: true, filters: { sos: ['new'] } }) {
  serve({ 'GET capabilities/': capabilities, [list]: wirePage(rows) })
  const { user } = renderApp({ path: '/sos' })
  await screen.findByRole('grid', { name: 'SOS logs' })
  return user
}

const cells = (row = 0) =>
  within(screen.getAllByRole('row')[row + 1] ?? document.body).getAllByRole('gridcell')
const cell = (header: string, row = 0) => {
  const headers = screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  const found = cells(row)[headers.indexOf(header)]
  if (!found) throw new Error(`There is no column ${header}.`)
  return found
}
const link = (header: string, name?: string) => within(cell(header)).getByRole('link', name ? { name } : {})
const button = (id: number) => screen.queryByRole('button', { name: `Acknowledge SOS log ${id}` })

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('an SOS log from a server that offers acknowledging', () => {
  it('has the specified texts, and below them the nearest place and the age (S2.r.2)', async () => {
    await open([wireSos({ id: 5, created_at: new Date(Date.now() - 4 * 60_000 - 1000).toISOString() })])
    const [id, raised, driver, customer, from, to, latitude, longitude, date] = cells().map(
      ({ textContent }) => textContent,
    )
    expect([id, raised?.trim(), driver, customer, from, to, longitude]).toEqual([
      ...['5', 'Customer Acknowledge', 'Jo Kamau +254700000012', 'Amina Yusuf +254712345678'],
      ...['Westlands', 'Karen', '36.800000'],
    ])
    expect(latitude).toBe('-1.259912 320 m NE of Sarit Centre')
    await waitFor(() => expect(cell('SOS date').textContent).toMatch(/\d{4}, \d+:\d\d [ap]m 4 min ago$/))
    expect(date).toBeDefined()
    expect(cell('SOS latitude').title).toBe(
      '-1.25991234 · 320 m NE of Sarit Centre · © OpenStreetMap contributors',
    )
  })

  it('has its button also if the server says only after the rows that it offers acknowledging', async () => {
    const { answer, give } = hold()
    await open([wireSos({ id: 5 })], answer)
    await within(cell('Raised by')).findByRole('img', { name: 'New' })
    expect(button(5)).toBeNull()
    give({ acknowledge: true, filters: { sos: ['new'] } })
    await waitFor(() => expect(button(5)).toBeTruthy())
  })

  it('is marked as new by a picture with a name, until it is handled', async () => {
    await open([wireSos({ id: 5 }), wireSos({ id: 6, ...handled })])
    expect(within(cell('Raised by')).getByRole('img', { name: 'New' })).toBeTruthy()
    expect(within(cell('Raised by')).getByText('Customer').tagName).toBe('STRONG')
    expect(within(cell('Raised by', 1)).queryByRole('img')).toBeNull()
    expect(cell('Raised by', 1).textContent).toBe('Customer Handled by grace.moraa, 12:31 pm')
    expect(cell('Raised by', 1).title).toBe('grace.moraa@twende.test, 3rd Nov 2025, 12:31 pm')
  })

  it('keeps the tab stop in a cell that has no button any more', async () => {
    const user = await open([wireSos(handled)])
    await user.keyboard('j{ArrowRight}')
    expect(document.activeElement).toBe(cell('Raised by'))
    expect(cell('Raised by').tabIndex).toBe(0)
    await user.keyboard('{ArrowRight}')
    expect(document.activeElement).toBe(link('Driver', 'Jo Kamau'))
    expect(cell('Driver').tabIndex).toBe(-1)
  })

  it('that was handled on another day says on which', async () => {
    await open([wireSos({ ...handled, handled_at: '2025-11-04T09:31:00Z' })])
    expect(cell('Raised by').textContent).toBe('Customer Handled by grace.moraa, 4th Nov 2025, 12:31 pm')
  })

  it('is older with every minute that passes', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
    const ageAt = async (minutes: number) => {
      await act(() => vi.advanceTimersByTimeAsync(minutes * 60_000))
      return /[ap]m (.*)$/.exec(cell('SOS date').textContent)?.[1]
    }
    await open([wireSos({ created_at: new Date().toISOString() })])
    expect(await ageAt(0)).toBe('just now')
    expect(await ageAt(1)).toBe('1 min ago')
    expect(await ageAt(58)).toBe('59 min ago')
    expect(await ageAt(1)).toBe('1 h ago')
    expect(await ageAt(23 * 60)).toBe('1 day ago')
    expect(await ageAt(24 * 60)).toBe('2 days ago')
  })

  it('links the phone numbers, the driver and the position', async () => {
    await open([wireSos({ id: 5 })])
    expect(link('Driver', 'Call driver Jo Kamau +254700000012').getAttribute('href')).toBe(
      'tel:+254700000012',
    )
    expect(link('Driver', 'Jo Kamau').getAttribute('href')).toBe('/riders/12')
    expect(link('Customer').getAttribute('href')).toBe('tel:+254712345678')
    for (const header of ['SOS latitude', 'SOS longitude'])
      expect(link(header).getAttribute('href')).toBe('geo:-1.259912,36.800000')
  })

  it('links Google Maps in a new tab where a key is set', async () => {
    const user = await open([wireSos({ id: 5 })])
    act(() => store.set(configAtom, (config) => ({ ...config, mapsKey: 'key' })))
    await user.keyboard('j')
    serve({ [list]: wirePage([wireSos({ id: 6 })]) })
    await user.keyboard('r')
    const href = 'https://www.google.com/maps/search/?api=1&query=-1.259912,36.800000'
    await waitFor(() => expect(link('SOS latitude').getAttribute('href')).toBe(href))
    expect(link('SOS latitude').getAttribute('target')).toBe('_blank')
    const opened = vi.spyOn(window, 'open').mockReturnValue(null)
    await user.keyboard('m')
    expect(opened.mock.calls).toEqual([[href, '_blank', 'noopener']])
  })
})

describe('acknowledging', () => {
  it.each(['its button', 'its key'])(
    'with %s sends one call, reloads, and shows no toast (R5, S8.11)',
    async (how) => {
      const user = await open([wireSos({ id: 5 })])
      await waitFor(() => expect(button(5)).toBeTruthy())
      serve({ [acknowledge]: { message: 'Done' }, [list]: wirePage([wireSos({ id: 5, ...handled })]) })
      if (how === 'its key') await user.keyboard('ja')
      else await user.click(screen.getByRole('button', { name: 'Acknowledge SOS log 5' }))
      await screen.findByText('Handled by grace.moraa, 12:31 pm')
      expect(callsTo(acknowledge).map(({ path }) => path)).toEqual(['sos/5/acknowledge/'])
      expect(callsTo(acknowledge)[0]?.headers.get('idempotency-key')).toMatch(/^[\w-]{36}$/)
      expect(screen.getByText('Done: Acknowledge SOS log 5')).toBeTruthy()
      expect(toasts()).toEqual([])
    },
  )

  it('is undone by reopening it (R7)', async () => {
    const user = await open([wireSos({ id: 5 })])
    await waitFor(() => expect(button(5)).toBeTruthy())
    serve({ [acknowledge]: { message: '' }, [reopen]: { message: '' } })
    await user.keyboard('ja')
    await screen.findByText('Done: Acknowledge SOS log 5')
    await user.keyboard('{Control>}z{/Control}')
    await waitFor(() => expect(callsTo(reopen).map(({ path }) => path)).toEqual(['sos/5/reopen/']))
  })

  it('marks the row after a failure, without a message (R3, S8.11)', async () => {
    const user = await open([wireSos({ id: 5 })])
    await waitFor(() => expect(button(5)).toBeTruthy())
    serve({ [acknowledge]: () => refuse(500) })
    await user.click(screen.getByRole('button', { name: 'Acknowledge SOS log 5' }))
    await screen.findByRole('img', { name: 'The last action on this row failed' })
    expect(toasts()).toEqual([])
  })

  it('has its first two commands in the selection bar, and the others behind More', async () => {
    const user = await open([wireSos({ id: 5 })])
    await user.keyboard('jx')
    const bar = within(await screen.findByRole('group', { name: 'Selection' }))
    expect(bar.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Acknowledge SOS log 5',
      'Call driver Jo Kamau +254700000012',
      'More…',
      'Clear selection',
    ])
    await user.click(bar.getByRole('button', { name: 'More…' }))
    const palette = within(await screen.findByRole('dialog', { name: 'Command palette' }))
    expect(palette.getByRole('option', { name: /^Copy the phone numbers of SOS log 5/ })).toBeTruthy()
  })

  it('applies to the new ones of all selected logs', async () => {
    const user = await open([wireSos({ id: 5 }), wireSos({ id: 6, ...handled }), wireSos({ id: 7 })])
    await waitFor(() => expect(button(5)).toBeTruthy())
    serve({ [acknowledge]: { message: '' } })
    await user.keyboard('j{Shift>}X{/Shift}')
    await user.click(screen.getByRole('button', { name: 'Acknowledge 2 of 3 SOS logs' }))
    await waitFor(() => expect(callsTo(acknowledge)).toHaveLength(2))
    expect(callsTo(acknowledge).map(({ path }) => path)).toEqual(['sos/5/acknowledge/', 'sos/7/acknowledge/'])
  })

  it('is hidden where the server does not offer it (S2.r.1)', async () => {
    const user = await open([wireSos({ id: 5 })], {})
    await user.keyboard('ja')
    expect(button(5)).toBeNull()
    expect(callsTo(acknowledge)).toEqual([])
  })
})

describe('the keys of an SOS log', () => {
  it.each([
    ['call the driver', 'td', 'tel:+254700000012'],
    ['call the customer', 'tc', 'tel:+254712345678'],
    ['open the map', 'm', 'geo:-1.259912,36.800000'],
  ])('%s', async (_what, keys, href) => {
    const user = await open([wireSos()])
    const opened = vi.spyOn(window, 'open').mockReturnValue(null)
    await user.keyboard(`j${keys}`)
    expect(opened.mock.calls).toEqual([[href, '_self']])
  })

  it.each([
    ['the driver', 'tp', '/riders/12'],
    ['the trip', 'tt', '/trips?filter=id:31'],
  ])('open %s', async (_what, keys, to) => {
    serve({ 'GET drivers/:id': () => refuse(404), 'GET drivers/:id/trips/': () => refuse(404) })
    const user = await open([wireSos()])
    await user.keyboard(`j${keys}`)
    expect(address()).toBe(to)
  })

  it('copy both phone numbers with their names', async () => {
    const user = await open([wireSos({ id: 5 })])
    const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    await user.keyboard('jtn')
    expect(written.mock.calls).toEqual([['Jo Kamau +254700000012\nAmina Yusuf +254712345678']])
    await screen.findByText('Done: Copy the phone numbers of SOS log 5')
  })

  it('do nothing without ids, numbers and coordinates', async () => {
    const user = await open([{ id: 5, raised_by: 'Customer', trip: { driver: 'Jo', customer: null } }])
    const opened = vi.spyOn(window, 'open').mockReturnValue(null)
    await user.keyboard('jtdtcmtntptt')
    expect(opened).not.toHaveBeenCalled()
    expect(address()).toBe('/sos')
  })
})

it('the list is loaded again when the number of new SOS logs in the sidebar has changed', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  serve({ 'GET counts/': { sos: { new: 1 } } })
  await open([wireSos({ id: 5 })], { acknowledge: true, counts: true, filters: { sos: ['new'] } })
  await screen.findByRole('img', { name: '1 new SOS log' })
  expect(callsTo(list)).toHaveLength(1)
  serve({ 'GET counts/': { sos: { new: 2 } }, [list]: wirePage([wireSos({ id: 6 }), wireSos({ id: 5 })]) })
  await vi.advanceTimersByTimeAsync(61_000)
  await screen.findByRole('img', { name: '2 new SOS logs' })
  await waitFor(() => expect(button(6)).toBeTruthy())
})

it('the list is loaded again when one SOS log was handled elsewhere and another one is new since', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  serve({ 'GET counts/': { sos: { new: 1, handled: 0 } } })
  await open([wireSos({ id: 5 })], { acknowledge: true, counts: true, filters: { sos: ['new', 'handled'] } })
  await screen.findByRole('img', { name: '1 new SOS log' })
  serve({
    'GET counts/': { sos: { new: 1, handled: 1 } },
    [list]: wirePage([wireSos({ id: 6 }), wireSos({ id: 5, handled_at: '2025-11-03T07:40:00Z' })]),
  })
  await vi.advanceTimersByTimeAsync(61_000)
  await waitFor(() => expect(button(6)).toBeTruthy())
})
