import { beforeEach, describe, expect, test } from 'vitest'
import { Analytics, Driver, MessageAnswer } from '../../src/api/contract.ts'
import { engines } from '../support/engines.ts'
import { buildDriver, buildStaff } from '../support/factories.ts'
import { read, readProblem, signIn, someTime, useServer } from '../support/server.ts'

const verbs = [
  ['suspend', 'S7.7', 1, 'Amina Yusuf has been suspended.', 'driver.suspend'],
  ['unfreeze', 'S7.8', 0, 'Amina Yusuf has been unsuspended.', 'driver.unsuspend'],
] as const

describe.each(engines)('suspending and unsuspending on %s', (name) => {
  const server = useServer(name)
  const audit = () => server().engine.db.selectFrom('audit').selectAll().orderBy('id').execute()
  const rows = () => server().engine.db.selectFrom('drivers').selectAll().orderBy('id').execute()

  describe.each(verbs)('%s (%s)', (verb, _clause, deleted, message, command) => {
    const url = `/api/v1/oms/driver/7/${verb}/`
    beforeEach(async () => {
      const { engine } = server()
      const before = deleted === 1 ? 0 : 1
      await buildDriver(engine, {
        id: 7,
        fullname: 'Amina Yusuf',
        deleted: before,
        online: 1,
        wallet_balance: 5,
      })
      await buildDriver(engine, { id: 8, deleted: before })
    })

    test('replies with a message and changes only this driver (S4.3, S8.2)', async () => {
      const [before, other] = await rows()
      expect(read(await server().post(url), MessageAnswer)).toEqual({ message })
      expect(await rows()).toEqual([{ ...before, deleted, version: 2 }, other])
      const detail = read(await server().get('/api/v1/oms/drivers/7'), Driver)
      expect(detail).toMatchObject({ deleted: deleted === 1, version: 2 })
    })

    test('writes one audit row with command, record, changed fields, staff member, time and request', async () => {
      const answer = await server().post(url)
      expect(await audit()).toEqual([
        {
          id: 1,
          at: someTime,
          staff_id: server().staff.id,
          command,
          noun: 'driver',
          record_id: 7,
          before: JSON.stringify({ deleted: deleted === 0, version: 1 }),
          after: JSON.stringify({ deleted: deleted === 1, version: 2 }),
          request: `POST ${url}`,
          request_id: answer.headers['x-request-id'],
        },
      ])
    })

    test('a second time gets the same reply and changes nothing (rulings, figures; reliability 16)', async () => {
      const first = await server().post(url)
      const [state, trail] = [await rows(), await audit()]
      server().clock.now += 1000
      for (let again = 0; again < 3; again++) {
        const answer = await server().post(url)
        expect(read(answer, MessageAnswer)).toEqual(first.json())
      }
      expect([await rows(), await audit()]).toEqual([state, trail])
    })

    test('of an unknown driver gets 404 and writes no audit row', async () => {
      const state = await rows()
      readProblem(await server().post(`/api/v1/oms/driver/4711/${verb}/`), 404)
      expect([await rows(), await audit()]).toEqual([state, []])
    })

    test('without a token changes nothing (S6.1)', async () => {
      const state = await rows()
      readProblem(await server().app.inject({ method: 'POST', url }), 401)
      expect([await rows(), await audit()]).toEqual([state, []])
    })

    test('is possible only with POST', async () => {
      const { app, headers } = server()
      const state = await rows()
      for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])
        expect((await app.inject({ method, url, headers })).statusCode, method).toBe(404)
      expect(await rows()).toEqual(state)
    })
  })

  test('any staff member can undo a suspension with unfreeze (S4.3, S6.1)', async () => {
    const { app, engine, post, staff } = server()
    await buildDriver(engine, { id: 7, online: 1 })
    const [driver] = await rows()
    const figures = (await server().get('/api/v1/oms/analytics/')).json<unknown>()
    const colleague = await buildStaff(engine)
    const headers = await signIn(app, colleague)
    await post('/api/v1/oms/driver/7/suspend/')
    const suspended = read(await server().get('/api/v1/oms/analytics/'), Analytics)
    expect(suspended).toMatchObject({ total_suspended_riders: 1, online_drivers: 0 })
    await app.inject({ method: 'POST', url: '/api/v1/oms/driver/7/unfreeze/', headers })
    expect(await rows()).toEqual([{ ...driver, version: 3 }])
    expect((await server().get('/api/v1/oms/analytics/')).json()).toEqual(figures)
    expect((await audit()).map(({ command, staff_id }) => [command, staff_id])).toEqual([
      ['driver.suspend', staff.id],
      ['driver.unsuspend', colleague.id],
    ])
  })
})
