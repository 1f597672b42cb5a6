import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import type { Engine } from '../../server/db/engine.ts'
import { migrate } from '../../server/db/migrate.ts'
import { openPostgres } from '../../server/db/postgres.ts'
import { forgetHeartbeats, openReplica } from '../../server/db/replica.ts'
import type { TypedApp } from '../../server/deps.ts'
import { emptyTables } from '../support/engines.ts'
import { buildDriver, buildInvoice, buildStaff, buildTrip } from '../support/factories.ts'
import { install } from '../support/installation.ts'
import { runOn, startPostgres } from '../support/postgres.ts'
import { bootApp, signIn, someTime } from '../support/server.ts'
import { readWorkbook } from '../support/xlsx.ts'

type Postgres = Awaited<ReturnType<typeof startPostgres>>

const oms = '/api/v1/oms/'
let main: Postgres
let standby: Postgres
let url: string
let engine: Engine
let copyUrl: string
beforeAll(async () => {
  // Beside the PostgreSQL of the other tests.
  const folder = new URL(inject('postgresUrl')).searchParams.get('host') ?? ''
  main = await startPostgres(dirname(folder))
  url = await main.createDatabase()
  engine = openPostgres(url)
  await migrate(engine)
  standby = await main.startReplica()
  copyUrl = standby.url(new URL(url).pathname.slice(1))
})
afterAll(async () => {
  await engine.close()
  await standby.stop()
  await main.stop()
})

const onStandby = (statement: string) => runOn(standby.url('postgres'), statement)
/** The replica stays as it is until `thaw`. */
const freeze = () => onStandby('select pg_wal_replay_pause()')
const thaw = () => onStandby('select pg_wal_replay_resume()')
/** Until the replica has everything that was committed before. */
async function caughtUp(copy: Engine): Promise<void> {
  const { rows } = await sql<{ lsn: string }>`select pg_current_wal_insert_lsn()::text as lsn`.execute(
    engine.db,
  )
  const lsn = rows[0]?.lsn ?? ''
  await vi.waitFor(
    async () => {
      const { rows } = await sql<{ done: boolean }>`
        select pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn as done`.execute(copy.db)
      expect(rows[0]?.done).toBe(true)
    },
    { timeout: 20_000 },
  )
}

