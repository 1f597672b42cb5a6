import { describe, expect, test } from 'vitest'
import { keepHouse } from '../../server/housekeeping.ts'
import { LoginAnswer } from '../../src/api/contract.ts'
import { engines } from '../support/engines.ts'
import { buildStaff, staffPassword } from '../support/factories.ts'
import { bootApp, read, readProblem, useServer } from '../support/server.ts'

const window = 15 * 60_000

describe.each(engines)('the login limit on %s', (name) => {
  const server = useServer(name)

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
  const right = { password: staffPassword }
  const tenWrong = Array.from({ length: 10 }, () => 401)

  test('the eleventh wrong password in 15 minutes is 429 with the time to wait (reliability 5)', async () => {
    const { clock } = server()
    expect(await attempts(10)).toEqual(tenWrong)
    clock.now += 60_000
    const answer = await attempt()
    expect(readProblem(answer, 429)).toEqual({ message: 'Login failed!.Please try again.' })
    expect(answer.headers['retry-after']).toBe('840')
    clock.now = clock.now - 60_000 + window - 1
    expect((await attempt()).headers['retry-after']).toBe('1')
  })

  test('while it lasts the right password is refused too; afterwards it works (reliability 5)', async () => {
    const { clock } = server()
    await attempts(10)
    readProblem(await attempt(right), 429)
    clock.now += window
    read(await attempt(right), LoginAnswer)
  })

  test('refused attempts do not make it last longer (reliability 5)', async () => {
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

  test('a forged X-Forwarded-For does not get around it (reliability 5)', async () => {
    for (let nth = 1; nth <= 10; nth++)
      await attempt({ headers: { 'x-forwarded-for': `10.9.9.${nth}`, forwarded: `for=10.9.9.${nth}` } })
    expect(
      await attempts(1, { headers: { 'x-forwarded-for': '10.9.9.99', 'x-real-ip': '10.9.9.99' } }),
    ).toEqual([429])
  })

  test('other spellings of the e-mail count to the same account (reliability 5)', async () => {
    const { email } = server().staff
    await attempts(5, { email: email.toUpperCase() })
    await attempts(5, { email: ` ${email} ` })
    expect(await attempts(1)).toEqual([429])
  })

  test('another account and another address are not shut out with it (reliability 5)', async () => {
    const other = await buildStaff(server().engine)
    await attempts(11)
    read(await attempt({ ...right, email: other.email }), LoginAnswer)
    read(await attempt({ ...right, remoteAddress: '10.1.2.4' }), LoginAnswer)
  })

  test('an account that does not exist is counted alike (reliability 5, 6)', async () => {
    expect(await attempts(11, { email: 'nobody@twende.test' })).toEqual([...tenWrong, 429])
  })

  test('the right password starts the count anew (reliability 5)', async () => {
    await attempts(9)
    read(await attempt(right), LoginAnswer)
    expect(await attempts(11)).toEqual([...tenWrong, 429])
  })

  test('of many wrong passwords at once no more than ten are looked at (reliability 5)', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => attempt()))
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(10)
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(15)
  })

  test('a hundred attempts on many accounts shut one address out, and it alone (reliability 5)', async () => {
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

  test('right passwords use up nothing of an address (reliability 5)', async () => {
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

  test('neither e-mail nor address is written down in the clear', async () => {
    await attempts(1)
    const rows = JSON.stringify(await server().engine.db.selectFrom('login_attempts').selectAll().execute())
    expect(rows).not.toContain('10.1.2.3')
    expect(rows).not.toContain(server().staff.email)
  })

  test('cleaning up forgets counts that are over and keeps the others', async () => {
    const { engine, clock } = server()
    await attempts(10)
    await keepHouse(engine, '/nonexistent', clock.now + window)
    expect(await attempts(1)).toEqual([429])
    await keepHouse(engine, '/nonexistent', clock.now + window + 1)
    expect(await engine.db.selectFrom('login_attempts').selectAll().execute()).toEqual([])
  })
})
