import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MessageAnswer } from '../../src/api/contract.ts'
import { engines } from '../support/engines.ts'
import { buildDriver } from '../support/factories.ts'
import { read, readProblem, useServer } from '../support/server.ts'

const calls = ['/api/v1/oms/login/', '/api/v1/oms/driver/1/suspend/'] as const

describe.each(engines)('request bodies on %s', (name) => {
  const server = useServer(name, { scope: 'suite' })
  beforeAll(async () => {
    await buildDriver(server().engine, { id: 1 })
  })
  beforeEach(async () => {
    await server().engine.db.updateTable('drivers').set({ deleted: 0 }).execute()
  })

  const send = (url: string, type: string | undefined, payload: string | Buffer) =>
    server().app.inject({
      method: 'POST',
      url,
      payload,
      headers: { ...server().headers, ...(type === undefined ? {} : { 'content-type': type }) },
    })
  const driver = () => server().engine.db.selectFrom('drivers').selectAll().executeTakeFirstOrThrow()

  test.each([
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'application/octet-stream',
    '*/*',
    'nonsense',
  ])(
    'a body of type %s is rejected, because a form on another site could send it (reliability 7)',
    async (type) => {
      for (const url of calls)
        readProblem(await send(url, type, JSON.stringify({ email: 'a@b.test', password: 'x' })), 415)
      expect(await driver()).toMatchObject({ deleted: 0 })
    },
  )

  test('a body without a content type is rejected (reliability 7)', async () => {
    for (const url of calls) readProblem(await send(url, undefined, '{}'), 415)
    expect(await driver()).toMatchObject({ deleted: 0 })
  })

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])(
    'suspend accepts no body, an empty body and an empty object of type %s (S7.7)',
    async (type) => {
      for (const body of ['', '{}', 'null', '[]']) read(await send(calls[1], type, body), MessageAnswer)
    },
  )

  test.each(['{', '{"email": }', 'email=a', "{'a': 1}", '\0', '{"a": 1}}', Buffer.from([0xff, 0xfe])])(
    'invalid JSON is rejected with a message (reliability 27): %j',
    async (body) => {
      for (const url of calls) {
        const { message } = readProblem(await send(url, 'application/json', body), 400)
        expect(message).not.toMatch(/ at |\.ts|node_modules/)
      }
      expect(await driver()).toMatchObject({ deleted: 0 })
    },
  )

  test.each(['null', '[]', '"text"', '7', 'true', ''])(
    'a login with the body %j is rejected (S5.1)',
    async (body) => {
      const { errors } = readProblem(await send(calls[0], 'application/json', body), 400)
      expect(errors).not.toEqual({})
    },
  )

  test('a body above 1 MiB is rejected, and one of 1 MiB is accepted (reliability 27)', async () => {
    const body = (size: number) => JSON.stringify({ x: 'x'.repeat(size - 8) })
    const most = 1024 * 1024
    read(await send(calls[1], 'application/json', body(most)), MessageAnswer)
    for (const url of calls) readProblem(await send(url, 'application/json', body(most + 1)), 413)
  })

  test('deeply nested JSON is rejected as an invalid login (reliability 27)', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"email":', '}'],
    ] as const) {
      const body = open.repeat(400) + '1' + close.repeat(400)
      readProblem(await send(calls[0], 'application/json', body), 400)
    }
  })

  test('a body cannot set the wallet, totals, id or name of a driver (reliability 31)', async () => {
    const before = await driver()
    const body = {
      id: 2,
      fullname: 'Mine',
      wallet_balance: 1e9,
      total_earnings: 1e9,
      deleted: false,
      online: true,
    }
    read(await send(calls[1], 'application/json', JSON.stringify(body)), MessageAnswer)
    expect(await driver()).toEqual({ ...before, deleted: 1, version: before.version + 1 })
  })

  test.each([
    '{"__proto__": {"polluted": true}}',
    '{"constructor": {"prototype": {"polluted": true}}}',
    '{"a": {"__proto__": {"polluted": true}}}',
    '{"\\u005f_proto__": {"polluted": true}}',
  ])('%s does not change any prototype (reliability 31)', async (body) => {
    for (const url of calls) readProblem(await send(url, 'application/json', body), 400)
    expect({}).not.toHaveProperty('polluted')
  })

  test('the body of a login may have at most 16 KiB (reliability 27)', async () => {
    const { app } = server()
    const keys = Object.fromEntries(Array.from({ length: 140_000 }, (_, nth) => [`k${nth}`, 1]))
    for (const payload of [
      JSON.stringify(keys),
      JSON.stringify({ email: 'a@b.test', password: 'x'.repeat(16 * 1024) }),
    ]) {
      const headers = { 'content-type': 'application/json' }
      readProblem(await app.inject({ method: 'POST', url: calls[0], payload, headers }), 413)
      readProblem(await app.inject({ method: 'POST', url: calls[1], payload, headers }), 401)
    }
  })

  test.each([
    [
      '60,000 unknown fields',
      JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, nth) => [`k${nth}`, 1]))),
    ],
    [
      '101 unknown fields',
      JSON.stringify(Object.fromEntries(Array.from({ length: 101 }, (_, nth) => [`k${nth}`, 1]))),
    ],
    ['a list of 200,000 values', JSON.stringify(Array.from({ length: 200_000 }, () => 1))],
    ['100,000 lists in one another', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['eleven objects in one another', '{"a":'.repeat(11) + '1' + '}'.repeat(11)],
  ])('%s are rejected with one message, with or without a session (reliability 27)', async (_name, body) => {
    for (const url of ['/api/v1/oms/coupons/create/', '/api/v1/oms/invoice/update/']) {
      const problem = readProblem(await send(url, 'application/json', body), 400)
      expect(problem).toEqual({ message: 'A body may have at most 100 values and 10 levels of nesting.' })
    }
  })
})