describe('with a replica', () => {
  let app: TypedApp
  let replica: ReturnType<typeof openReplica>
  let log: string[]
  let [own, other] = [{ authorization: '' }, { authorization: '' }]
  let driver: { id: number }
  beforeEach(async () => {
    await emptyTables(engine)
    const [first, second] = [await buildStaff(engine), await buildStaff(engine)]
    driver = await buildDriver(engine, { fullname: 'Jo Kamau' })
    await buildTrip(engine, { driver_id: driver.id })
    await buildInvoice(engine, { driver_id: driver.id })
    log = []
    await begin({ period: 50, most: 60_000 })
    own = await signIn(app, first)
    other = await signIn(app, second)
    await caughtUp(replica.engine)
  })
  afterEach(async () => {
    await thaw()
    await app.close()
    await replica.close()
  })
  const begin = async (pace: { period: number; most: number }) => {
    replica = openReplica(engine, copyUrl, pace)
    app = await bootApp(engine, { replica, now: () => someTime })
    const tell = (...told: unknown[]) => log.push(String(told.at(-1)))
    replica.follow({ info: tell, warn: tell })
    await vi.waitFor(() => expect(replica.isNear()).toBe(true), { timeout: 20_000 })
  }
  const get = async (path: string, headers = other) => (await app.inject({ url: oms + path, headers })).body
  const isSuspended = async (headers: typeof own) => /"deleted":true/.test(await get('drivers/', headers))
  const suspend = (headers: typeof own) =>
    app.inject({ method: 'POST', url: `${oms}driver/${driver.id}/suspend/`, headers })

  test('lists, searches and figures are read from it, and records from the main database', async () => {
    const paths = ['drivers/', 'trips/?filter=completed', 'drivers/?s=kamau', `drivers/${driver.id}/trips/`]
    paths.push('search/?q=kamau', 'analytics/', 'counts/', 'trends/', 'all-invoices/?ordering=amount')
    const before = await Promise.all(paths.map((path) => get(path)))
    await freeze()
    const added = await buildDriver(engine, { fullname: 'Wanja Kamau' })
    await buildTrip(engine, { driver_id: driver.id, created_at: someTime })
    await buildInvoice(engine, { driver_id: driver.id })
    expect(await Promise.all(paths.map((path) => get(path)))).toEqual(before)
    expect(await get(`drivers/${added.id}`)).toContain('Wanja Kamau')

    const withoutReplica = await bootApp(engine, { now: () => someTime })
    const after = await Promise.all(
      paths.map((path) => withoutReplica.inject({ url: oms + path, headers: other })),
    )
    await withoutReplica.close()
    for (const [at, path] of paths.entries()) expect(after[at]?.body, path).not.toBe(before[at])
  })

  test('exports are read from it', async () => {
    await freeze()
    await buildDriver(engine, { fullname: 'Wanja Kamau' })
    const file = await app.inject({ url: `${oms}drivers-export-excel/`, headers: other })
    const texts = readWorkbook(file.rawPayload).sheets.flatMap(({ rows }) => rows.flat())
    expect(texts).toContain('Jo Kamau')
    expect(texts).not.toContain('Wanja Kamau')
  })

  test('who has changed something sees it at once, and the others as soon as the replica has it', async () => {
    await freeze()
    expect((await suspend(own)).statusCode).toBe(200)
    expect(await isSuspended(own)).toBe(true)
    expect(await isSuspended(other)).toBe(false)
    await thaw()
    await caughtUp(replica.engine)
    expect(await isSuspended(other)).toBe(true)

    // The replica has the change, so it answers again.
    await freeze()
    await buildDriver(engine, { fullname: 'Wanja Kamau' })
    expect(await get('drivers/', own)).not.toContain('Wanja')
  })

  test('who made two changes at the same time sees both, also if the replica has only the later one', async () => {
    const second = await buildDriver(engine)
    const held = openPostgres(url)
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    // A transaction that took the first number of the audit and ends after the second one.
    const { id } = await engine.db.selectFrom('staff').select('id').orderBy('id').executeTakeFirstOrThrow()
    const slow = held.db.transaction().execute(async (trx) => {
      await trx
        .insertInto('audit')
        .values({
          ...{ at: someTime, staff_id: id, command: 'driver.suspend', noun: 'driver', record_id: driver.id },
          ...{ before: null, after: '{}', request: null, request_id: 'slow' },
        })
        .execute()
      await trx.updateTable('drivers').set({ deleted: 1 }).where('id', '=', driver.id).execute()
      await released
    })
    await vi.waitFor(async () => {
      const { rows } = await sql`select 1 from pg_stat_activity where state = 'idle in transaction'
        and datname = current_database()`.execute(engine.db)
      expect(rows).toHaveLength(1)
    })
    await app.inject({ method: 'POST', url: `${oms}driver/${second.id}/suspend/`, headers: own })
    await caughtUp(replica.engine)
    await freeze()
    release()
    await slow
    expect((await get('drivers/', own)).match(/"deleted":true/g)).toHaveLength(2)
    await held.close()
  })

  test('a replica that is too far behind is not used until it has caught up, and the log says both', async () => {
    await app.close()
    await replica.close()
    await begin({ period: 50, most: 1_000 })
    await freeze()
    await buildDriver(engine, { fullname: 'Wanja Kamau' })
    expect(await get('drivers/')).not.toContain('Wanja')
    await vi.waitFor(() => expect(replica.isNear()).toBe(false), { timeout: 20_000 })
    expect(await get('drivers/')).toContain('Wanja')
    await vi.waitFor(() => expect(log.at(-1)).toMatch(/^the replica is not used/), { timeout: 20_000 })
    await thaw()
    await vi.waitFor(() => expect(log.at(-1)).toBe('reads go to the replica'), { timeout: 20_000 })
    expect(await get('drivers/')).toContain('Wanja')
  })

  test('a database that is no replica of the main one is never used', async () => {
    const stranger = openPostgres(await main.createDatabase())
    await migrate(stranger)
    await stranger.db
      .insertInto('heartbeats')
      .values({ server: 'of another installation', at: Date.now() })
      .execute()
    const { database } = (
      await sql<{ database: string }>`select current_database() as database`.execute(stranger.db)
    ).rows[0] ?? { database: '' }
    const wrong = openReplica(engine, main.url(database), { period: 20, most: 300 })
    const told: string[] = []
    const tell = (...lines: unknown[]) => told.push(String(lines.at(-1)))
    wrong.follow({ info: tell, warn: tell })
    await vi.waitFor(() => expect(told).toHaveLength(1), { timeout: 20_000 })
    expect(told[0]).toMatch(/no replica of DATABASE_URL/)
    expect(wrong.isNear()).toBe(false)
    await wrong.close()
    await stranger.close()
  })

  test('a statement that takes too long is not asked again of the main database, a lost connection is', async () => {
    const slow = replica.engine.db.transaction().execute(async (trx) => {
      await sql`set local statement_timeout = 10`.execute(trx)
      await sql`select pg_sleep(60)`.execute(trx)
    })
    expect(replica.hasFailed(await slow.catch((error: unknown) => error))).toBe(false)
    const wrong = sql`select 1 from no_such_table`.execute(replica.engine.db)
    expect(replica.hasFailed(await wrong.catch((error: unknown) => error))).toBe(false)
    const lost = sql`select pg_terminate_backend(pg_backend_pid())`.execute(replica.engine.db)
    expect(replica.hasFailed(await lost.catch((error: unknown) => error))).toBe(true)
  })

  test('a server that stops removes its heartbeat, and heartbeats of killed servers are removed after a day', async () => {
    const heartbeats = async () =>
      (await engine.db.selectFrom('heartbeats').select('server').execute()).length
    expect(await heartbeats()).toBe(1)
    await forgetHeartbeats(engine.db, Date.now() + 23 * 60 * 60_000)
    expect(await heartbeats()).toBe(1)
    await replica.close()
    expect(await heartbeats()).toBe(0)
    await engine.db.insertInto('heartbeats').values({ server: 'killed', at: Date.now() }).execute()
    await forgetHeartbeats(engine.db, Date.now() + 25 * 60 * 60_000)
    expect(await heartbeats()).toBe(0)
    await begin({ period: 50, most: 60_000 })
  })
})

