import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import type { Engine } from '../../server/db/engine.ts'
import { runAll } from '../../server/db/engine.ts'
import { migrate } from '../../server/db/migrate.ts'
import { isUnavailable, openPostgres } from '../../server/db/postgres.ts'
import { openSqlite } from '../../server/db/sqlite.ts'
import type { TypedApp } from '../../server/deps.ts'
import { Analytics, MessageAnswer } from '../../src/api/contract.ts'
import { engines } from '../support/engines.ts'
import { buildDriver, buildStaff } from '../support/factories.ts'
import { templateDatabase } from '../support/global-setup.ts'
import type { PostgresProxy } from '../support/postgres-proxy.ts'
import { startPostgresProxy } from '../support/postgres-proxy.ts'
import { runOn } from '../support/postgres.ts'
import { bootApp, logIn, read, readProblem, signIn, useServer } from '../support/server.ts'

const suspend = '/api/v1/oms/driver/7/suspend/'

describe.each(engines)('an unexpected error on %s', (name) => {
  const server = useServer(name, { scope: 'boot' })

  test('gets 500 and a message without internal details (reliability 30)', async () => {
    const { engine, get } = server()
    await buildDriver(engine, { id: 7 })
    await sql`drop table driver_transactions`.execute(engine.db)
    const answer = await get('/api/v1/oms/drivers/7/transactions/')
    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toEqual({ message: 'The server failed to handle this request.' })
  })

  test('rolls back completely (reliability 19)', async () => {
    const { engine, post, get } = server()
    await buildDriver(engine, { id: 7 })
    await sql`drop table audit`.execute(engine.db)
    const before = (await get('/api/v1/oms/drivers/7')).body
    expect((await post(suspend, { 'idempotency-key': 'one' })).statusCode).toBe(500)
    expect((await get('/api/v1/oms/drivers/7')).body).toBe(before)
    expect(await engine.db.selectFrom('idempotency').selectAll().execute()).toEqual([])
    expect(read(await get('/api/v1/oms/analytics/'), Analytics).total_suspended_riders).toBe(0)
  })

  test('does not affect the next call', async () => {
    const { engine, get } = server()
    await buildDriver(engine, { id: 7 })
    await sql`drop table driver_transactions`.execute(engine.db)
    for (let nth = 0; nth < 20; nth++)
      expect((await get('/api/v1/oms/drivers/7/transactions/')).statusCode).toBe(500)
    expect((await get('/api/v1/oms/drivers/7/trips/')).statusCode).toBe(200)
  })
})

test('a database that is damaged while the server runs is logged with what to do, without a stack (reliability 33)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'oms-damaged-'))
  const file = join(folder, 'oms.db')
  const before = openSqlite(file)
  await migrate(before)
  const { email } = await buildStaff(before)
  for (let id = 1; id <= 200; id++) await buildDriver(before, { id })
  await before.close()
  // Opened again, so that the drivers are not in its memory.
  const engine = openSqlite(file)
  const lines: string[] = []
  const logStream = { write: (line: string) => void lines.push(line) }
  const app = await bootApp(engine, { logStream, config: { logLevel: 'error', dataFolder: folder } })
  const headers = await signIn(app, { email })
  const bytes = readFileSync(file)
  writeFileSync(file, Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 7)]))
  const answer = await app.inject({ url: '/api/v1/oms/drivers/?page_size=200', headers })
  expect(readProblem(answer, 500).message).toBe('The server failed to handle this request.')
  expect(lines.join()).not.toContain('\\n    at ')
  expect(lines.map((line) => Value.Parse(Type.Object({ msg: Type.String() }), JSON.parse(line)).msg)).toEqual(
    [
      `The database in ${folder} is damaged. To see how far: npm run check. To go back to a backup: npm run restore -- FILE, into an empty folder or database.`,
    ],
  )
  await app.close()
  await engine.close()
  rmSync(folder, { recursive: true })
})

