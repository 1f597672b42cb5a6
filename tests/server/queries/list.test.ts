import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { Page } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import { buildAttraction, buildBlog, buildCoupon, buildPromoCode } from '../../support/factories.ts'
import { lists } from '../../support/lists.ts'
import { keptNumbers, recount } from '../../support/recount.ts'
import { read, useServer } from '../../support/server.ts'

const Rows = Page(Type.Object({ id: Type.Integer() }))
const oms = '/api/v1/oms'

describe.each(engines)('every list on %s', (name) => {
  const server = useServer(name)

  describe.each(lists)('$path ($clause)', ({ path, shape, build }) => {
    const page = async (query = '') => {
      const { results, ...rest } = read(await server().get(`${path}?${query}`), Rows)
      return { ids: results.map(({ id }) => id), ...rest }
    }

    test('an empty list has no rows and no pages; the list of staff has the person who asks (S3.17; rulings, lists)', async () => {
      const { count, total_pages, ids, ...rest } = await page()
      const expected = path.includes('staff-users') ? [server().staff.id] : []
      expect([ids, count, total_pages]).toEqual([expected, expected.length, expected.length])
      expect(rest).toEqual({ current_page_number: 1, next_page: null, previous_page: null })
    })

    test('rows have the documented format, newest first, on pages with the numbers of the previous and next page (S3.17, S9.4)', async () => {
      const before = (await page()).ids
      const built = []
      for (let nth = 0; nth < 7; nth++) built.push((await build(server().engine)).id)
      const all = [...before, ...built].toReversed()
      read(await server().get(path), shape)
      expect((await page()).ids).toEqual(all)
      const seen = []
      for (let at: number | null = 1; at !== null;) {
        const one: Awaited<ReturnType<typeof page>> = await page(`page=${at}&page_size=3`)
        expect(one).toEqual({
          ids: all.slice((at - 1) * 3, at * 3),
          current_page_number: at,
          total_pages: 3,
          next_page: at < 3 ? at + 1 : null,
          previous_page: at > 1 ? at - 1 : null,
          count: all.length,
        })
        seen.push(...one.ids)
        at = one.next_page
      }
      expect(seen).toEqual(all)
    })

    test('a page has fifty rows by default (S9.4; rulings, lists)', async () => {
      while ((await page()).count < 51) await build(server().engine)
      const { ids, total_pages } = await page()
      expect([ids.length, total_pages]).toEqual([50, 2])
      expect((await page('page_size=250')).ids).toHaveLength(51)
    })

    test('a path with and without its final slash gets the same reply, without a redirect (S7.1)', async () => {
      await build(server().engine)
      const plain = await server().get(path.slice(0, -1))
      expect(read(plain, shape)).toEqual(read(await server().get(path), shape))
    })

    test('counters and buckets equal a recount (reliability 19)', async () => {
      for (let nth = 0; nth < 3; nth++) await build(server().engine)
      expect(await keptNumbers(server().engine.db)).toEqual(await recount(server().engine))
    })
  })

  test.each([
    ['attractions/all', buildAttraction],
    ['blogs-adm', buildBlog],
    ['coupons', buildCoupon],
    ['promo-codes', buildPromoCode],
  ] as const)('a page of %s is filled over rows that were deleted (S4.7, S3.17)', async (path, build) => {
    const { engine } = server()
    const kept = []
    for (let nth = 0; nth < 30; nth++) {
      const { id } = await build(engine, { deleted: nth % 3 === 0 ? 1 : 0 })
      if (nth % 3 !== 0) kept.unshift(id)
    }
    for (const page of [1, 2, 3]) {
      const answer = read(await server().get(`${oms}/${path}/?page=${page}&page_size=8`), Rows)
      expect(answer.results.map(({ id }) => id)).toEqual(kept.slice((page - 1) * 8, page * 8))
      expect([answer.count, answer.total_pages]).toEqual([20, 3])
    }
    expect(await keptNumbers(engine.db)).toEqual(await recount(engine))
  })
})
