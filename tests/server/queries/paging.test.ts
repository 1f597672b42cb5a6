import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../server/db/engine.ts'
import { Capabilities, Driver, Page } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import { buildDriver } from '../../support/factories.ts'
import { keptNumbers, recount } from '../../support/recount.ts'
import { read, useServer } from '../../support/server.ts'

/** The ids of 9,000 drivers in buckets of 4,096 ids, with an empty bucket in the middle. */
const ids = [...range(1, 4500), ...range(6000, 9500), ...range(17_000, 18_000)]

describe.each(engines)('the list of 9,000 drivers on %s', (name) => {
  const server = useServer(name, { scope: 'suite' })
  let rows: Awaited<ReturnType<typeof allDrivers>> = []

  beforeAll(async () => {
    const { engine } = server()
    await insertDrivers(engine)
    await sql`delete from drivers where id % 7 = 0 or id between 4090 and 4100`.execute(engine.db)
    rows = await allDrivers(engine)
  })

  const page = async (query: string) => {
    const answer = read(await server().get(`/api/v1/oms/drivers/?${query}`), Page(Driver))
    return { ...answer, results: answer.results.map(({ id }) => id) }
  }
  const newestFirst = () => rows.map(({ id }) => id).toReversed()

  test('a request without parameters gets the fifty newest drivers (S7.3, S9.4)', async () => {
    const count = rows.length
    expect(await page('')).toEqual({
      results: newestFirst().slice(0, 50),
      current_page_number: 1,
      total_pages: Math.ceil(count / 50),
      next_page: 2,
      previous_page: null,
      count,
    })
  })

  test('all pages together contain every driver once, newest first (S3.17)', async () => {
    const seen = []
    for (let at: number | null = 1; at !== null;) {
      const { results, next_page }: Awaited<ReturnType<typeof page>> = await page(`page=${at}&page_size=97`)
      seen.push(...results)
      at = next_page
    }
    expect(seen).toEqual(newestFirst())
  })

  test('a page in the middle has the numbers of the previous and next page (S3.17)', async () => {
    expect(await page('page=40&page_size=100')).toMatchObject({
      results: newestFirst().slice(3_900, 4_000),
      current_page_number: 40,
      next_page: 41,
      previous_page: 39,
    })
  })

  test.each([
    [1, 4_500],
    [5, 3],
    [250, 25],
    [1000, 5],
  ])('pages of %i have the correct rows at the borders of buckets (S9.4)', async (size, number) => {
    const { results, total_pages } = await page(`page=${number}&page_size=${size}`)
    expect(results).toEqual(newestFirst().slice((number - 1) * size, number * size))
    expect(total_pages).toBe(Math.ceil(rows.length / size))
  })

  test('a page beyond the end is the last page (S3.17)', async () => {
    const last = Math.ceil(rows.length / 50)
    const expected = {
      results: newestFirst().slice((last - 1) * 50),
      current_page_number: last,
      next_page: null,
      previous_page: last - 1,
    }
    for (const number of [last, last + 1, 1e6, 1e9])
      expect(await page(`page=${number}`)).toMatchObject(expected)
  })

  test('every ordering of the capabilities sorts the whole list, ascending and descending, and equal values by id (rulings, lists)', async () => {
    const { ordering } = read(await server().get('/api/v1/oms/capabilities/'), Capabilities)
    const offered = Object.keys(byField)
    expect(ordering['drivers']?.toSorted()).toEqual(offered.toSorted())
    const last = Math.ceil(rows.length / 250)
    for (const field of offered) {
      const up = rows.toSorted((a, b) => compare(a, b, field)).map(({ id }) => id)
      for (const [order, sorted] of [
        [field, up],
        [`-${field}`, up.toReversed()],
      ] as const)
        for (const number of [1, 2, 17, last])
          expect((await page(`ordering=${order}&page=${number}&page_size=250`)).results, order).toEqual(
            sorted.slice((number - 1) * 250, number * 250),
          )
    }
  })

  test('an ordering can be combined with a search', async () => {
    const found = rows
      .filter(({ search }) => search.includes('ab'))
      .toSorted((a, b) => compare(a, b, 'wallet_balance'))
    expect(found.length).toBeGreaterThan(100)
    const { results, count } = await page('s=ab&ordering=wallet_balance&page_size=60&page=2')
    expect(count).toBe(found.length)
    expect(results).toEqual(found.slice(60, 120).map(({ id }) => id))
  })

  test.each([
    'nope',
    '-nope',
    '--id',
    'search',
    'phone_number',
    '-',
    'id;drop table drivers',
    '__proto__',
    'constructor',
  ])('the unknown ordering “%s” means newest first (reliability 27)', async (ordering) => {
    expect(await page(`ordering=${encodeURIComponent(ordering)}`)).toMatchObject({
      results: newestFirst().slice(0, 50),
    })
  })

  test('counters and buckets equal a recount after these tests', async () => {
    const { engine } = server()
    expect((await keptNumbers(engine.db)).buckets).toEqual((await recount(engine)).buckets)
  })

  test('adding or deleting a driver changes the pages immediately', async () => {
    const { engine } = server()
    const { id } = await buildDriver(engine, { id: 30_000 })
    expect((await page('')).results.slice(0, 2)).toEqual([id, 18_000])
    expect((await page('')).count).toBe(rows.length + 1)
    await engine.db.deleteFrom('drivers').where('id', '=', id).execute()
    expect((await page('')).results[0]).toBe(18_000)
    expect((await page('page=1&page_size=1000')).count).toBe(rows.length)
  })
})