test('a server with DATABASE_READ_URL says how far its replica is behind, and answers without it when it stops', async () => {
  const installed = install()
  const copy = await main.startReplica()
  const database = new URL(url).pathname.slice(1)
  await emptyTables(engine)
  const staff = await buildStaff(engine)
  await buildDriver(engine, { fullname: 'Jo Kamau' })
  const server = await installed.start({
    ...{ OMS_DATA: installed.newFolder(), DATABASE_URL: url, DATABASE_READ_URL: copy.url(database) },
  })
  const lag = async () =>
    Number(/^oms_replica_lag_seconds (\S+)$/m.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1])
  await vi.waitFor(async () => expect(await lag()).toBeLessThan(5), { timeout: 20_000 })
  await vi.waitFor(() => expect(server.output()).toContain('reads go to the replica'), { timeout: 20_000 })

  const probe = await bootApp(engine)
  const headers = await signIn(probe, staff)
  await probe.close()
  const drivers = async () => {
    const answer = await fetch(`${server.url}${oms}drivers/`, { headers })
    return [answer.status, /Jo Kamau/.test(await answer.text())]
  }
  expect(await drivers()).toEqual([200, true])
  await copy.stop()
  for (let time = 0; time < 10; time++) {
    expect(await drivers()).toEqual([200, true])
    await wait(20)
  }
  expect(await server.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' })
  expect((await engine.db.selectFrom('heartbeats').selectAll().execute()).length).toBe(0)
  await installed.remove()
})
