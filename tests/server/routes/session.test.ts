import type { IncomingMessage } from 'node:http'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { runAll } from '../../../server/db/engine.ts'
import { keepHouse } from '../../../server/housekeeping.ts'
import { hashPassword } from '../../../server/password.ts'
import { Analytics, LoginAnswer } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import { buildStaff, staffPassword } from '../../support/factories.ts'
import { repeats } from '../../support/soak.ts'
import { bootApp, logIn, read, readProblem, signIn, useServer } from '../../support/server.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const failed = { message: 'Login failed!.Please try again.' }

afterEach(() => {
  vi.restoreAllMocks()
})

describe.each(engines)('login on %s', (name) => {
  const server = useServer(name, { scope: 'suite' })

  test('the token is 256 random bits and new at every login (reliability 2)', async () => {
    const { app, staff } = server()
    const tokens = []
    for (let login = 0; login < 5; login++) tokens.push(read(await logIn(app, staff), LoginAnswer).token)
    for (const token of tokens) {
      expect(token).toMatch(/^[\w-]+$/)
      expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    }
    expect(new Set(tokens).size).toBe(5)
  })

  test('the database contains no tokens and no passwords (reliability 2, 4)', async () => {
    const { engine, headers } = server()
    const token = headers.authorization.replace('Bearer ', '')
    const stored = JSON.stringify([
      await engine.db.selectFrom('sessions').selectAll().execute(),
      await engine.db.selectFrom('staff').selectAll().execute(),
      await engine.db.selectFrom('login_attempts').selectAll().execute(),
    ])
    for (const secret of [token, Buffer.from(token, 'base64url').toString('hex'), staffPassword])
      expect(stored).not.toContain(secret)
    expect(stored).toContain('$argon2id$')
  })

  test('a wrong e-mail, a wrong password and a disabled account get the same reply (reliability 6, S8.4)', async () => {
    const { app, engine, staff } = server()
    const disabled = await buildStaff(engine, { disabled: 1 })
    const answers = [
      await logIn(app, { email: 'nobody@twende.test' }),
      await logIn(app, { email: staff.email, password: 'wrong' }),
      await logIn(app, { email: disabled.email }),
      await logIn(app, { email: disabled.email, password: 'wrong' }),
      await logIn(app, { email: 'no e-mail at all' }),
    ]
    for (const answer of answers) {
      expect(answer.statusCode).toBe(401)
      expect(answer.json()).toEqual(failed)
      expect(Object.keys(answer.headers)).toEqual(Object.keys(answers[0]?.headers ?? {}))
    }
  })

  test('a login with an unknown e-mail takes as much processor time as one with a wrong password (reliability 4)', async () => {
    const { app, clock, engine } = server()
    // The other accounts of the tests have a cheap hash.
    const { email } = await buildStaff(engine, { password_hash: await hashPassword('the right one') })
    const microseconds = async (given: string) => {
      const start = process.cpuUsage()
      const answer = await logIn(app, { email: given, password: 'wrong' })
      const { user, system } = process.cpuUsage(start)
      expect(answer.statusCode).toBe(401)
      return user + system
    }
    const unknown = { email: 'nobody@twende.test', taken: new Array<number>() }
    const wrong = { email, taken: new Array<number>() }
    for (let round = 0; round < repeats(10, 200); round++) {
      // The counts of failed logins begin again: a refusal would not check any password. The first login after that reads more.
      clock.now += hour
      for (const one of round % 2 ? [unknown, wrong] : [wrong, unknown])
        one.taken.push(await microseconds(one.email))
    }
    const ratio = median(unknown.taken) / median(wrong.taken)
    const tolerance = repeats(50, 5) / 100
    expect(ratio).toBeGreaterThan(1 - tolerance)
    expect(ratio).toBeLessThan(1 + tolerance)
  })

  test('the e-mail is accepted in any case and with spaces around it', async () => {
    const { app, engine } = server()
    await buildStaff(engine, { email: 'amina.yusuf@twende.test' })
    read(await logIn(app, { email: '  Amina.Yusuf@TWENDE.test ' }), LoginAnswer)
  })

  test.each([
    ['no e-mail', { password: 'x' }, ['email']],
    ['an empty e-mail', { email: '', password: 'x' }, ['email']],
    ['no password', { email: 'a@b.test' }, ['password']],
    ['an empty password', { email: 'a@b.test', password: '' }, ['password']],
    ['neither', {}, ['email', 'password']],
    ['a number for an e-mail', { email: 1, password: 'x' }, ['email']],
    ['a list for a password', { email: 'a@b.test', password: ['x'] }, ['password']],
    ['null for both', { email: null, password: null }, ['email', 'password']],
    ['an e-mail of 255 characters', { email: `${'a'.repeat(248)}@b.test`, password: 'x' }, ['email']],
    ['an e-mail with NUL', { email: 'nul\0@b.test', password: 'x' }, ['email']],
    ['a password of 1,025 characters', { email: 'a@b.test', password: 'x'.repeat(1025) }, ['password']],
  ])('%s is rejected with an error for the field (S5.1)', async (_label, payload, fields) => {
    const answer = await server().app.inject({ method: 'POST', url: '/api/v1/oms/login/', payload })
    expect(Object.keys(readProblem(answer, 400).errors ?? {}).toSorted()).toEqual(fields)
  })

  test.each([
    ['100 characters', 'k'.repeat(99) + '!'],
    ['1,024 characters', 'k'.repeat(1024)],
    ['spaces at both ends', '  padded password  '],
    ['Unicode', 'nywila ya Ñandú 🚕🔑 مرور'],
    ['one accent in two code points', 'cafe\u0301 cafe\u0301'],
    ['NUL and line breaks', 'one\0two\r\nthree'],
  ])('a password with %s is accepted unchanged (reliability 4)', async (_label, password) => {
    const { app, engine } = server()
    const { email } = await buildStaff(engine, { password_hash: await hashPassword(password) })
    read(await logIn(app, { email, password }), LoginAnswer)
    for (const other of new Set([
      password.slice(0, -1),
      `${password} `,
      password.trim(),
      password.normalize('NFC'),
    ]))
      if (other !== password) expect((await logIn(app, { email, password: other })).statusCode).not.toBe(200)
  })

  test('a wrong password of a client that has gone is counted and recorded, with an unknown address (reliability 5)', async () => {
    const { engine, staff, clock } = server()
    const app = await bootApp(engine, { now: () => clock.now })
    // Node no longer knows the address of a connection that has closed.
    app.server.prependListener('request', ({ socket }: IncomingMessage) =>
      Object.defineProperty(socket, 'remoteAddress', { value: undefined }),
    )
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const before = await engine.db.selectFrom('login_attempts').selectAll().execute()
    const answer = await fetch(`${url}/api/v1/oms/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ email: staff.email, password: 'wrong' }),
    })
    expect(answer.status).toBe(401)
    const after = await engine.db.selectFrom('login_attempts').selectAll().execute()
    expect(after.length).toBeGreaterThan(before.length)
    await app.close()
    const events = await engine.db.selectFrom('audit_events').selectAll().orderBy('id').execute()
    expect(events.at(-1)).toMatchObject({ event: 'session.refuse', staff_id: staff.id, origin: 'unknown' })
  })

  test('extra fields and prototype names in the body are rejected and change nothing (reliability 31)', async () => {
    const { app, engine, staff } = server()
    const before = await engine.db.selectFrom('staff').selectAll().orderBy('id').execute()
    const login = (payload: string) =>
      app.inject({
        method: 'POST',
        url: '/api/v1/oms/login/',
        headers: { 'content-type': 'application/json' },
        payload,
      })
    const body = JSON.stringify({
      email: staff.email,
      password: staffPassword,
      id: 1,
      disabled: 1,
      token: 'mine',
    })
    expect(Object.keys(readProblem(await login(body), 400).errors ?? {})).toEqual(['id', 'disabled', 'token'])
    for (const payload of [
      '{"__proto__": {"email": "a@b.test", "password": "x"}}',
      '{"constructor": {"prototype": {"polluted": true}}, "email": "a@b.test", "password": "x"}',
      '{"email": "a@b.test", "password": "x", "__proto__": {"polluted": true}}',
    ])
      readProblem(await login(payload), 400)
    expect({}).not.toHaveProperty('polluted')
    expect(await engine.db.selectFrom('staff').selectAll().orderBy('id').execute()).toEqual(before)
  })
})

describe.each(engines)('a session on %s', (name) => {
  const server = useServer(name)
  const stillSignedIn = async () => (await server().get('/api/v1/oms/analytics/')).statusCode === 200
  const sessions = () => server().engine.db.selectFrom('sessions').selectAll().execute()

  test('a login succeeds, and the error is logged, if its attempt cannot be removed from the count of failed logins', async () => {
    const { app, engine, staff } = server()
    const logged = vi.spyOn(app.log, 'error')
    const error: unknown = expect.any(Error)
    await runAll(engine.db, ['alter table login_places rename to login_places_elsewhere'])
    const answer = await logIn(app, staff)
    await runAll(engine.db, ['alter table login_places_elsewhere rename to login_places'])
    read(answer, LoginAnswer)
    expect(logged.mock.calls).toEqual([[{ err: error }, 'login count failed']])
  })

  test('logout ends only this session (reliability 2)', async () => {
    const { app, staff, post } = server()
    const elsewhere = await signIn(app, staff)
    const answer = await post('/api/v1/oms/logout/')
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect(await stillSignedIn()).toBe(false)
    readProblem(await post('/api/v1/oms/logout'), 401)
    read(await app.inject({ url: '/api/v1/oms/analytics/', headers: elsewhere }), Analytics)
  })

  test('the session is kept when the server restarts (reliability 2)', async () => {
    const { engine, headers, clock } = server()
    const restarted = await bootApp(engine, { now: () => clock.now })
    read(await restarted.inject({ url: '/api/v1/oms/analytics/', headers }), Analytics)
    await restarted.close()
  })

  test('disabling the staff member ends the session immediately and prevents a new login (reliability 2)', async () => {
    const { app, engine, staff } = server()
    await engine.db.updateTable('staff').set({ disabled: 1 }).where('id', '=', staff.id).execute()
    expect(await stillSignedIn()).toBe(false)
    expect((await logIn(app, staff)).statusCode).toBe(401)
  })

  test('the session ends 12 hours after the last request (reliability 3)', async () => {
    const { clock } = server()
    clock.now += 12 * hour - 1
    expect(await stillSignedIn()).toBe(true)
    clock.now += 12 * hour - 1
    expect(await stillSignedIn()).toBe(true)
    clock.now += 12 * hour
    expect(await stillSignedIn()).toBe(false)
  })

  test('a session that was never used ends 12 hours after login (reliability 3)', async () => {
    server().clock.now += 12 * hour
    expect(await stillSignedIn()).toBe(false)
  })

  test('the session ends 7 days after login, even if it is in use (reliability 3)', async () => {
    const { clock } = server()
    const login = clock.now
    for (let at = login + 11 * hour; at < login + 7 * day; at += 11 * hour) {
      clock.now = at
      expect(await stillSignedIn()).toBe(true)
    }
    clock.now = login + 7 * day - 1
    expect(await stillSignedIn()).toBe(true)
    clock.now = login + 7 * day
    expect(await stillSignedIn()).toBe(false)
  })

  test('the time of the last request is stored at most once a minute', async () => {
    const { clock } = server()
    const login = clock.now
    const used = async () => (await sessions())[0]?.used_at
    clock.now = login + 30_000
    await stillSignedIn()
    expect(await used()).toBe(login)
    clock.now = login + minute + 1
    await stillSignedIn()
    expect(await used()).toBe(clock.now)
  })

  test('the cleanup deletes sessions that have ended and keeps the others', async () => {
    const { app, engine, staff, clock } = server()
    const login = clock.now
    clock.now = login + 6 * hour
    const later = await signIn(app, staff)
    clock.now = login + 12 * hour + 1
    await keepHouse(engine, '/nonexistent', clock.now)
    expect(await sessions()).toHaveLength(1)
    read(await app.inject({ url: '/api/v1/oms/analytics/', headers: later }), Analytics)
    await keepHouse(engine, '/nonexistent', clock.now + 12 * hour + 1)
    expect(await sessions()).toEqual([])
  })

  test('the cleanup deletes a session that is older than 7 days, even if it is in use', async () => {
    const { engine, clock } = server()
    await engine.db
      .updateTable('sessions')
      .set({ used_at: clock.now + 7 * day })
      .execute()
    await keepHouse(engine, '/nonexistent', clock.now + 7 * day + 1)
    expect(await sessions()).toEqual([])
  })
})
