import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { TypedApp } from '../../../server/deps.ts'
import { keepHouse } from '../../../server/housekeeping.ts'
import { MessageAnswer } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import { buildCustomer, buildDriver, buildStaff } from '../../support/factories.ts'
import { bootApp, read, readProblem, signIn, useServer } from '../../support/server.ts'
import type { Kind } from '../../support/written-kinds.ts'
import { kinds } from '../../support/written-kinds.ts'

const day = 24 * 60 * 60_000
const key = { 'idempotency-key': 'a1b2c3d4-one-intent' }
const suspend = '/api/v1/oms/driver/7/suspend/'
const unfreeze = '/api/v1/oms/driver/7/unfreeze/'

describe.each(engines)('an Idempotency-Key on %s', (name) => {
  const server = useServer(name)
  const audit = async () =>
    (await server().engine.db.selectFrom('audit').selectAll().orderBy('id').execute()).map(
      ({ command, record_id }) => `${command} ${record_id}`,
    )
  const records = () => server().engine.db.selectFrom('idempotency').selectAll().execute()
  const isSuspended = async (id = 7) =>
    (await server().engine.db.selectFrom('drivers').selectAll().where('id', '=', id).executeTakeFirst())
      ?.deleted === 1

  beforeEach(async () => {
    await buildDriver(server().engine, { id: 7, fullname: 'Amina Yusuf' })
    await buildDriver(server().engine, { id: 8 })
  })

  test('that is repeated gets the first reply again, marked as replayed (R8; reliability 17)', async () => {
    const first = await server().post(suspend, key)
    expect(first.headers).not.toHaveProperty('idempotency-replayed')
    const again = await server().post(suspend, key)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect([again.statusCode, again.body]).toEqual([first.statusCode, first.body])
    expect(again.headers['content-type']).toBe(first.headers['content-type'])
    expect(await audit()).toEqual(['driver.suspend 7'])
  })

  test('that is repeated does not undo a later change (R8; reliability 17)', async () => {
    const { post } = server()
    const first = await post(suspend, key)
    await post(unfreeze)
    const again = await post(suspend, key)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.body).toBe(first.body)
    expect(await isSuspended()).toBe(false)
    expect(await audit()).toEqual(['driver.suspend 7', 'driver.unsuspend 7'])
  })

  test('whose record was stored without the change is accepted again (R8)', async () => {
    const { engine, post } = server()
    await post(suspend, key)
    await engine.db.updateTable('idempotency').set({ status: 0, body: '', fingerprint: '' }).execute()
    await post(unfreeze)
    expect((await post(suspend, key)).statusCode).toBe(200)
    expect(await isSuspended()).toBe(true)
    expect((await post(suspend, key)).headers['idempotency-replayed']).toBe('true')
  })

  test('is stored even if the request changed nothing (R8)', async () => {
    const { post } = server()
    await post(suspend)
    await post(suspend, key)
    await post(unfreeze)
    expect((await post(suspend, key)).headers['idempotency-replayed']).toBe('true')
    expect(await isSuspended()).toBe(false)
  })

  test.each([
    ['another driver', '/api/v1/oms/driver/8/suspend/'],
    ['another verb', unfreeze],
    ['the same call with a query', `${suspend}?x=1`],
  ])('that is reused for %s gets 422 and changes nothing (reliability 17)', async (_label, url) => {
    const { post } = server()
    await post(suspend, key)
    readProblem(await post(url, key), 422)
    expect(await audit()).toEqual(['driver.suspend 7'])
    expect([await isSuspended(7), await isSuspended(8)]).toEqual([true, false])
    expect((await post(suspend, key)).headers['idempotency-replayed']).toBe('true')
  })

  test('that is reused with another body gets 422 (reliability 17)', async () => {
    const { app, headers, post } = server()
    await post(suspend, key)
    const answer = await app.inject({
      method: 'POST',
      url: suspend,
      headers: { ...headers, ...key },
      payload: { reason: 'another' },
    })
    readProblem(answer, 422)
  })

  test('of a change that changes nothing is answered with the header Record-Unchanged', async () => {
    const { post } = server()
    const unchanged = async (url: string, one: string) =>
      (await post(url, { 'idempotency-key': one })).headers['record-unchanged']
    expect(await unchanged(suspend, 'first')).toBeUndefined()
    expect(await unchanged(suspend, 'first')).toBeUndefined()
    expect(await unchanged(suspend, 'second')).toBe('true')
    expect(await unchanged(unfreeze, 'third')).toBeUndefined()
  })

  test('of a change that changed nothing gets the header Record-Unchanged again when it is repeated (R7, R8)', async () => {
    const { app, engine, post } = server()
    const colleague = await signIn(app, await buildStaff(engine))
    await app.inject({ method: 'POST', url: suspend, headers: colleague })
    const first = await post(suspend, key)
    const again = await post(suspend, key)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect([again.body, again.headers['record-unchanged']]).toEqual([first.body, 'true'])
  })

  test('counts as the same with and without the final slash of the path (S7.1)', async () => {
    await server().post(suspend, key)
    const again = await server().post(suspend.slice(0, -1), key)
    expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([200, 'true'])
  })

  test('is separate for each staff member', async () => {
    const { app, engine, post } = server()
    const other = await signIn(app, await buildStaff(engine))
    await post(suspend, key)
    const answer = await app.inject({ method: 'POST', url: unfreeze, headers: { ...other, ...key } })
    read(answer, MessageAnswer)
    expect(answer.headers).not.toHaveProperty('idempotency-replayed')
    expect(await audit()).toEqual(['driver.suspend 7', 'driver.unsuspend 7'])
  })

  test('is kept after logout and after a restart of the server (reliability 17)', async () => {
    const { engine, staff, post, clock } = server()
    const first = await post(suspend, key)
    await post('/api/v1/oms/logout/')
    const app = await bootApp(engine, { now: () => clock.now })
    const headers = { ...(await signIn(app, staff)), ...key }
    const again = await app.inject({ method: 'POST', url: suspend, headers })
    expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true'])
    expect(await audit()).toEqual(['driver.suspend 7'])
    await app.close()
  })

  test('is kept for 24 hours; after that it counts as new (reliability 17)', async () => {
    const { app, staff, clock } = server()
    const send = async () => {
      const headers = { ...(await signIn(app, staff)), ...key }
      return (await app.inject({ method: 'POST', url: suspend, headers })).headers['idempotency-replayed']
    }
    expect(await send()).toBeUndefined()
    clock.now += day
    expect(await send()).toBe('true')
    clock.now += 1
    expect(await send()).toBeUndefined()
    expect(await send()).toBe('true')
    expect(await records()).toHaveLength(1)
  })

  test('is deleted by the cleanup after 24 hours and not before', async () => {
    const { engine, post, clock } = server()
    await post(suspend, key)
    await keepHouse(engine, '/nonexistent', clock.now + day)
    expect(await records()).toHaveLength(1)
    await keepHouse(engine, '/nonexistent', clock.now + day + 1)
    expect(await records()).toHaveLength(0)
  })

  test.each([
    ['is empty', ''],
    ['holds a space', 'a b'],
    ['is longer than 200 characters', 'k'.repeat(201)],
    ['is not ASCII', 'schlüssel'],
    ['comes twice', ['one', 'two']],
  ])('that %s gets 400 and changes nothing', async (_label, value) => {
    const { app, headers } = server()
    const answer = await app.inject({
      method: 'POST',
      url: suspend,
      headers: { ...headers, 'idempotency-key': value },
    })
    readProblem(answer, 400)
    expect([await isSuspended(), await audit(), await records()]).toEqual([false, [], []])
  })

  test('of 1 or 200 visible characters is accepted', async () => {
    for (const value of [
      '!',
      '~'.repeat(200),
      'k'.repeat(200),
      '"; drop table idempotency; --'.replaceAll(' ', ''),
    ]) {
      read(await server().post(suspend, { 'idempotency-key': value }), MessageAnswer)
      const again = await server().post(suspend, { 'idempotency-key': value })
      expect(again.headers['idempotency-replayed']).toBe('true')
    }
  })

  test('of a rejected request can be used again (reliability 17)', async () => {
    const { post } = server()
    readProblem(await post('/api/v1/oms/driver/4711/suspend/', key), 404)
    expect(await records()).toEqual([])
    await buildDriver(server().engine, { id: 4711 })
    const answer = await post('/api/v1/oms/driver/4711/suspend/', key)
    expect([answer.statusCode, answer.headers['idempotency-replayed']]).toEqual([200, undefined])
    expect(await audit()).toEqual(['driver.suspend 4711'])
  })

  test('is not read without a session (reliability 1)', async () => {
    const { app } = server()
    readProblem(await app.inject({ method: 'POST', url: suspend, headers: key }), 401)
    readProblem(await app.inject({ method: 'POST', url: suspend, headers: { 'idempotency-key': '' } }), 401)
    expect(await records()).toEqual([])
  })
})

