import { screen, waitFor, within } from '@testing-library/react'
import { getDefaultStore } from 'jotai'
import { describe, expect, it, vi } from 'vitest'
import { configAtom } from '../../src/api/config.ts'
import { queryClient } from '../../src/api/query-client.ts'
import { commissionKey } from '../../src/views/dashboard.tsx'
import { hold, lose, refuse, serve } from '../support/network.ts'
import { address, renderApp } from '../support/render-app.tsx'
import { wireAnalytics } from '../support/wire.ts'

const analytics = 'GET analytics/'
const figure = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling
const shown = (label: string) => figure(label)?.textContent
const caption = (label: string) => figure(label)?.nextElementSibling?.textContent
const gauge = () => screen.getByRole('region', { name: 'Online drivers' })
const labels = (section: string) =>
  [...screen.getByRole('region', { name: section }).querySelectorAll('dt')].map(
    ({ textContent }) => textContent,
  )

const moneyLabels = [
  'Total cash in hand',
  'Pending reconciliation',
  'Total revenue',
  'Total cash generated',
  'Total driver amount',
  'Total commission',
]
const statisticsLabels = [
  'Total riders',
  'Total customers',
  'Total trips completed',
  'Suspended riders',
  'Total failed trips',
  'Total bookings',
  'Ongoing bookings',
  'Completed bookings',
  'Pending bookings',
]

async function open(given: object = {}) {
  serve({ [analytics]: wireAnalytics(given) })
  const { user } = renderApp()
  await screen.findByText(/% online$/)
  return user
}

describe('the money on the dashboard (S2.c.1)', () => {
  it('is in Ksh, rounded to whole shillings and written with .00 (S9.1)', async () => {
    await open({ pending_reconciliation: 34_567.5 })
    expect(labels('Revenue/Cash')).toEqual(moneyLabels)
    expect(moneyLabels.map(shown)).toEqual([
      'Ksh 1,200,000.00',
      'Ksh 34,568.00',
      'Ksh 1,234,568.00',
      'Ksh 6,000,000.00',
      'Ksh 4,920,000.00',
      'Ksh 1,080,000.00',
    ])
    expect(figure('Pending reconciliation')?.getAttribute('title')).toBe('34567.5')
  })

  it('is labelled with the current month in Nairobi', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2025-11-30T21:30:00Z') })
    await open()
    vi.useRealTimers()
    expect(caption('Total cash in hand')).toBe('as of December 2025')
    for (const label of moneyLabels) expect(caption(label)).toMatch(/as of December 2025$/)
  })

  it('explains the driver amount and the commission in their captions', async () => {
    await open()
    expect(caption('Total driver amount')).toContain('without')
    expect(caption('Total commission')).toContain('18%')
  })
})

it('the statistics are counts (S2.c.2)', async () => {
  await open()
  expect(labels('Statistics')).toEqual(statisticsLabels)
  expect(statisticsLabels.map(shown)).toEqual([
    '1,234',
    '5,678',
    '90,123',
    '12',
    '345',
    '678',
    '21',
    '600',
    '57',
  ])
})