describe('an unavailable PostgreSQL', () => {
  let proxy: PostgresProxy
  let engine: ReturnType<typeof openPostgres>
  let app: TypedApp
  let staff: Awaited<ReturnType<typeof buildStaff>>
  let headers: { authorization: string }
  const database = () => new URL(proxy.url).pathname.slice(1)

  beforeEach(async () => {
    const admin = inject('postgresUrl')
    const url = new URL(admin)
    url.pathname = `/test_${randomUUID().replaceAll('-', '')}`
    await runOn(
      admin,
      `create database ${url.pathname.slice(1)} template ${templateDatabase} strategy file_copy`,
    )
    proxy = await startPostgresProxy(url.href)
    engine = openPostgres(proxy.url)
    app = await bootApp(engine)
    staff = await buildStaff(engine)
    await buildDriver(engine, { id: 7 })
    headers = await signIn(app, staff)
  })
  afterEach(async () => {
    await app.close()
    await proxy.stop()
    await engine.close()
    await runOn(inject('postgresUrl'), `drop database ${database()} with (force)`)
    await proxy.remove()
  })

  const calls = () => [
    app.inject({ url: '/api/v1/oms/analytics/', headers }),
    app.inject({ url: '/api/v1/oms/drivers/?s=amina', headers }),
    app.inject({ url: '/api/v1/oms/drivers/7', headers }),
    app.inject({ method: 'POST', url: suspend, headers }),
    app.inject({ method: 'POST', url: '/api/v1/oms/logout/', headers }),
    logIn(app, staff),
  ]
  async function expectUnavailable() {
    for (const answer of await Promise.all(calls())) {
      const { message } = readProblem(answer, 503)
      expect(message).toBe('The database is not available. Try again later.')
      expect(answer.headers['retry-after']).toBe('1')
    }
  }
  async function expectHealed() {
    for (const answer of [
      await app.inject({ url: '/api/v1/oms/drivers/7', headers }),
      await app.inject({ method: 'POST', url: suspend, headers }),
      await logIn(app, staff),
    ])
      expect(answer.statusCode).toBe(200)
  }

  test('every call gets 503 with Retry-After while PostgreSQL is stopped, and works after its restart (reliability 22)', async () => {
    await proxy.stop()
    await expectUnavailable()
    expect((await app.inject('/healthz')).statusCode).toBe(200)
    await proxy.start()
    await expectHealed()
  })

  test('calls fail within two seconds if PostgreSQL accepts connections but never replies (reliability 22)', async () => {
    await proxy.stop()
    await proxy.startSilent()
    const start = performance.now()
    await expectUnavailable()
    expect(performance.now() - start).toBeLessThan(4_000)
    await proxy.stop()
    await proxy.start()
    await expectHealed()
  })

  test('calls fail while PostgreSQL hangs with open connections, but a slow statement does not (reliability 22)', async () => {
    const impatient = openPostgres(proxy.url, { use: 300, answer: 700, statement: 30_000 })
    const slow = sql`select pg_sleep(1)`.execute(impatient.db)
    const first = app
    app = await bootApp(impatient)
    const idle = Array.from({ length: 4 }, () => app.inject({ url: '/api/v1/oms/drivers/7', headers }))
    for (const { statusCode } of await Promise.all(idle)) expect(statusCode).toBe(200)
    await slow
    proxy.freeze()
    await expectUnavailable()
    proxy.thaw()
    await expectHealed()
    await app.close()
    await impatient.close()
    app = first
  })

  test('calls fail whose own process of PostgreSQL is stopped, before a statement or during it, and others do not (reliability 22)', async () => {
    const impatient = openPostgres(urlWithoutProxy(), { use: 400, answer: 2_000, statement: 2_000 })
    const first = app
    app = await bootApp(impatient)
    const call = () => app.inject({ url: '/api/v1/oms/drivers/7', headers })
    const outcomeOf = (work: Promise<unknown>) => work.then(() => 'answered', isUnavailable)
    const pids: number[] = []
    const stop = (pid = 0) => {
      pids.push(pid)
      process.kill(pid, 'SIGSTOP')
    }
    try {
      expect((await call()).statusCode).toBe(200)
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(impatient.db)
      stop(rows[0]?.pid)
      const start = performance.now()
      readProblem(await call(), 503)
      expect(performance.now() - start).toBeLessThan(10_000)
      expect((await call()).statusCode).toBe(200)

      const sleeping = outcomeOf(sql`select pg_sleep(60)`.execute(impatient.db))
      const direct = openPostgres(urlWithoutProxy())
      const { rows: active } = await vi.waitUntil(async () => {
        const answer = await sql<{ pid: number }>`
          select pid from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'`.execute(
          direct.db,
        )
        return answer.rows.length > 0 && answer
      })
      stop(active[0]?.pid)
      const unlimited = impatient.db.transaction().execute(async (trx) => {
        await runAll(trx, impatient.withoutTimeout)
        await sql`select pg_sleep(5)`.execute(trx)
      })
      expect(await sleeping).toBe(true)
      expect((await call()).statusCode).toBe(200)
      await unlimited
      await direct.close()
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT')
      await app.close()
      await impatient.close()
      app = first
    }
  })

  test('an interrupted change is rolled back and can be retried (reliability 19, 22)', async () => {
    const intent = {
      method: 'POST',
      url: suspend,
      headers: { ...headers, 'idempotency-key': 'one' },
    } as const
    const direct = openPostgres(urlWithoutProxy())
    const lock = await direct.db.startTransaction().execute()
    await lock.selectFrom('drivers').select('id').forUpdate().execute()
    const cut = app.inject(intent)
    await untilSomebodyWaits(direct)
    await proxy.stop()
    readProblem(await cut, 503)
    await lock.rollback().execute()
    await proxy.start()
    expect(await engine.db.selectFrom('audit').selectAll().execute()).toEqual([])
    const again = await app.inject(intent)
    read(again, MessageAnswer)
    expect(again.headers).not.toHaveProperty('idempotency-replayed')
    expect(await engine.db.selectFrom('audit').selectAll().execute()).toHaveLength(1)
    await direct.close()
  })

  function urlWithoutProxy(): string {
    const url = new URL(inject('postgresUrl'))
    url.pathname = `/${database()}`
    return url.href
  }
})

