import { beforeEach, describe, expect, test } from 'vitest'
import { Analytics, Invoice, MessageAnswer, Page } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import { buildDriver, buildInvoice, buildStaff } from '../../support/factories.ts'
import { keptNumbers, recount } from '../../support/recount.ts'
import { read, readProblem, signIn, someTime, useServer } from '../../support/server.ts'

const url = '/api/v1/oms/invoice/update/'
const message = 'Invoice 51 of Amina Yusuf has been cleared.'
const twenty = Array.from({ length: 20 }, (_, nth) => nth)

describe.each(engines)('clearing an invoice on %s', (name) => {
  const server = useServer(name)
  const clear = (invoice_id: unknown, headers?: Record<string, string>) =>
    server().send(url, { invoice_id }, headers)
  const audit = () => server().engine.db.selectFrom('audit').selectAll().orderBy('id').execute()
  const rows = () => server().engine.db.selectFrom('invoices').selectAll().orderBy('id').execute()
  const state = async () => ({
    rows: await rows(),
    audit: await audit(),
    kept: await keptNumbers(server().engine.db),
  })

  beforeEach(async () => {
    const { engine } = server()
    await buildDriver(engine, { id: 7, fullname: 'Amina Yusuf' })
    await buildInvoice(engine, { id: 51, driver_id: 7, amount: 250_005 })
    await buildInvoice(engine, { id: 52, driver_id: 7, amount: 100_000 })
    await buildInvoice(engine, { id: 53, driver_id: 7, amount: 40_000, paid: 1 })
  })

  test('replies with a message and marks only this invoice as paid now (S7.22, S4.6, S8.9)', async () => {
    const [before, ...others] = await rows()
    expect(read(await clear(51), MessageAnswer)).toEqual({ message })
    expect(await rows()).toEqual([{ ...before, paid: 1, date_paid: someTime, version: 2 }, ...others])
    const { results } = read(await server().get('/api/v1/oms/all-invoices/'), Page(Invoice))
    expect(results.find(({ id }) => id === 51)).toMatchObject({
      amount: 2500.05,
      paid: true,
      over_due: false,
      date_paid: new Date(someTime).toISOString(),
      version: 2,
    })
  })

  test('moves its amount from pending to cash in hand, and does not change the revenue (S3.1; rulings, figures)', async () => {
    const figures = async () => read(await server().get('/api/v1/oms/analytics/'), Analytics)
    const before = await figures()
    expect(before).toMatchObject({
      cash_in_hand: 400,
      pending_reconciliation: 3500.05,
      total_revenue: 3900.05,
    })
    await clear(51)
    expect(await figures()).toEqual({ ...before, cash_in_hand: 2900.05, pending_reconciliation: 1000 })
    expect(await keptNumbers(server().engine.db)).toEqual(await recount(server().engine))
  })

  test('writes one audit row with command, record, changed fields, staff member, time and request', async () => {
    const answer = await clear(51)
    expect(await audit()).toEqual([
      {
        id: 1,
        at: someTime,
        staff_id: server().staff.id,
        command: 'invoice.clear',
        noun: 'invoice',
        record_id: 51,
        before: JSON.stringify({ paid: false, over_due: true, date_paid: null, version: 1 }),
        after: JSON.stringify({
          paid: true,
          over_due: false,
          date_paid: new Date(someTime).toISOString(),
          version: 2,
        }),
        request: 'POST /api/v1/oms/invoice/update/',
        request_id: answer.headers['x-request-id'],
      },
    ])
  })

  test('a second time, by any staff member, gets the same reply and changes nothing (S7.22; rulings, figures)', async () => {
    const { app, engine, clock } = server()
    const colleague = await signIn(app, await buildStaff(engine))
    await clear(51)
    const cleared = await state()
    clock.now += 60_000
    for (const headers of [{}, { 'idempotency-key': 'another' }, colleague])
      expect(read(await clear(51, headers), MessageAnswer)).toEqual({ message })
    expect(await state()).toEqual(cleared)
  })

  test('that is already paid keeps its payment date (S4.6)', async () => {
    const before = await state()
    expect(read(await clear(53), MessageAnswer).message).toBe('Invoice 53 of Amina Yusuf has been cleared.')
    expect(await state()).toEqual(before)
  })

  test.each([
    ['keys of their own', (nth: number): Record<string, string> => ({ 'idempotency-key': `key-${nth}` }), 0],
    ['one key', () => ({ 'idempotency-key': 'one-intent' }), 19],
    ['no key', () => ({}), 0],
  ])(
    'twenty times at the same time with %s makes one change (reliability 15)',
    async (_label, headers, replays) => {
      const answers = await Promise.all(twenty.map((nth) => clear(51, headers(nth))))
      for (const answer of answers) expect(read(answer, MessageAnswer)).toEqual({ message })
      expect(answers.filter((answer) => 'idempotency-replayed' in answer.headers)).toHaveLength(replays)
      expect(await audit()).toHaveLength(1)
      expect((await rows())[0]).toMatchObject({ paid: 1, date_paid: someTime })
      expect(await keptNumbers(server().engine.db)).toEqual(await recount(server().engine))
    },
  )

  test('several times at the same time for several invoices clears each one once (reliability 15)', async () => {
    const { engine } = server()
    for (let id = 101; id <= 110; id++) await buildInvoice(engine, { id, driver_id: 7, amount: id })
    const calls = twenty.flatMap((nth) => [101 + (nth % 10), 110 - (nth % 10)])
    const clearOnce = async (id: number) => {
      let answer = await clear(id)
      // On a busy machine no connection may be free in time. The call then changed nothing, so repeat it.
      while (answer.statusCode === 503) answer = await clear(id)
      return answer
    }
    for (const answer of await Promise.all(calls.map(clearOnce))) read(answer, MessageAnswer)
    const trail = (await audit()).map(({ record_id }) => record_id).toSorted((a, b) => a - b)
    expect(trail).toEqual(Array.from({ length: 10 }, (_, nth) => 101 + nth))
    expect(await keptNumbers(engine.db)).toEqual(await recount(engine))
  })

  test('with a repeated key gets the first reply; with the key of another invoice it gets 422 (reliability 17)', async () => {
    const key = { 'idempotency-key': 'one-intent' }
    const first = await clear(51, key)
    const again = await clear(51, key)
    expect([again.statusCode, again.body, again.headers['idempotency-replayed']]).toEqual([
      200,
      first.body,
      'true',
    ])
    const cleared = await state()
    readProblem(await clear(52, key), 422)
    expect(await state()).toEqual(cleared)
  })

  test.each([4711, Number.MAX_SAFE_INTEGER, 2 ** 53, 1e19, 1e300])(
    'with the unknown id %d gets 404 and changes nothing (S8.8; reliability 27)',
    async (id) => {
      const before = await state()
      readProblem(await clear(id), 404)
      expect(await state()).toEqual(before)
    },
  )

  test.each([
    ['{}', ['invoice_id']],
    ['{"invoice_id": null}', ['invoice_id']],
    ['{"invoice_id": "51"}', ['invoice_id']],
    ['{"invoice_id": 0}', ['invoice_id']],
    ['{"invoice_id": -51}', ['invoice_id']],
    ['{"invoice_id": 51.5}', ['invoice_id']],
    ['{"invoice_id": 1e400}', ['invoice_id']],
    ['{"invoice_id": [51]}', ['invoice_id']],
    ['{"invoice_id": {"id": 51}}', ['invoice_id']],
    ['{"invoice_id": true}', ['invoice_id']],
    ['{"invoice_id": 51, "paid": false}', ['paid']],
    ['{"invoice_id": 51, "amount": 0}', ['amount']],
    ['{"invoice_id": 51, "date_paid": null, "driver_id": 8}', ['date_paid', 'driver_id']],
    ['{"invoice_id": 51, "constructor": 1}', ['constructor']],
    ['{"id": 51}', ['id', 'invoice_id']],
    ['[]', ['body']],
    ['[51]', ['body']],
    ['null', ['body']],
    ['51', ['body']],
    ['"51"', ['body']],
    ['', ['body']],
  ])(
    'with the body %s gets 400 with errors for %j and changes nothing (reliability 27, 31)',
    async (body, fields) => {
      const before = await state()
      const { errors } = readProblem(await server().send(url, body), 400)
      expect(Object.keys(errors ?? {}).toSorted()).toEqual(fields)
      expect(await state()).toEqual(before)
    },
  )

  test.each([
    '{"invoice_id": 51, "__proto__": {"paid": true}}',
    '{"invoice_id": 51, "constructor": {"prototype": {"paid": true}}}',
    '{"invoice_id": NaN}',
    '{"invoice_id": 51',
  ])('with the invalid body %s gets 400 and changes nothing (reliability 31)', async (body) => {
    const before = await state()
    readProblem(await server().send(url, body), 400)
    expect(await state()).toEqual(before)
    expect({}).not.toHaveProperty('paid')
  })

  test('without a token or with a method other than POST changes nothing (S6.1)', async () => {
    const { app, headers } = server()
    const before = await state()
    const payload = { invoice_id: 51 }
    readProblem(await app.inject({ method: 'POST', url, payload }), 401)
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'] as const)
      expect((await app.inject({ method, url, headers, payload })).statusCode, method).toBe(404)
    expect(await state()).toEqual(before)
  })

  test('is the same call with and without the final slash, also for the Idempotency-Key (S7.1)', async () => {
    const key = { 'idempotency-key': 'one-intent' }
    await clear(51, key)
    const again = await server().send(url.slice(0, -1), { invoice_id: 51 }, key)
    expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([200, 'true'])
  })
})

