import fc from 'fast-check'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { beforeAll, describe, expect, test } from 'vitest'
import { trip } from '../../../server/nouns/trip.ts'
import { Page } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import { buildDriver, buildTrip } from '../../support/factories.ts'
import { read, useServer } from '../../support/server.ts'

const Row = Type.Object({ id: Type.Integer() })
const Rows = Page(Row)
const hour = 60 * 60_000
/** Midnight of 1 March in Nairobi. */
const march = Date.parse('2026-03-01T00:00:00+03:00')
const statuses = ['Completed', 'Cancelled', 'Ongoing'] as const

/** The day of March in Nairobi, `2026-03-07`; the dates of the trips do not follow their ids. */
const dayOf = (time: number) =>
  `2026-03-${String(Math.floor((time - march) / (24 * hour)) + 1).padStart(2, '0')}`
const trips = Array.from({ length: 60 }, (_, at) => ({
  id: at + 1,
  created_at: march + ((at * 37) % 60) * 8 * hour - (at % 3),
  status: statuses[at % 3] ?? 'Completed',
  driver_id: 1 + (at % 2),
}))

describe.each(engines)('the days of a filter on %s', (name) => {
  const server = useServer(name, { scope: 'suite' })

  beforeAll(async () => {
    const { engine } = server()
    for (const id of [1, 2]) await buildDriver(engine, { id })
    for (const trip of trips) await buildTrip(engine, trip)
  })

  test('a day begins and ends at midnight in Nairobi, and both days are included', async () => {
    const { engine } = server()
    await buildDriver(engine, { id: 11, date_joined: march - 1 })
    await buildDriver(engine, { id: 12, date_joined: march })
    await buildDriver(engine, { id: 13, date_joined: march + 24 * hour - 1 })
    await buildDriver(engine, { id: 14, date_joined: march + 24 * hour })
    const ids = async (filter: string) =>
      read(await server().get(`/api/v1/oms/drivers/?filter=${filter},active&ordering=id`), Rows).results.map(
        ({ id }) => id,
      )
    expect(await ids('from:2026-03-01,to:2026-03-01')).toEqual([12, 13])
    expect(await ids('from:2026-03-02')).toContain(14)
    expect(await ids('from:2026-03-02')).not.toContain(13)
    expect(await ids('to:2026-02-28')).toContain(11)
    expect(await ids('to:2026-02-28')).not.toContain(12)
  })

  test('every page of every range has the rows, the order and the count of a plain comparison', async () => {
    const day = fc.option(
      fc.integer({ min: -1, max: 22 }).map((at) => dayOf(march + Math.max(at, 0) * 24 * hour)),
    )
    await fc.assert(
      fc.asyncProperty(
        day,
        day,
        fc.constantFrom('', 'completed', 'cancelled', 'driver:2', 'driver:1,ongoing'),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom(5, 20, 100),
        fc.constantFrom('', 'id'),
        async (from, to, others, asked, size, ordering) => {
          const terms = [from && `from:${from}`, to && `to:${to}`, others].filter(Boolean)
          const given = others.split(',')
          const expected = trips
            .filter(
              ({ created_at, status, driver_id }) =>
                (!from || dayOf(created_at) >= from) &&
                (!to || dayOf(created_at) <= to) &&
                given.every((term) => ['', status.toLowerCase(), `driver:${driver_id}`].includes(term)),
            )
            .map(({ id }) => id)
            .sort((one, other) => (ordering ? one - other : other - one))
          const answer = read(
            await server().get(
              `/api/v1/oms/trips/?filter=${terms.join(',')}&page=${asked}&page_size=${size}&ordering=${ordering}`,
            ),
            Rows,
          )
          const page = Math.min(asked, Math.max(Math.ceil(expected.length / size), 1))
          expect(answer.count).toBe(expected.length)
          expect(answer.current_page_number).toBe(page)
          expect(answer.results.map(({ id }) => id)).toEqual(expected.slice((page - 1) * size, page * size))
        },
      ),
      { numRuns: 60 },
    )
  })
  test.each([
    // A Wednesday, at the beginning and at the end of the day.
    ['2026-03-04T00:00', { today: 4, yesterday: 3, 'this-week': [2, 8], 'this-month': [1, 31] }],
    ['2026-03-04T23:59', { today: 4, yesterday: 3, 'this-week': [2, 8], 'this-month': [1, 31] }],
    ['2026-03-02T12:00', { today: 2, yesterday: 1, 'this-week': [2, 8], 'this-month': [1, 31] }],
    ['2026-03-08T12:00', { today: 8, yesterday: 7, 'this-week': [2, 8], 'this-month': [1, 31] }],
  ])('at %s in Nairobi, the days of today, this week and this month are these', async (time, expected) => {
    const now = Date.parse(`${time}:00+03:00`)
    const ids = async (filter: string) => {
      const query = { page: 1, page_size: 100, s: '', phone: '', ordering: '', filter }
      return (await trip.list.page(server().engine, query, now)).results.map(
        (row) => Value.Parse(Row, row).id,
      )
    }
    for (const [term, days] of Object.entries(expected)) {
      const [first, last = first] = typeof days === 'number' ? [days] : days
      const two = (day: number | undefined) => `2026-03-${String(day).padStart(2, '0')}`
      const same = await ids(`from:${two(first)},to:${two(last)}`)
      expect(await ids(term), term).toEqual(same)
      expect(same, term).not.toEqual([])
    }
  })
})