async function untilSomebodyWaits(engine: Engine): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const { rows } = await sql`select 1 from pg_locks where not granted`.execute(engine.db)
    if (rows.length > 0) return
    await wait(10)
  }
  throw new Error('No query waited for the lock.')
}

test('calls get 503 if PostgreSQL has never been available (reliability 22)', async () => {
  const engine = openPostgres('postgres://nobody@localhost:5432/none?host=/nonexistent/folder')
  const app = await bootApp(engine)
  const answer = await logIn(app, { email: 'a@b.test', password: 'x' })
  expect([readProblem(answer, 503), answer.headers['retry-after']]).toEqual([
    { message: 'The database is not available. Try again later.' },
    '1',
  ])
  await app.close()
  await engine.close()
})

describe('SQLite', () => {
  let folder: string
  let engine: ReturnType<typeof openSqlite>
  let app: TypedApp
  let headers: { authorization: string }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'oms-sqlite-'))
    engine = openSqlite(join(folder, 'oms.db'))
    await migrate(engine)
    app = await bootApp(engine)
    headers = await signIn(app, await buildStaff(engine))
    for (let id = 1; id <= 7; id++) await buildDriver(engine, { id })
  })
  afterEach(async () => {
    await app.close()
    await engine.close()
    rmSync(folder, { recursive: true })
  })

  const post = (verb: string, key?: string) =>
    app.inject({
      method: 'POST',
      url: `/api/v1/oms/driver/7/${verb}/`,
      headers: { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    })

  test('changes get 507 on a full disk, reads still work, and changes work when there is space again (reliability 21)', async () => {
    engine.raw.exec('pragma max_page_count = 1')
    let full = 0
    let done = 0
    for (let nth = 0; nth < 2000 && full < 10; nth++) {
      const answer = await post(nth % 2 ? 'unfreeze' : 'suspend', `${'k'.repeat(190)}${nth}`)
      if (answer.statusCode === 200) done++
      else {
        full++
        expect(readProblem(answer, 507)).toEqual({ message: 'The server has no disk space left.' })
      }
    }
    expect(full).toBe(10)
    const trail = await engine.db.selectFrom('audit').selectAll().execute()
    expect(trail.length).toBeLessThanOrEqual(done)
    for (const url of ['analytics/', 'drivers/', 'drivers/7', 'drivers/7/trips/', 'drivers/?s=person'])
      expect((await app.inject({ url: `/api/v1/oms/${url}`, headers })).statusCode, url).toBe(200)
    expect(engine.raw.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])

    engine.raw.exec('pragma max_page_count = 4294967294')
    for (const verb of ['suspend', 'unfreeze', 'suspend'])
      read(await post(verb, `after-${verb}`), MessageAnswer)
  })

  test('changes get 503 with Retry-After while another program locks the file, and reads still work (reliability 20)', async () => {
    engine.raw.exec('pragma busy_timeout = 1')
    const other = new DatabaseSync(join(folder, 'oms.db'))
    other.exec('begin immediate')
    const answer = await post('suspend', 'one')
    readProblem(answer, 503)
    expect(answer.headers['retry-after']).toBe('1')
    expect((await app.inject({ url: '/api/v1/oms/drivers/', headers })).statusCode).toBe(200)
    other.exec('rollback')
    other.close()
    read(await post('suspend', 'one'), MessageAnswer)
    expect(await engine.db.selectFrom('audit').selectAll().execute()).toHaveLength(1)
  })
})
