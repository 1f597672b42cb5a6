import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeEach, describe, expect, test } from 'vitest'
import { demoLogin, endDemoSessions } from '../../../server/demo/access.ts'
import { noPassword } from '../../../server/demo/staff.ts'
import { hashPassword } from '../../../server/password.ts'
import { ConsoleConfig } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import { buildStaff, staffPassword } from '../../support/factories.ts'
import { bootApp, logIn, read, useServer } from '../../support/server.ts'

const passwordHash = hashPassword(demoLogin.password)

describe.each(engines)('the demo login on %s', (name) => {
  const server = useServer(name, { demoLogin, config: { hosts: ['oms.example.com'] } })
  beforeEach(async () => {
    const { db } = server().engine
    // As in the demo data: one account that can sign in, and one that cannot.
    await db.deleteFrom('audit_events').execute()
    await db.deleteFrom('sessions').execute()
    await db.deleteFrom('staff').execute()
    await buildStaff(server().engine, { email: demoLogin.email, password_hash: await passwordHash })
    await buildStaff(server().engine, { email: 'finance@twende.test', password_hash: noPassword })
  })

  interface Asking {
    headers?: Record<string, string>
    remoteAddress?: string
    app?: ReturnType<typeof server>['app']
  }
  const told = async ({ app = server().app, ...how }: Asking) => {
    const answer = await app.inject({ url: '/config.json', ...how })
    return answer.statusCode === 200 ? read(answer, ConsoleConfig).demoLogin : null
  }
  const accepted = async ({ app = server().app, ...how }: Asking) => {
    const url = '/api/v1/oms/login/'
    const { statusCode } = await app.inject({ method: 'POST', url, payload: demoLogin, ...how })
    return statusCode === 200
  }
  const isOpen = async (how: Asking = {}) => [await told(how), await accepted(how)]
  const open = [demoLogin, true]
  const shut = [null, false]

  test.each(['localhost:4321', '127.0.0.1:4321', '[::1]:4321', 'localhost'])(
    'is shown and accepted on this machine with the host %s',
    async (host) => {
      expect(await isOpen({ headers: { host, origin: `http://${host}` } })).toEqual(open)
      expect(await isOpen({ headers: { host }, remoteAddress: '::ffff:127.0.0.1' })).toEqual(open)
    },
  )

  test.each([
    { forwarded: 'for=203.0.113.9' },
    { 'x-forwarded-for': '203.0.113.9' },
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-for': '' },
    { 'x-forwarded-host': 'localhost' },
    { 'x-forwarded-proto': 'https' },
    { 'X-Forwarded-Anything': '1' },
    { via: '1.1 caddy' },
    { 'x-real-ip': '127.0.0.1' },
    { origin: 'https://oms.example.com' },
    { origin: 'null' },
    { host: 'oms.example.com' },
    { host: 'rebound.attacker.example' },
  ])('is neither shown nor accepted with the headers of a proxy or another host: %j', async (headers) => {
    expect(await isOpen({ headers: { host: 'localhost:4321', ...headers } })).toEqual(shut)
    expect(await isOpen()).toEqual(open)
  })

  test('is neither shown nor accepted through a trusted proxy', async () => {
    const { engine } = server()
    const app = await bootApp(engine, { demoLogin, config: { trustProxy: ['127.0.0.1'] } })
    expect(await isOpen({ app, headers: { 'x-forwarded-for': '127.0.0.1', host: 'localhost' } })).toEqual(
      shut,
    )
    await app.close()
  })

  test('is neither shown to nor accepted from another machine', async () => {
    expect(await isOpen({ remoteAddress: '10.0.0.7', headers: { host: 'localhost:4321' } })).toEqual(shut)
  })

  test('is disabled permanently once a real account exists, even a disabled one', async () => {
    const { app, engine, clock } = server()
    expect(await accepted({})).toBe(true)
    await buildStaff(engine, { email: 'amina@twende.test', disabled: 1 })
    await endDemoSessions(engine)
    expect(await isOpen()).toEqual(shut)
    expect(await engine.db.selectFrom('sessions').selectAll().execute()).toEqual([])
    expect(
      (await logIn(app, { email: ` ${demoLogin.email.toUpperCase()}`, password: demoLogin.password }))
        .statusCode,
    ).toBe(401)
    clock.now += 1
    expect(await isOpen()).toEqual(shut)
  })

  test('real staff can sign in through a proxy, also with the demo data', async () => {
    const { app, engine } = server()
    const { email } = await buildStaff(engine)
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/oms/login/',
      payload: { email, password: staffPassword },
      headers: { host: 'oms.example.com', 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' },
    })
    expect(answer.statusCode).toBe(200)
  })

  test('is neither shown nor accepted by a server that began without the demo data', async () => {
    const app = await bootApp(server().engine)
    expect(await isOpen({ app })).toEqual(shut)
    const typed = { email: ` ${demoLogin.email.toUpperCase()}`, password: demoLogin.password }
    expect((await logIn(app, typed)).statusCode).toBe(401)
    await app.close()
  })

  test('is neither shown nor accepted over HTTP/1.0, the default of nginx proxies before version 1.29.7', async () => {
    const { app } = server()
    const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
    const ask = async (version: string) => {
      const socket = connect(port, '127.0.0.1').setEncoding('utf8')
      let answer = ''
      socket.on('data', (text: string) => (answer += text))
      socket.write(`GET /config.json HTTP/${version}\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\n\r\n`)
      await once(socket, 'close')
      return answer.includes(demoLogin.password)
    }
    expect([await ask('1.0'), await ask('1.1')]).toEqual([false, true])
  })
})
