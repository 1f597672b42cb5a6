import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Call } from '../support/network.ts'
import { callsTo, hold, refuse, serve } from '../support/network.ts'
import { address, renderApp } from '../support/render-app.tsx'
import { wireTrends } from '../support/wire.ts'

const labels = ['Trips completed', 'Fares', 'Commission', 'Cash received', 'Sign-ups', 'SOS']
type Answer = ((call: Call) => unknown) | object

const section = () => screen.findByRole('region', { name: 'Trends' })
const chart = (label: string) => screen.findByRole('img', { name: new RegExp(`^${label}, `) })
/** The caption of each chart: its label, total and change. */
const captions = () =>
  [...document.querySelectorAll('figcaption')].map((caption) =>
    [...caption.childNodes].map(({ textContent }) => textContent),
  )

/** The cells of the table of areas. */
const areaRows = async () =>
  within(await screen.findByRole('region', { name: 'Completed trips by area' }))
    .getAllByRole('row')
    .map((row) => [...row.querySelectorAll('th,td')].map(({ textContent }) => textContent))

function open(path = '/', answer: Answer = ({ query }) => wireTrends(Number(query['days']))) {
  serve({ 'GET capabilities/': { trends: true }, 'GET trends/': answer })
  return renderApp({ path }).user
}

