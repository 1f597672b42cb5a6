import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  Analytics,
  Driver,
  DriverTransaction,
  LoginAnswer,
  MessageAnswer,
  Page,
  Trip,
} from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import {
  buildCustomer,
  buildDriver,
  buildStaff,
  buildTransaction,
  buildTrip,
  buildVehicle,
  staffPassword,
} from '../../support/factories.ts'
import { logIn, read, readProblem, signIn, someTime, useServer } from '../../support/server.ts'

const reads = [
  ['S7.2', '/api/v1/oms/analytics', Analytics],
  ['S7.3', '/api/v1/oms/drivers', Page(Driver)],
  ['S7.4', '/api/v1/oms/drivers/7', Driver],
  ['S7.5', '/api/v1/oms/drivers/7/trips', Page(Trip)],
  ['S7.6', '/api/v1/oms/drivers/7/transactions', Page(DriverTransaction)],
] as const

const writes = [
  ['S7.7', '/api/v1/oms/driver/8/suspend'],
  ['S7.8', '/api/v1/oms/driver/8/unfreeze'],
] as const

const verbs = [
  ['suspend', 'S7.7', 1, 'Amina Yusuf has been suspended.', 'driver.suspend'],
  ['unfreeze', 'S7.8', 0, 'Amina Yusuf has been unsuspended.', 'driver.unsuspend'],
] as const

describe.each(engines)('the calls on %s', (name) => {
  const server = useServer(name, { scope: 'suite' })

  beforeAll(async () => {
    const { engine } = server()
    const joined = Date.UTC(2024, 1, 29, 21, 5, 4, 3)
    await buildDriver(engine, { id: 6, fullname: 'Without Vehicle' })
    await buildDriver(engine, { id: 8 })
    await buildDriver(engine, {
      id: 7,
      fullname: 'Amina Yusuf',
      phone_number: '254712345678',
      date_joined: joined,
      image: 'https://images.test/a.png',
      id_front: 'https://images.test/f.png',
      id_back: null,
      license: 'https://images.test/l.png',
      online: 1,
      busy: 1,
      wallet_balance: -1250,
    })
    await buildVehicle(engine, { driver_id: 7, registration: 'KDA 123B' })
    const customer = await buildCustomer(engine, { fullname: 'Otieno Odhiambo' })
    const trip = { driver_id: 7, customer_id: customer.id }
    await buildTrip(engine, { ...trip, id: 31, status: 'Cancelled', cost: 999 })
    await buildTrip(engine, {
      ...trip,
      id: 32,
      status: 'Completed',
      start_name: 'Kilimani',
      destination_name: 'Gigiri',
      created_at: joined + 1,
      cost: 123_456,
      distance: 12_345,
      notes: 'Gate B',
    })
    await buildTransaction(engine, { id: 41, driver_id: 7, amount: 70_005, created_at: joined + 2 })
  })

  test.each(reads)(
    '%s replies in its documented format with and without the final slash, without a redirect (S7.1)',
    async (_clause, path, schema) => {
      const plain = await server().get(path)
      const slashed = await server().get(`${path}/`)
      read(plain, schema)
      expect(read(slashed, schema)).toEqual(plain.json())
      expect(read(await server().get(`${path}/?page=1`), schema)).toEqual(plain.json())
      expect(read(await server().get(`${path}?page=1`), schema)).toEqual(plain.json())
    },
  )

  test.each(writes)(
    '%s replies with a message, with and without the final slash (S7.1)',
    async (_clause, path) => {
      expect(read(await server().post(path), MessageAnswer)).toEqual(
        read(await server().post(`${path}/`), MessageAnswer),
      )
    },
  )

  test('login replies with a token, with and without the final slash (S7.16, S3.18)', async () => {
    const { app, staff } = server()
    for (const url of ['/api/v1/oms/login', '/api/v1/oms/login/']) {
      const payload = { email: staff.email, password: staffPassword }
      const answer = await app.inject({ method: 'POST', url, payload })
      expect(Object.keys(read(answer, LoginAnswer))).toEqual(['token'])
    }
  })

  test('a driver has the fields for person, pictures, vehicle, online state, wallet and totals (S7.4, S3.2)', async () => {
    expect(read(await server().get('/api/v1/oms/drivers/7'), Driver)).toEqual({
      id: 7,
      user: {
        fullname: 'Amina Yusuf',
        phone_number: '254712345678',
        date_joined: '2024-02-29T21:05:04.003Z',
      },
      image: 'https://images.test/a.png',
      id_front: 'https://images.test/f.png',
      id_back: null,
      license: 'https://images.test/l.png',
      vehicle: { registration: 'KDA 123B' },
      online: true,
      busy: true,
      deleted: false,
      wallet_balance: -12.5,
      total_trips: 2,
      total_earnings: 1234.56,
      total_completed_trips: 1,
      total_failed_trips: 1,
      version: 1,
    })
  })

  test('the vehicle of a driver without a vehicle is null (S3.2)', async () => {
    expect(read(await server().get('/api/v1/oms/drivers/6'), Driver).vehicle).toBeNull()
  })

  test('a driver in the list has the same fields as in the detail call (S7.3, S3.17)', async () => {
    const detail = (await server().get('/api/v1/oms/drivers/7')).json<unknown>()
    expect(read(await server().get('/api/v1/oms/drivers/?s=amina'), Page(Driver))).toEqual({
      results: [detail],
      current_page_number: 1,
      total_pages: 1,
      next_page: null,
      previous_page: null,
      count: 1,
    })
  })

  test('a trip has the fields for places, people, status, cost, distance and notes (S7.5, S3.6)', async () => {
    const [trip] = read(await server().get('/api/v1/oms/drivers/7/trips/'), Page(Trip)).results
    expect(trip).toEqual({
      id: 32,
      start_name: 'Kilimani',
      destination_name: 'Gigiri',
      created_at: '2024-02-29T21:05:04.004Z',
      customer: { id: 1, user: { fullname: 'Otieno Odhiambo' } },
      driver: { id: 7, user: { fullname: 'Amina Yusuf' } },
      status: 'Completed',
      cost: 1234.56,
      distance: 12_345,
      notes: 'Gate B',
    })
  })

  test('the customer of a trip is null if unknown (S3.6)', async () => {
    await buildTrip(server().engine, { driver_id: 6, customer_id: null })
    const [trip] = read(await server().get('/api/v1/oms/drivers/6/trips/'), Page(Trip)).results
    expect(trip?.customer).toBeNull()
  })

  test('a transaction has its id, amount and date (S7.6, S3.7)', async () => {
    const page = read(await server().get('/api/v1/oms/drivers/7/transactions/'), Page(DriverTransaction))
    expect(page.results).toEqual([
      { transaction_id: 41, amount: 700.05, created_at: '2024-02-29T21:05:04.005Z' },
    ])
  })

  test('any signed-in staff member may make every call (S6.1)', async () => {
    const { app, engine } = server()
    const headers = await signIn(app, await buildStaff(engine))
    for (const [, url, schema] of reads) read(await app.inject({ url, headers }), schema)
    for (const [, url] of writes) read(await app.inject({ method: 'POST', url, headers }), MessageAnswer)
  })

  test('a driver cannot sign in with a name or phone number, only staff can sign in (S1.1)', async () => {
    expect((await logIn(server().app, { email: 'Amina Yusuf' })).statusCode).toBe(401)
    expect((await logIn(server().app, { email: '254712345678' })).statusCode).toBe(401)
  })
})

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
