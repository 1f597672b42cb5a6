import { afterEach, describe, expect, test, vi } from 'vitest'
import { browserOf } from '../../../server/browser.ts'
import * as passwords from '../../../server/password.ts'
import { LoginAnswer, Sessions } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import { buildStaff, staffPassword } from '../../support/factories.ts'
import { bootApp, logIn, read, readProblem, signIn, useServer } from '../../support/server.ts'

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0'
const minute = 60_000

afterEach(() => {
  vi.restoreAllMocks()
})

describe.each(engines)('the sessions of one’s own on %s', (name) => {
  const server = useServer(name)
  const list = async (headers: Record<string, string> = server().headers) =>
    read(await server().app.inject({ url: '/api/v1/oms/sessions/', headers }), Sessions).results
  const end = (session: string, headers: Record<string, string> = {}) =>
    server().send('/api/v1/oms/sessions/end/', { session }, headers)
  const change = (body: object, app = server().app) =>
    app.inject({ method: 'POST', url: '/api/v1/oms/password/', headers: server().headers, payload: body })
  const events = async () =>
    (await server().engine.db.selectFrom('audit_events').selectAll().orderBy('id').execute()).filter(
      ({ event }) => event !== 'session.login',
    )

  test('are listed with browser, address and times, and end one by one or all others at once (reliability 2)', async () => {
    const { app, engine, staff, clock } = server()
    const stranger = await signIn(app, await buildStaff(engine))
    const login = clock.now
    clock.now += minute
    const { token } = read(
      await app.inject({
        method: 'POST',
        url: '/api/v1/oms/login/',
        headers: { 'user-agent': firefox },
        remoteAddress: '::ffff:10.1.2.3',
        payload: { email: staff.email, password: staffPassword },
      }),
      LoginAnswer,
    )
    const own = await list()
    expect(own).toMatchObject([
      {
        address: '10.1.2.3',
        browser: 'Firefox 143 on Windows',
        current: false,
        created_at: new Date(clock.now).toISOString(),
      },
      { address: '127.0.0.1', browser: null, current: true, created_at: new Date(login).toISOString() },
    ])
    expect(JSON.stringify(own)).not.toContain(token)
    const [theirs] = await list(stranger)
    const other = { authorization: `Bearer ${token}` }

    // Not a session of one's own: nothing ends.
    expect((await end(theirs?.id ?? '')).statusCode).toBe(204)
    expect(await list(stranger)).toHaveLength(1)
    for (let twice = 0; twice < 2; twice++) expect((await end(own[0]?.id ?? '')).statusCode).toBe(204)
    readProblem(await app.inject({ url: '/api/v1/oms/sessions/', headers: other }), 401)

    for (let nth = 0; nth < 2; nth++) await signIn(app, staff)
    expect((await end('others')).statusCode).toBe(204)
    expect(await list()).toMatchObject([{ current: true }])
    expect(await list(stranger)).toHaveLength(1)
    readProblem(await end('all'), 400)
    expect(await events()).toMatchObject([
      { event: 'session.end', staff_id: staff.id, n: 1 },
      { event: 'session.end', staff_id: staff.id, n: 2 },
    ])
    clock.now = login + 12 * 60 * minute - 1
    await signIn(app, staff)
    clock.now += 2
    expect(await list(await signIn(app, staff))).toHaveLength(2)
  })

  test('end when the password is changed, except the one that changes it (reliability 2, 4, 5)', async () => {
    const { app, staff } = server()
    const elsewhere = await signIn(app, staff)
    const password = ' nywila mpya 🔑'
    const short = readProblem(await change({ current: staffPassword, password: 'too short' }), 400)
    expect(short.errors).toEqual({ password: ['The password needs at least 12 characters.'] })
    const wrong = readProblem(await change({ current: 'wrong', password }), 400)
    expect(wrong.errors).toEqual({ current: ['The current password is wrong.'] })
    expect(await list(elsewhere)).toHaveLength(2)
    expect((await change({ current: staffPassword, password })).statusCode).toBe(204)
    readProblem(await app.inject({ url: '/api/v1/oms/sessions/', headers: elsewhere }), 401)
    expect(await list()).toHaveLength(1)
    expect((await logIn(app, staff)).statusCode).toBe(401)
    read(await logIn(app, { email: staff.email, password }), LoginAnswer)
    const recorded = await events()
    expect(recorded).toMatchObject([
      { event: 'session.refuse', staff_id: staff.id },
      { event: 'session.password', staff_id: staff.id },
    ])
    expect(JSON.stringify(recorded)).not.toMatch(/nywila|wrong/)
  })

  test('a password of 1,024 characters of four bytes can be set, used and changed (reliability 4)', async () => {
    const { app, staff } = server()
    const [first, second] = ['🔑'.repeat(1024), '🚕'.repeat(1024)]
    expect((await change({ current: staffPassword, password: first })).statusCode).toBe(204)
    read(await logIn(app, { email: staff.email, password: first }), LoginAnswer)
    expect((await change({ current: first, password: second })).statusCode).toBe(204)
    read(await logIn(app, { email: staff.email, password: second }), LoginAnswer)
  })

  test.each([
    ['its password is reset', { password_hash: 'of a new password' }],
    ['it is disabled', { disabled: 1 as const }],
  ])(
    'do not begin, and the password stays the same, if the account is changed while the password is checked: %s',
    async (_change, changed) => {
      const { app, engine, staff } = server()
      const stored = () => engine.db.selectFrom('staff').selectAll().execute()
      const before = await stored()
      const { verifyPassword } = passwords
      const checking = vi.spyOn(passwords, 'verifyPassword').mockImplementation(async (...given) => {
        const isRight = await verifyPassword(...given)
        await engine.db.updateTable('staff').set(changed).where('id', '=', staff.id).execute()
        return isRight
      })
      const asked = { current: staffPassword, password: 'x'.repeat(12) }
      const { errors } = readProblem(await change(asked), 400)
      expect(errors).toEqual({ current: ['The current password is wrong.'] })
      expect(await stored()).toEqual(before.map((row) => ({ ...row, ...changed })))
      await engine.db
        .updateTable('staff')
        .set(before[0] ?? {})
        .where('id', '=', staff.id)
        .execute()
      readProblem(await logIn(app, staff), 401)
      expect(checking).toHaveBeenCalledTimes(2)
      const sessions = await engine.db.selectFrom('sessions').selectAll().execute()
      expect(sessions).toHaveLength(1)
      expect((await events()).map(({ event }) => event)).not.toContain('session.password')
    },
  )

  test('keep the password after ten wrong ones, and that of the demo login always (reliability 5)', async () => {
    const { engine, staff, clock } = server()
    const asked = { current: staffPassword, password: 'x'.repeat(12) }
    const demo = await bootApp(engine, {
      now: () => clock.now,
      demoLogin: { email: staff.email, password: staffPassword },
    })
    readProblem(await change(asked, demo), 403)
    await demo.close()
    const app = await bootApp(engine, { now: () => clock.now })
    for (let nth = 0; nth < 10; nth++) readProblem(await change({ ...asked, current: 'wrong' }, app), 400)
    expect(readProblem(await change(asked, app), 429).message).toBe(
      'Too many wrong passwords. Try again later.',
    )
    expect((await logIn(app, staff)).statusCode).toBe(429)
    await app.close()
  })
})

test.each([
  [firefox, 'Firefox 143 on Windows'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
    'Edge 141 on Linux',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
    'Chrome 141 on Android',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    'Safari 18 on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0.7390.26 Mobile/15E148 Safari/604.1',
    'Chrome 141 on iPhone',
  ],
  ['curl/8.5.0', null],
  [undefined, null],
])('the browser of %j is %j', (agent, expected) => {
  expect(browserOf(agent)).toBe(expected)
})