describe('the trends below the figures of the dashboard', () => {
  it('are neither shown nor asked for with a server that does not offer them (S2.c)', async () => {
    serve({ 'GET capabilities/': {} })
    renderApp()
    await screen.findByText(/% online$/)
    expect(screen.queryByText('Trends')).toBeNull()
    expect(callsTo('GET trends/')).toEqual([])
  })

  it('are six charts, each with its total and how it changed', async () => {
    open()
    await chart('Fares')
    expect(captions()).toEqual([
      ['Trips completed', '105', '+110% on the 14 days before'],
      ['Fares', 'Ksh 10,526.00', '+110% on the 14 days before'],
      ['Commission', 'Ksh 1,895.00', '+110% on the 14 days before'],
      ['Cash received', 'Ksh 0.00', 'none, as in the 14 days before'],
      ['Sign-ups', '42', '+1300% on the 14 days before'],
      ['SOS', '0', '−100% on the 14 days before'],
    ])
    expect((await chart('Fares')).getAttribute('aria-label')).toBe(
      'Fares, 10th Nov 2026 to 23rd Nov 2026: Ksh 10,526.25, highest Ksh 1,403.50 at 23rd Nov 2026. Arrow keys tell each number.',
    )
    expect((await chart('Fares')).querySelectorAll('rect')).toHaveLength(14)
  })

  it('show another period by mouse and by arrow keys, and keep it in the address', async () => {
    const user = open()
    await user.click(await screen.findByRole('tab', { name: '90 days' }))
    expect(address()).toBe('/?days=90')
    await waitFor(async () => expect((await chart('Fares')).querySelectorAll('rect')).toHaveLength(90))
    await user.keyboard('{ArrowLeft}{ArrowLeft}')
    expect(address()).toBe('/?days=1')
    expect(callsTo('GET trends/').map(({ query }) => query['days'])).toEqual(['14', '90', '1'])
  })

  it('of today are told by the hour, beside the hours to come', async () => {
    open('/?days=1', wireTrends(1, 8))
    const trips = await chart('Trips completed')
    expect(trips.querySelectorAll('rect')).toHaveLength(8)
    expect(trips.querySelector('svg')?.getAttribute('viewBox')).toBe('0 0 24 1')
    expect(captions()[0]).toEqual(['Trips completed', '36', '−28% on the same hours yesterday'])
  })

  it('tell the date and number of each point by arrow keys', async () => {
    const user = open()
    const fares = await chart('Fares')
    const told = () => fares.closest('figure')?.querySelector('output')?.textContent
    fares.focus()
    expect(told()).toBe('')
    await user.keyboard('{ArrowLeft}{ArrowLeft}')
    expect(told()).toBe('22nd Nov 2026: Ksh 1,303.25')
    await user.keyboard('{Home}{ArrowLeft}')
    expect(told()).toBe('10th Nov 2026: Ksh 100.25')
    await user.keyboard('{End}{ArrowRight}')
    expect(told()).toBe('23rd Nov 2026: Ksh 1,403.50')
    await user.tab()
    expect(told()).toBe('')
  })

  it('tell the date and number under the pointer', async () => {
    open()
    const trips = await chart('Trips completed')
    trips.getBoundingClientRect = () => new DOMRect(100, 0, 140, 64)
    fireEvent.pointerMove(trips, { clientX: 125 })
    const told = () => trips.closest('figure')?.querySelector('output')?.textContent
    expect(told()).toBe('12th Nov 2026: 3')
    fireEvent.pointerLeave(trips)
    expect(told()).toBe('')
  })

  it('have the same numbers as a table, newest first, with their sum', async () => {
    const user = open()
    await user.click(await screen.findByRole('button', { name: 'Show as table' }))
    expect(address()).toBe('/?show=table')
    const cells = (row: HTMLElement | undefined) =>
      row && [...row.querySelectorAll('th,td')].map(({ textContent }) => textContent)
    const rows = within(await screen.findByRole('region', { name: 'Trends as a table' })).getAllByRole('row')
    expect(rows).toHaveLength(17)
    expect(cells(rows[0])).toEqual([
      ...['Day', 'Trips completed', 'Fares (Ksh)', 'Commission (Ksh)', 'Cash received (Ksh)'],
      ...['Sign-ups', 'Drivers', 'Customers', 'SOS'],
    ])
    expect(cells(rows[1])).toEqual(['23rd Nov 2026', '14', '1,403.50', '252.70', '0.00', '3', '1', '2', '0'])
    expect(cells(rows[15])).toEqual(['Total', '105', '10,526.25', '1,895.25', '0.00', '42', '14', '28', '0'])
    expect(cells(rows[16])?.slice(0, 2)).toEqual(['The 14 days before', '50'])
    await user.click(screen.getByRole('button', { name: 'Show as charts' }))
    expect(address()).toBe('/')
  })

  it('tell how many of the trips began in each town, and what they cost', async () => {
    open()
    expect(await areaRows()).toEqual([
      ['Area', 'Trips', 'Share', 'Fares (Ksh)'],
      ['Nairobi', '75', '71.4%', '7,518.75'],
      ['Other places', '20', '19.0%', '2,005.00'],
      ['Mombasa', '10', '9.5%', '1,002.50'],
      ['Total', '105', '', '10,526.25'],
    ])
  })

  it('add up the smaller of many towns beside the charts, and name all of them in the table', async () => {
    const towns = Array.from({ length: 10 }, (_, nth) => ({
      area: `Town ${nth}`,
      trips: 20 - nth,
      fares: 0.1,
    }))
    const user = open('/', { ...wireTrends(14), areas: towns })
    const rows = await areaRows()
    expect(rows.map(([area]) => area).slice(8, 11)).toEqual(['Town 7', '2 more areas', 'Total'])
    expect(rows[9]).toEqual(['2 more areas', '23', '14.8%', '0.20'])
    await user.click(screen.getByRole('button', { name: 'Show as table' }))
    expect((await areaRows()).slice(9)).toEqual([
      ['Town 8', '12', '7.7%', '0.10'],
      ['Town 9', '11', '7.1%', '0.10'],
      ['Total', '155', '', '1.00'],
    ])
  })

  it.each([undefined, [], 'none', [null, { area: 'Nairobi' }]])(
    'show no areas where the server answers %j for them',
    async (areas) => {
      open('/', { ...wireTrends(14), areas })
      await chart('Fares')
      expect(screen.queryByRole('region', { name: 'Completed trips by area' })).toBeNull()
    },
  )

  it('keep their place while they load', async () => {
    const reply = hold()
    open('/', reply.answer)
    expect((await section()).getAttribute('aria-busy')).toBe('true')
    expect(captions().map(([label]) => label)).toEqual(labels)
    expect(document.querySelectorAll('figure rect')).toHaveLength(0)
    reply.give(wireTrends(14))
    await waitFor(async () => expect((await section()).getAttribute('aria-busy')).toBe('false'))
  })

  it('that could not be loaded have a Retry button and no zeros (R1)', async () => {
    const user = open('/', () => refuse(400, 'Boom'))
    const retry = await within(await section()).findByRole('button', { name: 'Retry' })
    expect((await section()).textContent).not.toMatch(/\d%|Ksh|Boom/)
    serve({ 'GET trends/': wireTrends(14) })
    await user.click(retry)
    await chart('Fares')
    expect(within(await section()).queryByRole('button', { name: 'Retry' })).toBeNull()
  })

  it.each([
    [{}],
    [{ points: 7, before: 'x' }],
    [{ points: [null, { at: 'x' }, { at: '2026-11-09T21:00:00Z', trips: 'y' }] }],
  ])('show zeros, and never break, with the answer %j', async (answer) => {
    open('/', answer)
    await waitFor(() => expect(captions()[1]?.[1]).toBe('Ksh 0.00'))
    expect((await section()).textContent).not.toMatch(/undefined|null|NaN|Invalid|Infinity/)
  })
})
