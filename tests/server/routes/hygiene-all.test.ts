import fc from 'fast-check'
import { Type } from 'typebox'
import { beforeAll, describe, expect, test } from 'vitest'
import { Page } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import { lists } from '../../support/lists.ts'
import { anyQuery, oddPages, oddSizes } from '../../support/odd-queries.ts'
import { read, readProblem, useServer } from '../../support/server.ts'
import { repeats } from '../../support/soak.ts'

const Rows = Page(Type.Object({ id: Type.Integer() }))
const rows = 120

describe.each(engines)('unusual and invalid queries on %s', (name) => {
  describe.each(lists)('of $path ($clause)', ({ path, shape, build }) => {
    const server = useServer(name, { scope: 'suite' })
    let newestFirst: number[] = []

    const page = async (query: string) => {
      const answer = await server().get(`${path}?${query}`)
      read(answer, shape)
      const { results, ...rest } = read(answer, Rows)
      return { ...rest, ids: results.map(({ id }) => id) }
    }

    beforeAll(async () => {
      const { count } = await page('')
      for (let nth = count; nth < rows; nth++) await build(server().engine)
      newestFirst = (await page('page_size=1000')).ids
    })

    test('an invalid page number means the first page, and one out of range the nearest page (reliability 27, S9.4)', async () => {
      for (const [query, expected] of oddPages) {
        const { current_page_number, total_pages, ids } = await page(query)
        expect([current_page_number, total_pages], query).toEqual([expected, 3])
        expect(ids, query).toEqual(newestFirst.slice((expected - 1) * 50, expected * 50))
      }
    })

    test('an invalid page size means the default, and one out of range the nearest size (reliability 27)', async () => {
      for (const [query, expected] of oddSizes) expect((await page(query)).ids, query).toHaveLength(expected)
    })

    test.each(['s', 'phone', 'name'])(
      'a NUL character in %s is rejected, and the error names the parameter (reliability 27)',
      async (parameter) => {
        const answer = await server().get(`${path}?${parameter}=a%00b`)
        expect(readProblem(answer, 400).errors).toEqual({ [parameter]: ['must not contain a NUL character'] })
      },
    )

    test.each(['s', 'phone', 'ordering'])(
      '10 kB in %s is rejected, and the error names the parameter (reliability 27)',
      async (parameter) => {
        const answer = await server().get(`${path}?${parameter}=${'7'.repeat(10_240)}`)
        expect(Object.keys(readProblem(answer, 400).errors ?? {})).toEqual([parameter])
      },
    )

    test('a search of 200 characters is accepted, with any characters (reliability 27, 28)', async () => {
      for (const character of ['x', '%', '_', '\\', "'", '"', '7', '🚕', 'ﷺ', '\u0301'])
        expect((await page(`s=${encodeURIComponent(character.repeat(200))}`)).ids.length).toBeLessThanOrEqual(
          rows,
        )
    })

    test('a blank search finds all records; a phone filter without digits finds none, or all if the list has no such filter', async () => {
      expect((await page('s=%20%20&phone=%20')).ids).toEqual(newestFirst.slice(0, 50))
      expect([0, rows]).toContain((await page('phone=letters')).count)
    })

    test('an unknown ordering means newest first (reliability 27)', async () => {
      for (const ordering of [
        'nope',
        '-nope',
        '--id',
        'search',
        '-',
        'id;drop table staff',
        '__proto__',
        'toString',
      ])
        expect((await page(`ordering=${encodeURIComponent(ordering)}`)).ids, ordering).toEqual(
          newestFirst.slice(0, 50),
        )
    })

    test('any query gets one page or a 4xx with a message (reliability 27)', async () => {
      await fc.assert(
        fc.asyncProperty(anyQuery, async (query) => {
          const answer = await server().get(`${path}?${query}`)
          if (answer.statusCode === 400)
            expect(Object.keys(readProblem(answer, 400).errors ?? {})).not.toEqual([])
          else {
            const { ids, count, current_page_number, total_pages } = await page(query)
            expect(ids.length).toBeLessThanOrEqual(count)
            expect(current_page_number).toBeLessThanOrEqual(Math.max(total_pages, 1))
          }
        }),
        { numRuns: repeats(25, 100), seed: 2728 },
      )
    })
  })
})