describe('the records that a figure adds up', () => {
  const filters = {
    drivers: ['suspended'],
    customers: [],
    trips: ['completed', 'cancelled'],
    bookings: ['ongoing', 'completed', 'pending', 'paid'],
    invoices: ['paid', 'unpaid'],
  }
  const links = () =>
    within(screen.getByRole('main'))
      .queryAllByRole('link')
      .map((link) => [link.getAttribute('aria-label') ?? link.textContent, link.getAttribute('href')])

  it('are a link away where the server offers their filter', async () => {
    serve({ 'GET capabilities/': { filters } })
    const user = await open()
    expect(links()).toEqual([
      ['Total cash in hand: Ksh 1,200,000.00', '/invoices?filter=paid'],
      ['Pending reconciliation: Ksh 34,568.00', '/invoices?filter=unpaid'],
      ['Total revenue: Ksh 1,234,568.00', '/invoices'],
      ['Total cash generated: trips', '/trips?filter=completed'],
      ['Total cash generated: bookings', '/bookings?filter=paid'],
      ['Total riders: 1,234', '/riders'],
      ['Total customers: 5,678', '/customers'],
      ['Total trips completed: 90,123', '/trips?filter=completed'],
      ['Suspended riders: 12', '/riders?filter=suspended'],
      ['Total failed trips: 345', '/trips?filter=cancelled'],
      ['Total bookings: 678', '/bookings'],
      ['Ongoing bookings: 21', '/bookings?filter=ongoing'],
      ['Completed bookings: 600', '/bookings?filter=completed'],
      ['Pending bookings: 57', '/bookings?filter=pending'],
    ])
    expect(shown('Total cash in hand')).toBe('Ksh 1,200,000.00')
    screen.getByRole('link', { name: /^Suspended riders/ }).focus()
    await user.keyboard('{Enter}')
    expect(address()).toBe('/riders?filter=suspended')
  })

  it('have no link for a term that the server does not offer', async () => {
    serve({ 'GET capabilities/': { filters: { drivers: [], bookings: ['paid'] } } })
    await open()
    expect(links().map(([, href]) => href)).toEqual(['/bookings?filter=paid', '/riders', '/bookings'])
  })

  it('have no links, and the figures no time, with a server that has no filters (S2.c)', async () => {
    await open()
    expect(links()).toEqual([])
    expect(screen.queryByText(/^as of \d/)).toBeNull()
  })

  it('and the figures are as of the time of the answer, in Nairobi', async () => {
    serve({ 'GET capabilities/': { filters } })
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-23T04:04:59Z') })
    await open()
    vi.useRealTimers()
    expect(await screen.findByText('as of 07:04')).toBeTruthy()
  })
})

describe('the gauge (S2.c.3)', () => {
  const ring = () => {
    const [arc = 0, around = 1] =
      gauge().querySelectorAll('circle')[1]?.getAttribute('stroke-dasharray')?.split(' ').map(Number) ?? []
    return arc / around
  }

  it('has the online count in the ring, and the percent online', async () => {
    await open({ online_drivers: 1432, percent_online_drivers: 35.5 })
    expect(gauge().querySelector('strong')?.textContent).toBe('1,432')
    expect(screen.getByText('35.5% online')).toBeTruthy()
    expect(ring()).toBeCloseTo(0.355)
  })

  it('rounds the percent to two decimals, and has the exact value in the title (R4)', async () => {
    await open({ online_drivers: 1, percent_online_drivers: 100 / 3 })
    expect(screen.getByText('33.33% online').title).toBe('33.333333333333336')
  })

  it.each([
    [-10, 0],
    [0, 0],
    [100, 1],
    [250, 1],
    ['50', 0.5],
    ['much', 0],
    [null, 0],
  ])('at %j percent fills a share of %d of the ring, clamped to 0 and 1', async (percent, share) => {
    await open({ percent_online_drivers: percent })
    expect(ring()).toBeCloseTo(share)
  })

  it('shows dimmed zeros with the title "no value" where the server sends no number (R4)', async () => {
    await open({ online_drivers: null, percent_online_drivers: 'most' })
    expect(
      within(gauge())
        .getAllByTitle('no value')
        .map(({ textContent }) => textContent),
    ).toEqual(['0', '0% online'])
    expect(gauge().querySelector('strong')?.dataset['none']).toBe('true')
  })
})

