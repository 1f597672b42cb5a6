import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { Driver, DriverTransaction, Page, Trip } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import { buildDriver, buildTransaction, buildTrip } from '../../support/factories.ts'
import { anyQuery, oddPages, oddSizes } from '../../support/odd-queries.ts'
import { read, readProblem, useServer } from '../../support/server.ts'
import { repeats } from '../../support/soak.ts'

const lists = [
  ['/api/v1/oms/drivers/', Page(Driver)],
  ['/api/v1/oms/drivers/1/trips/', Page(Trip)],
  ['/api/v1/oms/drivers/1/transactions/', Page(DriverTransaction)],
] as const

/** 120 rows: three pages of 50, 50 and 20, or 24 pages of five. */
const count = 120

describe.each(engines)('unusual and invalid queries of drivers on %s', (name) => {
  const server = useServer(name, { scope: 'suite' })

  beforeAll(async () => {
    const { engine } = server()
    for (let id = 1; id <= count; id++) {
      await buildDriver(engine, { id })
      await buildTrip(engine, { driver_id: 1 })
      await buildTransaction(engine, { driver_id: 1 })
    }
  })

  const drivers = async (query: string) =>
    read(await server().get(`/api/v1/oms/drivers/?${query}`), Page(Driver))

  test.each(oddPages)('“%s” is page %i of three (reliability 27, S9.4)', async (query, expected) => {
    const { current_page_number, total_pages, results } = await drivers(query)
    expect([current_page_number, total_pages]).toEqual([expected, 3])
    expect(results[0]?.id).toBe(count - (expected - 1) * 50)
  })

  test.each(oddSizes)('“%s” answers %i rows (reliability 27)', async (query, expected) => {
    expect((await drivers(query)).results).toHaveLength(expected)
  })

  test('no page holds more than 1,000 rows (reliability 27)', async () => {
    const { engine } = server()
    const { id: newest } = await buildDriver(engine, { id: 5000 })
    const template = await engine.db
      .selectFrom('drivers')
      .selectAll()
      .where('id', '=', newest)
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: 1000 }, (_, index) => ({ ...template, id: 5001 + index }))
    await engine.db.insertInto('drivers').values(rows).execute()
    expect((await drivers('page_size=99999')).results).toHaveLength(1000)
    await engine.db.deleteFrom('drivers').where('id', '>=', 5000).execute()
  })

  test.each(['s', 'phone'])(
    'a NUL character in %s is rejected, and the error names the parameter (reliability 27)',
    async (parameter) => {
      for (const [path] of lists) {
        const answer = await server().get(`${path}?${parameter}=a%00b`)
        expect(readProblem(answer, 400).errors).toEqual({ [parameter]: ['must not contain a NUL character'] })
      }
    },
  )

  test.each(['s', 'phone', 'ordering'])(
    '10 kB in %s is rejected, and the error names the parameter (reliability 27)',
    async (parameter) => {
      for (const [path] of lists) {
        const answer = await server().get(`${path}?${parameter}=${'7'.repeat(10_240)}`)
        expect(Object.keys(readProblem(answer, 400).errors ?? {})).toEqual([parameter])
      }
    },
  )

  test('of a repeated search parameter the last one is used', async () => {
    const { engine } = server()
    const { fullname } = await buildDriver(engine, { id: 7001, fullname: 'Only One' })
    const found = await drivers('s=nobody&s=only+one')
    expect(found.results.map(({ user }) => user.fullname)).toEqual([fullname])
    await engine.db.deleteFrom('drivers').where('id', '=', 7001).execute()
  })

  test('any query gets one page or a 4xx with a message (reliability 27)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...lists), anyQuery, async ([path, schema], query) => {
        const answer = await server().get(`${path}?${query}`)
        if (answer.statusCode === 400)
          expect(Object.keys(readProblem(answer, 400).errors ?? {})).not.toEqual([])
        else {
          const page = read(answer, schema)
          expect(page.results.length).toBeLessThanOrEqual(page.count)
          expect(page.current_page_number).toBeLessThanOrEqual(Math.max(page.total_pages, 1))
        }
      }),
      { numRuns: repeats(100, 300), seed: 2727 },
    )
  })
})