describe.each(engines)('an empty list on %s', (name) => {
  const server = useServer(name, { scope: 'suite' })

  test.each(['', 'page=1', 'page=7', 's=nobody', 'ordering=fullname', 'phone=0712'])(
    '“%s” gets no rows and no pages (rulings, lists)',
    async (query) => {
      expect(read(await server().get(`/api/v1/oms/drivers/?${query}`), Page(Driver))).toEqual({
        results: [],
        current_page_number: 1,
        total_pages: 0,
        next_page: null,
        previous_page: null,
        count: 0,
      })
    },
  )
})

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** Drivers with two-letter names and few different numbers, so that every ordering has equal values. */
async function insertDrivers(engine: Engine): Promise<void> {
  const drivers = ids.map((id) => {
    const letter = (nth: number) => String.fromCodePoint(97 + (Math.trunc((id * nth) / 5) % 10))
    const fullname = `${letter(3).toUpperCase()}${letter(7)}${letter(11)}`
    return {
      id,
      fullname,
      search: fullname.toLowerCase(),
      phone_number: `2547${String(id).padStart(8, '0')}`,
      date_joined: Date.UTC(2025, 0, 1 + ((id * 17) % 300)),
      wallet_balance: ((id * 7919) % 2000) - 1000,
      total_completed_trips: (id * 31) % 90,
      total_failed_trips: (id * 13) % 7,
    }
  })
  for (let at = 0; at < drivers.length; at += 1000)
    await engine.db
      .insertInto('drivers')
      .values(drivers.slice(at, at + 1000))
      .execute()
}

const allDrivers = (engine: Engine) => engine.db.selectFrom('drivers').selectAll().orderBy('id').execute()
type Row = Awaited<ReturnType<typeof allDrivers>>[number]

const byField: Record<string, (row: Row) => number | string> = {
  id: ({ id }) => id,
  fullname: ({ search }) => search,
  date_joined: (row) => row.date_joined,
  total_completed_trips: (row) => row.total_completed_trips,
  total_failed_trips: (row) => row.total_failed_trips,
  wallet_balance: (row) => row.wallet_balance,
}

function compare(a: Row, b: Row, field: string): number {
  const value = byField[field] ?? (() => 0)
  const [left, right] = [value(a), value(b)]
  return left < right ? -1 : left > right ? 1 : a.id - b.id
}
