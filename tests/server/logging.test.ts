import type { IncomingMessage } from 'node:http'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TypedApp } from '../../server/deps.ts'
import { engines } from '../support/engines.ts'
import { buildDriver, buildStaff } from '../support/factories.ts'
import { bootApp, logIn, signIn, useServer } from '../support/server.ts'

/** Texts that must never be in a log. */
const secrets = {
  password: 'canary-password-91c4',
  wrongPassword: 'canary-wrong-password-77aa',
  email: 'canary.staff@twende.test',
  name: 'Canary Mwangi',
  search: 'canary-search-55fe',
  phone: '254798765432',
  localPhone: '0798765432',
  query: 'canary-query-token-3e3e',
  key: 'canary-idempotency-key-0b0b',
  body: 'canary-body-1d1d',
}

describe.each(engines)('the log on %s', (name) => {
  const server = useServer(name, { scope: 'boot' })

  describe.each(['info', 'trace'])('at level %s', (logLevel) => {
    let lines: string[]
    let app: TypedApp

    beforeEach(async () => {
      lines = []
      app = await bootApp(server().engine, {
        config: { logLevel },
        logStream: { write: (line) => lines.push(line) },
        now: () => server().clock.now,
      })
      return () => app.close()
    })

    /** One request of each kind, with a secret in every place that can contain one. */
    async function work() {
      const { engine } = server()
      const staff = await buildStaff(engine, { email: secrets.email })
      await buildDriver(engine, { id: 7, fullname: secrets.name, phone_number: secrets.phone })
      const login = (payload: object | string, type = 'application/json') =>
        app.inject({ method: 'POST', url: '/api/v1/oms/login/', payload, headers: { 'content-type': type } })
      const headers = {
        ...(await signIn(app, staff)),
        'idempotency-key': secrets.key,
        cookie: `session=${secrets.query}`,
        'user-agent': secrets.query,
        'x-forwarded-for': secrets.query,
        'x-request-id': secrets.query,
      }
      const answers = [
        await login({ email: secrets.email, password: secrets.wrongPassword }),
        await login({ email: secrets.name, password: secrets.password, phone: secrets.phone }),
        await login(`{"password": "${secrets.password}`),
        await login(`password=${secrets.password}`, 'text/plain'),
        await login({ email: [secrets.email], password: secrets.password.repeat(100) }),
        await app.inject({
          method: 'POST',
          url: '/api/v1/oms/driver/7/suspend/',
          headers,
          payload: { note: secrets.body },
        }),
        await app.inject({ method: 'POST', url: '/api/v1/oms/driver/4711/unfreeze/', headers }),
      ]
      for (const url of [
        `/api/v1/oms/drivers/?s=${secrets.search}`,
        `/api/v1/oms/drivers/?phone=${secrets.localPhone}&token=${secrets.query}`,
        `/api/v1/oms/drivers/?phone=%2B${secrets.phone}`,
        `/api/v1/oms/drivers/?s=${secrets.search}%00`,
        `/api/v1/oms/drivers/?s=${secrets.search.repeat(20)}`,
        `/api/v1/oms/drivers/7`,
        `/api/v1/oms/drivers/${secrets.phone}`,
        `/api/v1/oms/drivers/${secrets.search}/trips/`,
        `/api/v1/oms/${secrets.query}/`,
        `/api/v1/oms/drivers/%?token=${secrets.query}`,
      ])
        answers.push(
          await app.inject({ url, headers }),
          await app.inject({ url, headers: { authorization: `Bearer ${secrets.query}` } }),
        )
      answers.push(await app.inject({ method: 'POST', url: '/api/v1/oms/logout/', headers }))
      return { answers, token: headers.authorization.replace('Bearer ', '') }
    }

    test('has no passwords, tokens, phone numbers, names or search text (reliability 30)', async () => {
      const { token } = await work()
      const log = lines.join('')
      expect(log).toContain('/api/v1/oms/driver/:id/suspend')
      for (const [what, secret] of Object.entries({ ...secrets, token }))
        expect(log, what).not.toContain(secret)
    })

    test('has none of them when the server fails (reliability 30)', async () => {
      const { engine } = server()
      const headers = await signIn(app, server().staff)
      await sql`drop table driver_transactions`.execute(engine.db)
      await sql`drop table idempotency`.execute(engine.db)
      await sql`drop table vehicles`.execute(engine.db)
      await buildDriver(engine, { id: 7, fullname: secrets.name, phone_number: secrets.phone })
      const failures = [
        await app.inject({ url: '/api/v1/oms/drivers/7/transactions/', headers }),
        await app.inject({
          url: `/api/v1/oms/drivers/?s=${secrets.name.toLowerCase()}&phone=${secrets.phone}`,
          headers,
        }),
        await app.inject({
          method: 'POST',
          url: '/api/v1/oms/driver/7/suspend/',
          headers: { ...headers, 'idempotency-key': secrets.key },
        }),
      ]
      expect(failures.map(({ statusCode }) => statusCode)).toEqual([500, 500, 500])
      await sql`drop table login_attempts`.execute(engine.db)
      expect((await logIn(app, { email: secrets.email, password: secrets.password })).statusCode).toBe(500)
      const log = lines.join('')
      expect(log).toContain('request failed')
      for (const [what, secret] of Object.entries({
        ...secrets,
        token: headers.authorization.replace('Bearer ', ''),
      }))
        expect(log.toLowerCase(), what).not.toContain(secret.toLowerCase())
    })
  })

  describe('of a reply', () => {
    let lines: string[]
    let app: TypedApp
    beforeEach(async () => {
      lines = []
      app = await bootApp(server().engine, {
        config: { logLevel: 'info' },
        logStream: { write: (line) => lines.push(line) },
        now: () => server().clock.now,
      })
      return () => app.close()
    })
    const entries = () => lines.map((line): unknown => JSON.parse(line))

    test('is one line with the request id of the reply and the time in UTC (reliability 30)', async () => {
      const { headers, staff } = server()
      await buildDriver(server().engine, { id: 7 })
      const answer = await app.inject({ method: 'POST', url: '/api/v1/oms/driver/7/suspend/?x=1', headers })
      expect(entries()).toEqual([
        expect.objectContaining({
          reqId: answer.headers['x-request-id'],
          method: 'POST',
          route: '/api/v1/oms/driver/:id/suspend/',
          status: 200,
          staff: staff.id,
          client: '127.0.0.1',
          msg: 'answered',
        }),
      ])
      expect(lines[0]).toMatch(/"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/)
    })

    test('has the address of the client, from X-Forwarded-For only if a trusted proxy sent it (reliability 30)', async () => {
      const behind = await bootApp(server().engine, {
        config: { logLevel: 'info', trustProxy: ['10.0.0.1'] },
        logStream: { write: (line) => lines.push(line) },
      })
      for (const [remoteAddress, sent] of [
        ['10.0.0.1', '203.0.113.7'],
        ['10.0.0.9', '203.0.113.7'],
        ['10.0.0.1', 'canary'],
        ['::ffff:10.0.0.9', ''],
        // Some proxies add the port of the connection.
        ['10.0.0.1', '203.0.113.7:49152'],
        ['10.0.0.1', '[2001:db8::7]:49152'],
      ] as const)
        await behind.inject({
          url: '/healthz',
          remoteAddress,
          headers: sent ? { 'x-forwarded-for': sent } : {},
        })
      await behind.close()
      const clients = ['203.0.113.7', '10.0.0.9', '(invalid)', '10.0.0.9', '203.0.113.7', '2001:db8::7']
      expect(entries()).toEqual(clients.map((client): unknown => expect.objectContaining({ client })))
    })

    test('has the client as unknown if it has gone before its answer (reliability 30)', async () => {
      const gone = await bootApp(server().engine, {
        config: { logLevel: 'info' },
        logStream: { write: (line) => lines.push(line) },
      })
      // Node no longer knows the address of a connection that has closed.
      gone.server.prependListener('request', ({ socket }: IncomingMessage) =>
        Object.defineProperty(socket, 'remoteAddress', { value: undefined }),
      )
      const url = await gone.listen({ port: 0, host: '127.0.0.1' })
      lines.length = 0
      await fetch(`${url}/healthz`, { headers: { connection: 'close' } })
      await gone.close()
      expect(entries()).toContainEqual(
        expect.objectContaining({ route: '/healthz', status: 200, client: 'unknown', msg: 'answered' }),
      )
    })

    test('has no staff member without a session, and no route for an unknown path', async () => {
      await app.inject('/api/v1/oms/nothing/')
      const [entry] = entries()
      expect(entry).toMatchObject({ status: 401, route: '(none)' })
      expect(entry).not.toHaveProperty('staff')
    })

    test('is always one line: line breaks in a request cannot forge another (reliability 30)', async () => {
      const { headers } = server()
      await app.inject({ url: '/api/v1/oms/drivers/?s=a%0d%0a{"level":60}', headers })
      await app.inject({ url: '/api/v1/oms/%0d%0aforged/', headers })
      await app.inject({ url: '/api/v1/oms/drivers/%0a7', headers })
      expect(lines).toHaveLength(3)
      for (const line of lines) expect(line.trimEnd()).not.toMatch(/[\r\n]/)
      expect(lines.join('')).not.toContain('forged')
    })

    test('has the code and the stack of an error but not its message, even if that has several lines (reliability 30)', async () => {
      const { engine, headers } = server()
      await buildDriver(engine, { id: 7 })
      const words = `canary one\ncanary two\n canary three`
      for (const statement of engine.name === 'sqlite'
        ? [`create trigger fault before update on drivers begin select raise(abort, '${words}'); end`]
        : [
            `create function fault() returns trigger language plpgsql as $$ begin raise exception '${words}'; end $$`,
            `create trigger fault before update on drivers for each row execute function fault()`,
          ])
        await sql.raw(statement).execute(engine.db)
      const url = '/api/v1/oms/driver/7/suspend/'
      expect((await app.inject({ method: 'POST', url, headers })).statusCode).toBe(500)
      expect(lines.join('')).not.toContain('canary')
      expect(lines[0]).toMatch(engine.name === 'sqlite' ? /ERR_SQLITE_ERROR/ : /P0001/)
    })

    test('with an error has the error and its route, under the same request id (reliability 30)', async () => {
      const { engine, headers } = server()
      await buildDriver(engine, { id: 7 })
      await sql`drop table driver_transactions`.execute(engine.db)
      const answer = await app.inject({ url: '/api/v1/oms/drivers/7/transactions/', headers })
      const reqId = answer.headers['x-request-id']
      expect(entries()).toEqual([
        expect.objectContaining({ reqId, level: 50, msg: 'request failed' }),
        expect.objectContaining({ reqId, status: 500 }),
      ])
      expect(lines[0]).toContain('list.ts')
    })
  })

  test('every reply has a unique request id, which the client cannot choose (reliability 30)', async () => {
    const { app, headers } = server()
    const seen = new Set<unknown>()
    for (let nth = 0; nth < 5; nth++)
      for (const url of [
        '/healthz',
        '/api/v1/oms/drivers/',
        '/api/v1/oms/nothing/',
        '/api/v1/oms/drivers/0',
      ]) {
        const id = (
          await app.inject({ url, headers: { ...headers, 'x-request-id': 'mine', 'request-id': 'mine' } })
        ).headers['x-request-id']
        expect(id).toEqual(expect.stringMatching(/^[\w-]{16,}$/))
        seen.add(id)
      }
    expect(seen.size).toBe(20)
  })
})
