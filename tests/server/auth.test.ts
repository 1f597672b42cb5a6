import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TypedApp } from '../../server/deps.ts'
import { absoluteLifetime } from '../../server/queries/sessions.ts'
import { Analytics } from '../../src/api/contract.ts'
import { engines } from '../support/engines.ts'
import { buildAttraction, buildDriver, buildSos, buildStaff } from '../support/factories.ts'
import { lists } from '../support/lists.ts'
import type { Route } from '../support/routes.ts'
import { routesOf } from '../support/routes.ts'
import type { Server } from '../support/server.ts'
import { bootApp, read, readProblem, signIn, useServer } from '../support/server.ts'
import { kinds } from '../support/written-kinds.ts'

/** The only routes that reply without a token. */
const open = [
  '/healthz',
  '/livez',
  '/readyz',
  '/metrics',
  '/api/docs/openapi.json',
  '/config.json',
  '/api/v1/oms/login',
]
/** Clients of the storage send `Firebase` before the token and get errors in another format (S8.14). */
const isStorage = (path: string) => path.startsWith('/v0/')
const openWithConsole = [...open, '/favicon.svg', '/assets/*', '/*']

const consoleFolder = mkdtempSync(join(tmpdir(), 'oms-console-'))
beforeAll(() => {
  mkdirSync(join(consoleFolder, 'assets'))
  writeFileSync(join(consoleFolder, 'index.html'), '<p>')
  writeFileSync(join(consoleFolder, 'favicon.svg'), '<svg/>')
})
afterAll(() => rmSync(consoleFolder, { recursive: true }))