describe.each(engines)('overdue invoices on %s', (name) => {
  const server = useServer(name)
  const overDue = async () =>
    read(await server().get('/api/v1/oms/all-invoices/'), Page(Invoice)).results.map(
      ({ over_due }) => over_due,
    )

  beforeEach(async () => {
    const { engine } = server()
    await buildDriver(engine, { id: 1 })
    await buildInvoice(engine, { driver_id: 1, grace_end_date: someTime })
    await buildInvoice(engine, { driver_id: 1, grace_end_date: someTime - 1, paid: 1 })
    await buildInvoice(engine, { driver_id: 1, grace_end_date: someTime + 60_000 })
  })

  test('an unpaid invoice is overdue from the end of its grace period (S3.9; rulings, figures)', async () => {
    expect(await overDue()).toEqual([false, false, false])
    server().clock.now += 1
    expect(await overDue()).toEqual([false, false, true])
    server().clock.now += 60_000
    expect(await overDue()).toEqual([true, false, true])
  })

  test('a cleared invoice is not overdue any more (S4.6, S3.9)', async () => {
    server().clock.now += 1
    const { results } = read(await server().get('/api/v1/oms/all-invoices/'), Page(Invoice))
    await server().send(url, { invoice_id: results[2]?.id })
    expect(await overDue()).toEqual([false, false, false])
  })
})
