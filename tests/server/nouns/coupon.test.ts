import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { Coupon, Page } from '../../../src/api/contract.ts'
import { coupon } from '../../../server/nouns/coupon.ts'
import { engines } from '../../support/engines.ts'
import { buildCoupon, buildCustomer } from '../../support/factories.ts'
import { read, someTime, useServer } from '../../support/server.ts'

const oms = '/api/v1/oms'

describe.each(engines)('coupons on %s', (name) => {
  const server = useServer(name)

  test('each coupon of a page has its own users (S3.13, S2.p.2)', async () => {
    const { engine } = server()
    const people = []
    for (let nth = 0; nth < 4; nth++) people.push(await buildCustomer(engine, { fullname: `User ${nth}` }))
    const ids = people.map(({ id }) => id)
    for (let nth = 0; nth <= 4; nth++) await buildCoupon(engine, { users: ids.slice(nth) })
    const { results } = read(await server().get(`${oms}/coupons/`), Page(Coupon))
    const users = results.map((one) => one.users.map(({ user }) => user.fullname))
    expect(users).toEqual([
      [],
      ['User 3'],
      ['User 2', 'User 3'],
      ['User 1', 'User 2', 'User 3'],
      ['User 0', 'User 1', 'User 2', 'User 3'],
    ])
  })

  test('a list without any coupon is answered', async () => {
    const { results, count } = read(await server().get(`${oms}/coupons/`), Page(Coupon))
    expect({ results, count }).toEqual({ results: [], count: 0 })
  })

  test('each coupon of a page has its users also if another coupon is added while the page is read (S3.13)', async () => {
    const { engine } = server()
    const user = await buildCustomer(engine, { fullname: 'Otieno Odhiambo' })
    for (let nth = 0; nth < 3; nth++) await buildCoupon(engine, { users: [user.id] })
    let adding: Promise<unknown> | undefined
    const db = engine.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (!adding && result.rows.some((row) => 'code' in row)) {
          adding = buildCoupon(engine)
          // SQLite has one connection, which does this before the next statement of the page.
          if (name === 'postgres') await adding
        }
        return result
      },
    })
    const query = { page: 1, page_size: 3, s: '', phone: '', ordering: '', filter: '' }
    const { results } = await coupon.list.page({ ...engine, db }, query, someTime)
    await adding
    const users = Array.from({ length: 3 }, () => ({ users: [{ id: user.id }] }))
    expect(results).toMatchObject(users)
  })

  test('a coupon keeps its users when it is edited (S3.13)', async () => {
    const { engine } = server()
    const user = await buildCustomer(engine, { fullname: 'Otieno Odhiambo' })
    const { id } = await buildCoupon(engine, { users: [user.id] })
    const Users = Type.Object({ users: Type.Unknown() })
    for (const change of [{ amount: 5 }, { deleted: true }, { deleted: false }, { code: 'NEW' }]) {
      const answer = await server().send(`${oms}/coupons/${id}/update/`, change)
      expect(read(answer, Users).users).toEqual([{ id: user.id, user: { fullname: 'Otieno Odhiambo' } }])
    }
  })
})