describe.each(engines)('closed routes on %s', (name) => {
  const server = useServer(name)

  describe.each([
    ['without the console', null, open],
    ['with the console', consoleFolder, openWithConsole],
  ])('%s', (_label, folder, expectedOpen) => {
    let app: TypedApp
    let closed: Route[]

    beforeEach(async () => {
      app = await bootApp(server().engine, { consoleFolder: folder, now: () => server().clock.now })
      await app.ready()
      closed = routesOf(app).filter(({ path }) => !expectedOpen.includes(path))
      return () => app.close()
    })

    const ask = (
      { method, path }: { method: string; path: string },
      { authorization }: { authorization?: string },
    ) =>
      app.inject({
        method,
        url: path.replace(':id', '1').replace('*', 'x'),
        headers: authorization
          ? { authorization: isStorage(path) ? authorization.replace('Bearer', 'Firebase') : authorization }
          : {},
      })

    async function expectRefused(headers: { authorization?: string }) {
      for (const route of closed) {
        const answer = await ask(route, headers)
        expect(answer.statusCode, `${route.method} ${route.path}`).toBe(401)
        const message = 'Sign in first.'
        if (route.method !== 'HEAD')
          expect(answer.json()).toEqual(
            isStorage(route.path) ? { error: { code: 401, message } } : { message },
          )
      }
    }

    test('every route of the router needs a token, except those in the list of open routes (reliability 1)', async () => {
      expect(closed.map(({ path }) => path)).toEqual(
        expect.arrayContaining([
          '/api/v1/oms/logout',
          '/api/v1/oms/analytics',
          '/api/v1/oms/drivers',
          '/api/v1/oms/drivers/:id',
          '/api/v1/oms/drivers/:id/trips',
          '/api/v1/oms/drivers/:id/transactions',
          '/api/v1/oms/driver/:id/suspend',
          '/api/v1/oms/driver/:id/unfreeze',
          '/api/v1/oms/invoice/update',
          ...lists.map(({ path }) => path.replace(/\/$/, '')),
          ...kinds.map(({ create }) => create.replace(/\/$/, '')),
          ...kinds.map(({ update }) => update(1).replace('/1/', '/:id/').replace(/\/$/, '')),
          '/api/v1/oms/capabilities',
          '/v0/b/oms/o',
          '/v0/b/oms/o/*',
        ]),
      )
      await expectRefused({})
    })

    test('an invalid token is rejected by every closed route (reliability 1)', async () => {
      const { authorization } = server().headers
      for (const wrong of [
        'Bearer',
        'Bearer ',
        'Bearer garbage',
        `Bearer ${'x'.repeat(4000)}`,
        `${authorization}x`,
        authorization.slice(0, -1),
      ])
        await expectRefused({ authorization: wrong })
    })

    test('an expired token is rejected by every closed route (reliability 1)', async () => {
      server().clock.now += absoluteLifetime
      await expectRefused(server().headers)
    })

    test('a token is rejected by every closed route after logout (reliability 1, 2)', async () => {
      await server().post('/api/v1/oms/logout/')
      await expectRefused(server().headers)
    })

    test('the token of a disabled staff member is rejected by every closed route (reliability 1, 2)', async () => {
      await disable(server())
      await expectRefused(server().headers)
    })

    test('every closed route accepts a valid token (S6.1)', async () => {
      await buildDriver(server().engine, { id: 1 })
      await buildAttraction(server().engine, { id: 1 })
      await buildSos(server().engine, { id: 1 })
      for (const route of closed.filter(({ path }) => path !== '/api/v1/oms/logout')) {
        const { statusCode } = await ask(route, server().headers)
        const asksForBody =
          route.method === 'POST' && !/(suspend|unfreeze|acknowledge|reopen)$/.test(route.path)
        expect(statusCode, `${route.method} ${route.path}`).toBe(
          /^\/(api|api\/\*|v0.*\*)$/.test(route.path) ? 404 : asksForBody ? 400 : 200,
        )
      }
    })

    test('an unknown call gets 401 without a token and 404 with one (reliability 1)', async () => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        for (const url of [
          '/api/v1/oms/nothing/',
          '/api',
          '/api/',
          '/api/v1/oms/drivers/1/secrets',
          '/%61pi/x',
        ]) {
          const path = { method, url }
          expect((await app.inject(path)).statusCode, `${method} ${url}`).toBe(401)
          readProblem(await app.inject({ ...path, headers: server().headers }), 404)
        }
      }
    })

    test('a percent-encoded path needs a token too (reliability 1)', async () => {
      for (const url of [
        '/%61pi/v1/oms/drivers/',
        '/api/v1/oms/%64rivers/1',
        '/api/v1/oms/analytics/?a=/healthz',
      ])
        expect((await app.inject(url)).statusCode, url).toBe(401)
    })
  })

  test.each(['Basic', 'Token', 'bearerx', 'Bearer,'])(
    'the scheme “%s” is rejected (reliability 7)',
    async (scheme) => {
      const { app, headers } = server()
      const authorization = headers.authorization.replace('Bearer', scheme)
      readProblem(await app.inject({ url: '/api/v1/oms/analytics/', headers: { authorization } }), 401)
    },
  )

  test('upper and lower case of the scheme do not matter; a token with a space is rejected', async () => {
    const { app, headers } = server()
    const url = '/api/v1/oms/analytics/'
    const token = headers.authorization.replace('Bearer ', '')
    for (const good of [`bearer ${token}`, `BEARER ${token}`])
      read(await app.inject({ url, headers: { authorization: good } }), Analytics)
    for (const bad of [token, ` ${token}`, `Bearer  ${token}`, `Bearer ${token} x`, `Bearer\t${token}`])
      readProblem(await app.inject({ url, headers: { authorization: bad } }), 401)
  })

  test('only the configured scheme is accepted', async () => {
    const { engine, headers, clock } = server()
    const app = await bootApp(engine, { config: { authScheme: 'Token' }, now: () => clock.now })
    const url = '/api/v1/oms/analytics/'
    const authorization = headers.authorization.replace('Bearer', 'Token')
    read(await app.inject({ url, headers: { authorization } }), Analytics)
    readProblem(await app.inject({ url, headers }), 401)
    await app.close()
  })

  test('a token in the address, in a cookie or in the body is rejected (reliability 7)', async () => {
    const { app, headers } = server()
    const token = headers.authorization.replace('Bearer ', '')
    for (const name of ['token', 'access_token', 'authorization', 'auth'])
      readProblem(await app.inject(`/api/v1/oms/analytics/?${name}=${token}`), 401)
    for (const cookie of [`token=${token}`, `oms.session=${token}`, `authorization=Bearer ${token}`])
      readProblem(await app.inject({ url: '/api/v1/oms/analytics/', headers: { cookie } }), 401)
    const payload = { token, authorization: `Bearer ${token}` }
    readProblem(await app.inject({ method: 'POST', url: '/api/v1/oms/driver/1/suspend/', payload }), 401)
  })

  test('no reply sets a cookie (reliability 7)', async () => {
    const { app, engine, get } = server()
    const staff = await buildStaff(engine)
    expect((await get('/api/v1/oms/analytics/')).headers).not.toHaveProperty('set-cookie')
    const login = await app.inject({
      method: 'POST',
      url: '/api/v1/oms/login/',
      payload: { email: staff.email, password: 'wrong' },
    })
    expect(login.headers).not.toHaveProperty('set-cookie')
  })

  test('no CORS header allows other sites to read or to send (reliability 7)', async () => {
    const { app, headers } = server()
    for (const origin of ['https://evil.test', 'null', 'http://127.0.0.1:4321']) {
      const read = await app.inject({ url: '/api/v1/oms/analytics/', headers: { ...headers, origin } })
      const preflight = await app.inject({
        method: 'OPTIONS',
        url: '/api/v1/oms/driver/1/suspend/',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization',
        },
      })
      expect(preflight.statusCode).toBe(401)
      for (const answer of [read, preflight])
        expect(Object.keys(answer.headers).filter((key) => key.startsWith('access-control'))).toEqual([])
    }
  })

  test('the other staff members stay signed in when one is disabled', async () => {
    const { app, engine } = server()
    const other = await signIn(app, await buildStaff(engine))
    await disable(server())
    read(await app.inject({ url: '/api/v1/oms/analytics/', headers: other }), Analytics)
  })
})

async function disable({ engine, staff }: Server): Promise<void> {
  await engine.db.updateTable('staff').set({ disabled: 1 }).where('id', '=', staff.id).execute()
}
