import { beforeAll, describe, expect, test } from 'vitest'
import { Driver, DriverTransaction, Page, Trip } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import { buildDriver, buildTransaction, buildTrip } from '../../support/factories.ts'
import { read, readProblem, useServer } from '../../support/server.ts'

const noIds = [
  '0',
  '-1',
  '+1',
  '01',
  '1.5',
  '1e1',
  '9e99',
  'abc',
  'NaN',
  'null',
  '%00',
  '%20',
  '1%00',
  '1%2F2',
  '%F0%9F%9A%95',
  '9007199254740993',
  '99999999999999999999',
  '%',
  '%E0%A4%A',
  '__proto__',
]

describe.each(engines)('one driver on %s', (name) => {
  const server = useServer(name, { scope: 'suite' })

  beforeAll(async () => {
    const { engine } = server()
    await buildDriver(engine, { id: 1 })
    await buildDriver(engine, { id: 2, deleted: 1 })
    for (let id = 1; id <= 13; id++) {
      await buildTrip(engine, { id, driver_id: id === 12 ? 2 : 1 })
      await buildTransaction(engine, { id, driver_id: id === 12 ? 2 : 1 })
    }
  })

  const histories = [
    ['trips', 'S7.5', Page(Trip), 'id'],
    ['transactions', 'S7.6', Page(DriverTransaction), 'transaction_id'],
  ] as const

  describe.each(histories)('%s (%s)', (path, _clause, schema) => {
    const page = async (query: string, driver = 1) => {
      const answer = read(await server().get(`/api/v1/oms/drivers/${driver}/${path}/${query}`), schema)
      const ids = answer.results.map((row) => ('id' in row ? row.id : row.transaction_id))
      return { ...answer, results: ids }
    }

    test('the first page has the five newest rows of this driver, newest first (S9.4)', async () => {
      expect(await page('')).toEqual({
        results: [13, 11, 10, 9, 8],
        current_page_number: 1,
        total_pages: 3,
        next_page: 2,
        previous_page: null,
        count: 12,
      })
    })

    test('further pages continue after the last row of the page before (S9.4, S3.17)', async () => {
      expect(await page('?page_size=5&page=2')).toMatchObject({ results: [7, 6, 5, 4, 3], previous_page: 1 })
      expect(await page('?page_size=5&page=3')).toMatchObject({
        results: [2, 1],
        next_page: null,
        previous_page: 2,
      })
    })

    test('a page beyond the end is the last page', async () => {
      expect(await page('?page=99')).toMatchObject({ results: [2, 1], current_page_number: 3 })
    })

    test('the page size can be chosen', async () => {
      expect(await page('?page_size=100')).toMatchObject({ count: 12, total_pages: 1 })
      expect(await page('?page_size=1&page=2')).toMatchObject({ results: [11], total_pages: 12 })
    })

    test('a driver without rows has an empty list', async () => {
      await buildDriver(server().engine, { id: path === 'trips' ? 3 : 4 })
      expect(await page('', path === 'trips' ? 3 : 4)).toMatchObject({
        results: [],
        total_pages: 0,
        next_page: null,
        count: 0,
      })
    })

    test('a suspended driver keeps its history (S4.3)', async () => {
      expect(await page('', 2)).toMatchObject({ results: [12], count: 1 })
    })

    test('an unknown driver gets 404', async () => {
      readProblem(await server().get(`/api/v1/oms/drivers/4711/${path}/`), 404)
    })
  })

  test('a suspended driver stays visible and is marked as deleted (S3.2, S4.3)', async () => {
    expect(read(await server().get('/api/v1/oms/drivers/2'), Driver).deleted).toBe(true)
    const list = read(await server().get('/api/v1/oms/drivers/'), Page(Driver)).results
    expect(list.find(({ id }) => id === 2)?.deleted).toBe(true)
  })

  test.each([
    ...['4711', String(Number.MAX_SAFE_INTEGER), ...noIds].map((id) => [id, id] as const),
    ['of 1,000 digits', '9'.repeat(1000)] as const,
    ['of 3,000 digits', '9'.repeat(3000)] as const,
  ])('every call for driver %s gets 404 with a message (reliability 27)', async (_label, id) => {
    const { get, post } = server()
    const answers = await Promise.all([
      get(`/api/v1/oms/drivers/${id}`),
      get(`/api/v1/oms/drivers/${id}/`),
      get(`/api/v1/oms/drivers/${id}/trips/`),
      get(`/api/v1/oms/drivers/${id}/transactions/`),
      post(`/api/v1/oms/driver/${id}/suspend/`),
      post(`/api/v1/oms/driver/${id}/unfreeze/`),
    ])
    for (const answer of answers) expect(Object.keys(readProblem(answer, 404))).toEqual(['message'])
  })
})
