import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { keepHouse } from '../../../server/housekeeping.ts'
import { loginLimit } from '../../../server/queries/login-limit.ts'
import { LoginAnswer } from '../../../src/api/contract.ts'
import { engines, openTestEngine } from '../../support/engines.ts'
import { buildStaff, staffPassword } from '../../support/factories.ts'
import { bootApp, read, readProblem, someTime, useServer } from '../../support/server.ts'

const window = 15 * 60_000

describe.each(engines)('the login limit on %s', (name) => {
  // A new server for each test, because a server caches its refusals in memory.
  const server = useServer(name, { scope: 'boot' })

  interface Attempt {
    email?: string
    password?: string
    remoteAddress?: string
    headers?: Record<string, string>
    app?: ReturnType<typeof server>['app']
  }

  const attempt = ({
    app = server().app,
    email = server().staff.email,
    password = 'wrong',
    remoteAddress = '10.1.2.3',
    headers = {},
  }: Attempt = {}) =>
    app.inject({
      method: 'POST',
      url: '/api/v1/oms/login/',
      payload: { email, password },
      remoteAddress,
      headers,
    })

  const attempts = async (count: number, given: Attempt = {}) => {
    const statuses = []
    for (let nth = 0; nth < count; nth++) statuses.push((await attempt(given)).statusCode)
    return statuses
  }
  /** Raises the only count that is 2, as many more attempts would. Faster than making those attempts. */
  const raiseTo = async (count: number) => {
    const { numUpdatedRows } = await server()
      .engine.db.updateTable('login_attempts')
      .set({ count })
      .where('count', '=', 2)
      .executeTakeFirst()
    expect(numUpdatedRows).toBe(1n)
  }
  const right = { password: staffPassword }
  const tenWrong = Array.from({ length: 10 }, () => 401)

  test('the eleventh wrong password in 15 minutes gets 429 with the time to wait (reliability 5)', async () => {
    const { clock } = server()
    expect(await attempts(10)).toEqual(tenWrong)
    clock.now += 60_000
    const answer = await attempt()
    expect(readProblem(answer, 429)).toEqual({ message: 'Login failed!.Please try again.' })
    expect(answer.headers['retry-after']).toBe('840')
    clock.now = clock.now - 60_000 + window - 1
    expect((await attempt()).headers['retry-after']).toBe('1')
  })

  test('the correct password is rejected too until the 15 minutes are over (reliability 5)', async () => {
    const { clock } = server()
    await attempts(10)
    readProblem(await attempt(right), 429)
    clock.now += window
    read(await attempt(right), LoginAnswer)
  })

  test('rejected attempts do not extend the time to wait (reliability 5)', async () => {
    const { clock } = server()
    await attempts(12)
    clock.now += window / 2
    await attempts(12)
    clock.now += window / 2
    expect(await attempts(1)).toEqual([401])
  })

  test('the count survives a new server on the same database (reliability 5)', async () => {
    const { engine, clock } = server()
    await attempts(10)
    const app = await bootApp(engine, { now: () => clock.now })
    expect(await attempts(1, { app })).toEqual([429])
    await app.close()
  })

  test('a forged X-Forwarded-For header does not avoid the limit (reliability 5)', async () => {
    for (let nth = 1; nth <= 10; nth++)
      await attempt({ headers: { 'x-forwarded-for': `10.9.9.${nth}`, forwarded: `for=10.9.9.${nth}` } })
    expect(
      await attempts(1, { headers: { 'x-forwarded-for': '10.9.9.99', 'x-real-ip': '10.9.9.99' } }),
    ).toEqual([429])
  })

  test('other spellings of the e-mail count for the same account (reliability 5)', async () => {
    const { email } = server().staff
    await attempts(5, { email: email.toUpperCase() })
    await attempts(5, { email: ` ${email} ` })
    expect(await attempts(1)).toEqual([429])
  })

  test('another account or another address is not blocked (reliability 5)', async () => {
    const other = await buildStaff(server().engine)
    await attempts(11)
    read(await attempt({ ...right, email: other.email }), LoginAnswer)
    read(await attempt({ ...right, remoteAddress: '10.1.2.4' }), LoginAnswer)
  })

  test('attempts for an unknown account are counted in the same way (reliability 5, 6)', async () => {
    expect(await attempts(11, { email: 'nobody@twende.test' })).toEqual([...tenWrong, 429])
  })

  test('the correct password resets the count (reliability 5)', async () => {
    await attempts(9)
    read(await attempt(right), LoginAnswer)
    expect(await attempts(11)).toEqual([...tenWrong, 429])
  })

  test('of many concurrent wrong passwords at most ten are checked (reliability 5)', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => attempt()))
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(10)
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(15)
  })

  test('a hundred attempts on many accounts block their address and no other (reliability 5)', async () => {
    const { engine } = server()
    const all = () => engine.db.selectFrom('login_attempts').selectAll().execute()
    const ofSignIn = (await all()).map(({ key }) => key)
    await attempts(2, { email: 'first@twende.test' })
    await attempts(1, { email: 'second@twende.test' })
    const ofAddress = (await all()).filter(({ key, count }) => count === 3 && !ofSignIn.includes(key))
    expect(ofAddress).toHaveLength(1)
    await engine.db
      .updateTable('login_attempts')
      .set({ count: 99 })
      .where('key', '=', String(ofAddress[0]?.key))
      .execute()
    expect(await attempts(1, { email: 'third@twende.test' })).toEqual([401])
    expect(await attempts(1, { email: 'fourth@twende.test' })).toEqual([429])
    read(await attempt({ ...right, remoteAddress: '10.1.2.4' }), LoginAnswer)
  })

  test('successful logins do not count against an address (reliability 5)', async () => {
    const { engine } = server()
    const total = async () =>
      (await engine.db.selectFrom('login_attempts').select('count').execute()).reduce(
        (sum, { count }) => sum + count,
        0,
      )
    const before = await total()
    expect(await attempts(3, right)).toEqual([200, 200, 200])
    expect(await total()).toBe(before)
  })

  test('neither e-mail nor address is stored in plain text', async () => {
    await attempts(1)
    const rows = JSON.stringify(await server().engine.db.selectFrom('login_attempts').selectAll().execute())
    expect(rows).not.toContain('10.1.2.3')
    expect(rows).not.toContain(server().staff.email)
  })

  describe('of one account from many addresses', () => {
    const from = async (nth: number) => (await attempt({ remoteAddress: `10.5.0.${nth}` })).statusCode
    const failTwentyTimes = async () => {
      expect([await from(1), await from(2)]).toEqual([401, 401])
      await raiseTo(19)
      expect(await from(3)).toBe(401)
    }
    const retryAfter = async (remoteAddress: string) => {
      const answer = await attempt({ remoteAddress })
      expect(answer.statusCode).toBe(429)
      return Number(answer.headers['retry-after'])
    }

    test('each attempt after the twentieth has to wait twice as long as the one before, at most a minute (reliability 5)', async () => {
      const { clock } = server()
      await failTwentyTimes()
      const waits = []
      for (let nth = 0; nth < 8; nth++) {
        const wait = await retryAfter('10.6.0.1')
        waits.push(wait)
        clock.now += wait * 1000 - 1
        expect(await retryAfter('10.6.0.2')).toBe(1)
        clock.now += 1
        expect(await from(100 + nth)).toBe(401)
      }
      expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
    })

    test('of several concurrent attempts at the end of a delay, one password is checked (reliability 5)', async () => {
      await failTwentyTimes()
      server().clock.now += 1000
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, nth) => attempt({ remoteAddress: `10.7.0.${nth}` })),
      )
      expect(answers.filter(({ statusCode }) => statusCode === 401).length).toBeLessThanOrEqual(1)
      expect(answers.every(({ statusCode }) => statusCode === 401 || statusCode === 429)).toBe(true)
    })

    test('of many concurrent attempts from many addresses at most twenty passwords are checked (reliability 5)', async () => {
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, nth) => attempt({ remoteAddress: `10.7.1.${nth}` })),
      )
      const counted = (status: number) => answers.filter(({ statusCode }) => statusCode === status).length
      expect([counted(401), counted(429)]).toEqual([20, 20])
    })

    test('a person who has signed in from an address before is not delayed there (reliability 5)', async () => {
      const home = { ...right, remoteAddress: '10.8.0.1' }
      read(await attempt(home), LoginAnswer)
      await failTwentyTimes()
      read(await attempt(home), LoginAnswer)
      readProblem(await attempt({ ...right, remoteAddress: '10.8.0.2' }), 429)
      expect(await from(4)).toBe(429)
    })

    test('the known addresses are read before the first attempts are judged, and again after an error (reliability 5)', async () => {
      const { engine, clock } = server()
      const home = { ...right, remoteAddress: '10.8.0.1' }
      read(await attempt(home), LoginAnswer)
      await failTwentyTimes()
      const app = await bootApp(engine, { now: () => clock.now })
      await sql`alter table login_places rename to gone`.execute(engine.db)
      expect((await attempt({ ...home, app })).statusCode).toBe(500)
      await sql`alter table gone rename to login_places`.execute(engine.db)
      const answers = await Promise.all([1, 2, 3].map(() => attempt({ ...home, app })))
      for (const answer of answers) read(answer, LoginAnswer)
      await app.close()
    })

    test('other accounts are not delayed (reliability 5)', async () => {
      const other = await buildStaff(server().engine)
      await failTwentyTimes()
      read(await attempt({ ...right, email: other.email, remoteAddress: '10.9.0.1' }), LoginAnswer)
    })
  })

  describe('behind a proxy', () => {
    const proxied = (forwardedFor: string, given: Attempt = {}) =>
      attempt({ remoteAddress: '127.0.0.1', headers: { 'x-forwarded-for': forwardedFor }, ...given })
    const bootBehind = (trustProxy: string[]) => {
      const { engine, clock } = server()
      return bootApp(engine, { now: () => clock.now, config: { trustProxy } })
    }
    const shutOut = async (forwardedFor: string, given: Attempt = {}) => {
      for (const email of ['a@twende.test', 'b@twende.test']) await proxied(forwardedFor, { email, ...given })
      await raiseTo(100)
      expect((await proxied(forwardedFor, { email: 'c@twende.test', ...given })).statusCode).toBe(429)
    }

    test('that is trusted, an attacker blocks only their own address (reliability 5)', async () => {
      const app = await bootBehind(['127.0.0.1'])
      const other = await buildStaff(server().engine)
      await shutOut('203.0.113.9', { app })
      readProblem(await proxied('203.0.113.9', { ...right, email: other.email, app }), 429)
      read(await proxied('203.0.113.10', { ...right, email: other.email, app }), LoginAnswer)
      await app.close()
    })

    test('that is trusted, forged entries before the entry of the proxy are ignored (reliability 5)', async () => {
      const app = await bootBehind(['127.0.0.1'])
      for (let nth = 1; nth <= 10; nth++) await proxied(`10.0.0.${nth}, 203.0.113.9`, { app })
      expect((await proxied('10.0.0.99, 203.0.113.9', { app })).statusCode).toBe(429)
      expect((await proxied('203.0.113.10', { app })).statusCode).toBe(401)
      await app.close()
    })

    test('that is not trusted, a person who has signed in through it before is not blocked (reliability 5)', async () => {
      const { engine } = server()
      const other = await buildStaff(engine)
      read(await proxied('203.0.113.1', { ...right, email: other.email }), LoginAnswer)
      await shutOut('203.0.113.9')
      for (let nth = 0; nth < 3; nth++)
        read(await proxied('203.0.113.1', { ...right, email: other.email }), LoginAnswer)
    })
  })

  test('all addresses of an IPv6 /64 network count together (reliability 5)', async () => {
    const spellings = [
      '2001:db8:0:7::1',
      '2001:0db8:0000:0007:ffff::9',
      '2001:DB8::7:0:0:0:2',
      '2001:db8:0:7:8:9:a:b',
    ]
    for (let nth = 0; nth < 10; nth++) await attempt({ remoteAddress: spellings[nth % 4] ?? '' })
    expect(await attempts(1, { remoteAddress: '2001:db8:0:7:dead:beef:0:1' })).toEqual([429])
    expect(await attempts(1, { remoteAddress: '2001:db8:0:8::1' })).toEqual([401])
  })

  test('an IPv4 address counts the same when it is written as an IPv4-mapped IPv6 address (reliability 5)', async () => {
    await attempts(5)
    await attempts(5, { remoteAddress: '::ffff:10.1.2.3' })
    expect(await attempts(1)).toEqual([429])
  })

  test('a refusal until the end of the window is cached: it runs no query and stores no row (reliability 5)', async () => {
    const { engine } = server()
    for (const email of ['a@twende.test', 'b@twende.test']) await attempt({ email })
    await raiseTo(100)
    expect((await attempt()).statusCode).toBe(429)
    // Any query fails from now on.
    await sql`alter table login_attempts rename to gone`.execute(engine.db)
    await sql`alter table login_places rename to gone_too`.execute(engine.db)
    expect(await attempts(20, { email: 'somebody.new@twende.test' })).toEqual(
      Array.from({ length: 20 }, () => 429),
    )
    await sql`alter table gone rename to login_attempts`.execute(engine.db)
    await sql`alter table gone_too rename to login_places`.execute(engine.db)
  })

  test('nobody waits longer than 15 minutes, even if the clock is set back (reliability 5)', async () => {
    const { clock } = server()
    await attempts(11)
    clock.now -= 24 * 60 * 60_000
    const answer = await attempt()
    if (answer.statusCode === 429) expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(900)
    expect(await attempts(9)).toEqual(Array.from({ length: 9 }, () => 401))
    readProblem(await attempt(), 429)
    clock.now += window
    read(await attempt(right), LoginAnswer)
  })

  test('the cleanup deletes known addresses after 30 days', async () => {
    const { engine, clock } = server()
    read(await attempt(right), LoginAnswer)
    const places = async () => (await engine.db.selectFrom('login_places').selectAll().execute()).length
    const month = 30 * 24 * 60 * 60_000
    await keepHouse(engine, '/nonexistent', clock.now + month)
    expect(await places()).toBe(2)
    await keepHouse(engine, '/nonexistent', clock.now + month + 1)
    expect(await places()).toBe(0)
  })

  test('the cleanup deletes counts of windows that are over and keeps the others', async () => {
    const { engine, clock } = server()
    await attempts(10)
    await keepHouse(engine, '/nonexistent', clock.now + window)
    expect(await attempts(1)).toEqual([429])
    await keepHouse(engine, '/nonexistent', clock.now + window + 1)
    expect(await engine.db.selectFrom('login_attempts').selectAll().execute()).toEqual([])
  })
})

test('on PostgreSQL there is no deadlock between a login that succeeds and another attempt of the same account and address (reliability 5)', async () => {
  const engine = await openTestEngine('postgres')
  const countAttempt = loginLimit(engine, () => someTime)
  const untilWaiting = (count: number) =>
    vi.waitUntil(async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(engine.db)
      return Number(rows[0]?.n) === count
    })
  // In which order the rows of an attempt are locked depends on the account.
  for (let nth = 0; nth < 6; nth++) {
    await engine.db.deleteFrom('login_attempts').execute()
    const attempt = () => countAttempt(`somebody${nth}@twende.test`, '10.1.2.3', 'refused')
    const first = await attempt()
    const { both } = await engine.db.transaction().execute(async (trx) => {
      await sql`select key from login_attempts order by key collate "C" limit 1 for update`.execute(trx)
      const second = attempt()
      await untilWaiting(1)
      const both = Promise.all([second, first.succeeded()])
      await untilWaiting(2)
      return { both }
    })
    await both
  }
  await engine.close()
})