describe.each(engines)('a creation whose reply was lost on %s', (name) => {
  const server = useServer(name)
  beforeEach(async () => {
    await buildCustomer(server().engine, { id: 11 })
  })
  const created = async (table: Kind['table']) => ({
    rows: await server().engine.db.selectFrom(table).selectAll().execute(),
    audit: (await server().engine.db.selectFrom('audit').selectAll().execute()).map(({ command }) => command),
  })

  describe.each(kinds)('$noun', ({ noun, create, body, table, shape }) => {
    const ask = (to: TypedApp, headers: Record<string, string>) =>
      to.inject({ method: 'POST', url: create, headers: { ...headers, ...key }, payload: body })

    test('makes one record if the retry arrives while the first request is running (R8; reliability 17)', async () => {
      const { app, headers, engine } = server()
      const hold = await engine.db.startTransaction().execute()
      onTestFinished(async () => {
        if (!hold.isRolledBack) await hold.rollback().execute()
      })
      // SQLite has one connection, used by the open transaction. On PostgreSQL each request waits for the lock.
      const waiting = async (calls: number) => {
        if (name === 'sqlite') return
        const waits = sql<{ n: number }>`select count(*) as n from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()`
        const count = async () => (await waits.execute(engine.db)).rows[0]?.n
        await expect.poll(count, { timeout: 30_000 }).toBe(calls)
      }
      if (name === 'postgres') await sql`lock table audit`.execute(hold)
      const first = ask(app, headers)
      await waiting(1)
      const second = ask(app, headers)
      await waiting(2)
      await hold.rollback().execute()
      read(await first, shape)
      expect([(await second).body, (await second).headers['idempotency-replayed']]).toEqual([
        (await first).body,
        'true',
      ])
      expect(await created(table)).toMatchObject({ rows: [{}], audit: [`${noun}.create`] })
    })

    test('makes one record if another server gets the retry, and after a restart (R8; reliability 17)', async () => {
      const { app, headers, engine, clock } = server()
      const another = await bootApp(engine, { now: () => clock.now })
      const [first, second] = await Promise.all([ask(app, headers), ask(another, headers)])
      await another.close()
      const restarted = await bootApp(engine, { now: () => clock.now })
      const third = await ask(restarted, headers)
      await restarted.close()
      read(first, shape)
      expect([second.body, third.body]).toEqual([first.body, first.body])
      expect(third.headers['idempotency-replayed']).toBe('true')
      expect(await created(table)).toMatchObject({ rows: [{}], audit: [`${noun}.create`] })
    })
  })
})
