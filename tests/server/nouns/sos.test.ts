import { beforeEach, describe, expect, test } from 'vitest'
import { sos } from '../../../server/nouns/sos.ts'
import { MessageAnswer, Page, SosLog } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import { buildCustomer, buildDriver, buildSos, buildStaff, buildTrip } from '../../support/factories.ts'
import { read, readProblem, signIn, someTime, useServer } from '../../support/server.ts'
import { plansOnPostgres, plansOnSqlite, statementsOf } from '../../support/statements.ts'

describe.each(engines)('acknowledging an SOS log on %s', (name) => {
  const server = useServer(name)
  const send = (verb: string, headers?: Record<string, string>) =>
    server().post(`/api/v1/oms/sos/5/${verb}/`, headers)
  const audit = () => server().engine.db.selectFrom('audit').selectAll().orderBy('id').execute()
  const list = async (filter = '') =>
    read(await server().get(`/api/v1/oms/sos-lists/?filter=${filter}`), Page(SosLog)).results
  const handlingOf = async () =>
    (await list('id:5')).map(({ handled_at, handled_by }) => [handled_at, handled_by])

  beforeEach(async () => {
    const { engine } = server()
    await buildDriver(engine, { id: 1 })
    await buildCustomer(engine, { id: 2 })
    await buildTrip(engine, { id: 3, driver_id: 1, customer_id: 2 })
    await buildSos(engine, { id: 4, trip_id: 3 })
    await buildSos(engine, { id: 5, trip_id: 3 })
  })

  test('stores when and by whom, replies with a message, and writes one audit row', async () => {
    const answer = await send('acknowledge')
    const { id: staff_id, email } = server().staff
    expect(read(answer, MessageAnswer)).toEqual({ message: `SOS log 5 was acknowledged by ${email}.` })
    const handled_at = new Date(someTime).toISOString()
    expect(await handlingOf()).toEqual([[handled_at, email]])
    expect(await audit()).toMatchObject([
      {
        at: someTime,
        staff_id,
        command: 'sos.acknowledge',
        noun: 'sos',
        record_id: 5,
        before: JSON.stringify({ handled_at: null, handled_by: null, version: 1 }),
        after: JSON.stringify({ handled_at, handled_by: email, version: 2 }),
      },
    ])
  })

  test('a second time, by any staff member, keeps the first and gets the same reply', async () => {
    const { app, engine, clock } = server()
    const colleague = await signIn(app, await buildStaff(engine))
    const first = read(await send('acknowledge'), MessageAnswer)
    const handling = await handlingOf()
    clock.now += 60_000
    for (const headers of [{}, colleague, { ...colleague, 'idempotency-key': 'another' }])
      expect(read(await send('acknowledge', headers), MessageAnswer)).toEqual(first)
    expect(await handlingOf()).toEqual(handling)
    expect(await audit()).toHaveLength(1)
  })

  test('is undone by reopening, after which somebody else can acknowledge it', async () => {
    const { app, engine } = server()
    const staff = await buildStaff(engine)
    await send('acknowledge')
    expect(read(await send('reopen'), MessageAnswer)).toEqual({ message: 'SOS log 5 is new again.' })
    expect(await handlingOf()).toEqual([[null, null]])
    await send('acknowledge', await signIn(app, staff))
    expect(await handlingOf()).toEqual([[expect.any(String), staff.email]])
    expect((await audit()).map(({ command }) => command)).toEqual([
      'sos.acknowledge',
      'sos.reopen',
      'sos.acknowledge',
    ])
  })

  test('of an unknown SOS log replies 404 and changes nothing', async () => {
    const answer = await server().post('/api/v1/oms/sos/99/acknowledge/')
    expect(readProblem(answer, 404).message).toBe('There is no such SOS log.')
    expect(await audit()).toEqual([])
  })

  test('moves it from the new ones to the handled ones', async () => {
    const ids = async (filter: string) => (await list(filter)).map(({ id }) => id)
    expect([await ids('new'), await ids('handled')]).toEqual([[5, 4], []])
    await send('acknowledge')
    expect([await ids('new'), await ids('handled')]).toEqual([[4], [5]])
  })

  test.each(['new', 'handled'])('the filter %s is read by an index of its own', async (filter) => {
    const { engine } = server()
    await engine.db.updateTable('sos_logs').set({ handled_at: someTime }).where('id', '=', 5).execute()
    const query = { page: 1, page_size: 1, s: '', phone: '', ordering: '', filter }
    const statements = await statementsOf(engine, (asked) => sos.list.page(asked, query, someTime))
    const filtered = statements.filter((statement) => statement.sql.includes('handled_at is '))
    const plans = await (name === 'sqlite' ? plansOnSqlite : plansOnPostgres)(engine, filtered)
    expect(plans.join('\n')).toContain(`sos_logs_${filter}`)
  })

  test('the list has the ids of trip, driver and customer, and the nearest known place', async () => {
    const [log] = await list('id:5')
    expect(log).toMatchObject({
      near: { text: 'Near Nairobi Gallery', credit: '© OpenStreetMap contributors' },
      trip: { id: 3, driver: { id: 1 }, customer: { id: 2 } },
    })
  })
})
