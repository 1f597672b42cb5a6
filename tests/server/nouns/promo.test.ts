import { beforeEach, describe, expect, test } from 'vitest'
import { PromoCode } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import { buildCustomer, buildPromoCode } from '../../support/factories.ts'
import { read, readProblem, useServer } from '../../support/server.ts'
import { bodyOf } from '../../support/written-kinds.ts'

const oms = '/api/v1/oms'

describe.each(engines)('promo codes on %s', (name) => {
  const server = useServer(name)
  beforeEach(() => buildCustomer(server().engine, { id: 11 }))

  test('a promo code keeps its user and its redeemed state when it is edited (S7.33)', async () => {
    const { id } = await buildPromoCode(server().engine, { customer_id: 11, redemeed: 1 })
    for (const change of [{ amount: 5 }, { deleted: true }, { deleted: false }, { code: 'NEW' }]) {
      const answer = read(await server().send(`${oms}/promo-codes/${id}/update/`, change), PromoCode)
      expect([answer.user.id, answer.redemeed]).toEqual([11, true])
    }
  })

  test('a promo code needs an existing customer (S5.4, S7.32)', async () => {
    const answer = await server().send(`${oms}/promo-code/create/`, { ...bodyOf('promo'), user: 12 })
    expect(readProblem(answer, 400).errors).toEqual({ user: ['is not the id of a customer'] })
    await buildCustomer(server().engine, { id: 12 })
    read(await server().send(`${oms}/promo-code/create/`, { ...bodyOf('promo'), user: 12 }), PromoCode)
  })
})