describe('the commission', () => {
  it.each([
    [['total_amount', 'total_twende_amount', 'total_other_amount'], 'twende', 'total_twende_amount'],
    [['total_driver_amount', 'total_safiri_amount'], 'safiri', 'total_safiri_amount'],
    [['total_amount', 'total_driver_amount', 'total_ridehail_amount'], 'twende', 'total_ridehail_amount'],
    [['total_amount', 'total_driver_amount'], 'twende', 'total_twende_amount'],
    [['total_driver_amount', 'total_amount_x', 'xtotal_a_amount'], 'twende', 'total_twende_amount'],
    [[], 'twende', 'total_twende_amount'],
  ])('among %j is, for the product %s, the value of %s (S3.1)', (keys, product, key) => {
    expect(commissionKey(keys, product)).toBe(key)
  })

  it('is read under the key of the configured product', async () => {
    getDefaultStore().set(configAtom, (config) => ({ ...config, product: 'safiri' }))
    await open({ total_safiri_amount: 42 })
    expect(shown('Total commission')).toBe('Ksh 42.00')
  })

  it('is found under the key of another product when another server sends it', async () => {
    const { total_twende_amount, ...foreign } = wireAnalytics()
    serve({ [analytics]: { ...foreign, total_bolti_amount: total_twende_amount } })
    renderApp()
    await screen.findByText(/% online$/)
    expect(shown('Total commission')).toBe('Ksh 1,080,000.00')
  })

  it('has no value if it is not sent, and never shows the driver amount', async () => {
    await open({ total_twende_amount: undefined })
    expect(shown('Total commission')).toBe('Ksh 0')
    expect(figure('Total commission')?.getAttribute('title')).toBe('no value')
    expect(figure('Total commission')?.getAttribute('data-none')).toBe('true')
  })
})

describe('missing figures', () => {
  it('read "loading" beside their labels until the answer is received (R1)', async () => {
    const reply = hold()
    serve({ [analytics]: reply.answer })
    renderApp()
    expect(labels('Revenue/Cash')).toEqual(moneyLabels)
    expect(new Set([...moneyLabels, ...statisticsLabels].map(shown))).toEqual(new Set(['loading']))
    expect(gauge().textContent).toBe('Online drivers')
    reply.give(wireAnalytics())
    await waitFor(() => expect(shown('Total riders')).toBe('1,234'))
  })

  it.each<[string, () => unknown]>([
    ['is refused', () => refuse(400, 'Boom')],
    ['fails on the network', lose],
    ['returns no object', () => []],
  ])(
    'read "not loaded" when the load %s: no zeros, no message, a Retry button (R1, S8.10)',
    async (_what, answer) => {
      serve({ [analytics]: answer })
      const { user } = renderApp()
      const retry = await screen.findByRole('button', { name: 'Retry' })
      expect(new Set([...moneyLabels, ...statisticsLabels].map(shown))).toEqual(new Set(['not loaded']))
      expect(gauge().textContent).toBe('Online drivers')
      expect(screen.queryByText(/Boom/)).toBeNull()
      expect(document.querySelectorAll('[data-sonner-toast]')).toHaveLength(0)
      serve({ [analytics]: wireAnalytics() })
      await user.click(retry)
      await waitFor(() => expect(shown('Total riders')).toBe('1,234'))
      expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
    },
  )

  it('keep their earlier values, dimmed, when a later load fails (R1)', async () => {
    await open()
    serve({ [analytics]: () => refuse(400) })
    await queryClient.invalidateQueries()
    await screen.findByRole('button', { name: 'Retry' })
    expect(shown('Total riders')).toBe('1,234')
    expect(figure('Total riders')?.closest('[data-stale]')?.getAttribute('data-stale')).toBe('true')
  })

  it('are zeros with the title "no value" where the answer is malformed (R4)', async () => {
    serve({ [analytics]: { total_riders: 'many', cash_in_hand: null, online_drivers: {} } })
    renderApp()
    await screen.findByText('0% online')
    expect([shown('Total riders'), shown('Total cash in hand')]).toEqual(['0', 'Ksh 0'])
    expect(figure('Total riders')?.getAttribute('title')).toBe('no value')
    expect(screen.getByRole('main').textContent).not.toMatch(/undefined|null|NaN|object/)
  })
})
