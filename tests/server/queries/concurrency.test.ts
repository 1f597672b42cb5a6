import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Analytics, MessageAnswer } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import { buildDriver } from '../../support/factories.ts'
import { keptNumbers, recount } from '../../support/recount.ts'
import { read, useServer } from '../../support/server.ts'
import { repeats } from '../../support/soak.ts'

/** How many random calls there are, and how many of them at once. */
const [randomCalls, atOnce] = [repeats(300, 1000), 300]

describe.each(engines)('concurrent calls on %s', (name) => {
  const server = useServer(name)
  const audit = () => server().engine.db.selectFrom('audit').selectAll().orderBy('id').execute()
  const twenty = Array.from({ length: 20 }, (_, nth) => nth)

  test('twenty concurrent suspends with one key make one change and get the same reply (reliability 15, 17)', async () => {
    await buildDriver(server().engine, { id: 7 })
    const headers = { 'idempotency-key': 'one-intent' }
    const answers = await Promise.all(
      twenty.map(() => server().post('/api/v1/oms/driver/7/suspend/', headers)),
    )
    const bodies = answers.map((answer) => read(answer, MessageAnswer).message)
    expect(new Set(bodies).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(19)
    expect(await audit()).toHaveLength(1)
  })

  test('twenty concurrent suspends with different keys make one change and get the same reply (reliability 16)', async () => {
    await buildDriver(server().engine, { id: 7 })
    const answers = await Promise.all(
      twenty.map((nth) =>
        server().post('/api/v1/oms/driver/7/suspend/', { 'idempotency-key': `key-${nth}` }),
      ),
    )
    for (const answer of answers) read(answer, MessageAnswer)
    expect(answers.filter(({ headers }) => 'idempotency-replayed' in headers)).toEqual([])
    expect(await audit()).toHaveLength(1)
  })

  test('twenty concurrent suspends without a key make one change and get the same reply (reliability 16)', async () => {
    await buildDriver(server().engine, { id: 7 })
    const answers = await Promise.all(twenty.map(() => server().post('/api/v1/oms/driver/7/suspend/')))
    for (const answer of answers) read(answer, MessageAnswer)
    expect(await audit()).toHaveLength(1)
  })

  test('of two concurrent suspends with one key for different drivers, one succeeds (reliability 17)', async () => {
    await buildDriver(server().engine, { id: 7 })
    await buildDriver(server().engine, { id: 8 })
    const headers = { 'idempotency-key': 'one-intent' }
    const answers = await Promise.all(
      twenty.map((nth) => server().post(`/api/v1/oms/driver/${7 + (nth % 2)}/suspend/`, headers)),
    )
    const statuses = answers.map(({ statusCode }) => statusCode).toSorted()
    expect(statuses).toEqual([...Array<number>(10).fill(200), ...Array<number>(10).fill(422)])
    expect(await audit()).toHaveLength(1)
  })

  test(`${randomCalls} random concurrent suspends and unsuspends of ten drivers end as if run one after another (reliability 16)`, async () => {
    const { engine, get, post } = server()
    const suspended = new Map<number, boolean>()
    for (let id = 1; id <= 10; id++) {
      suspended.set(id, id % 3 === 0)
      await buildDriver(engine, { id, deleted: id % 3 === 0 ? 1 : 0, online: 1 })
    }
    const call = fc.record({
      id: fc.integer({ min: 1, max: 10 }),
      verb: fc.constantFrom('suspend', 'unfreeze'),
      key: fc.option(fc.integer({ min: 1, max: 20 })),
    })
    const calls = fc.sample(call, { numRuns: randomCalls, seed: 16 })
    const ask = async ({ id, verb, key }: (typeof calls)[number]) => {
      const headers = key === null ? {} : { 'idempotency-key': `${key}-${verb}-${id}` }
      let answer = await post(`/api/v1/oms/driver/${id}/${verb}/`, headers)
      // On a busy machine no connection may be free in time. The call then changed nothing, so repeat it.
      while (answer.statusCode === 503) {
        expect(answer.headers['retry-after']).toBe('1')
        answer = await post(`/api/v1/oms/driver/${id}/${verb}/`, headers)
      }
      return answer
    }
    for (let first = 0; first < calls.length; first += atOnce)
      for (const answer of await Promise.all(calls.slice(first, first + atOnce).map(ask)))
        read(answer, MessageAnswer)

    const trail = await audit()
    for (const { record_id, command } of trail) {
      expect(suspended.get(record_id), `${command} ${record_id}`).toBe(command === 'driver.unsuspend')
      suspended.set(record_id, command === 'driver.suspend')
    }
    expect(trail.length).toBeGreaterThan(10)
    const rows = await engine.db.selectFrom('drivers').selectAll().orderBy('id').execute()
    expect(rows.map(({ id, deleted }) => [id, deleted === 1])).toEqual([...suspended])
    for (const { id, version } of rows)
      expect(version).toBe(1 + trail.filter(({ record_id }) => record_id === id).length)
    const { total_suspended_riders, online_drivers } = read(await get('/api/v1/oms/analytics/'), Analytics)
    const count = rows.filter(({ deleted }) => deleted === 1).length
    expect([total_suspended_riders, online_drivers]).toEqual([count, 10 - count])
    expect(await keptNumbers(engine.db)).toEqual(await recount(engine))
  }, 240_000)
})
