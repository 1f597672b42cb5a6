import Fastify from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Engine } from '../../../server/db/engine.ts'
import { lanes } from '../../../server/db/lanes.ts'
import { quickTime, slowLanes } from '../../../server/db/postgres-searches.ts'
import { noPagesAhead } from '../../../server/db/postgres.ts'
import { rememberRequests } from '../../../server/waiting.ts'
import { openTestEngine } from '../../support/engines.ts'

let engine: Engine
beforeAll(async () => {
  engine = await openTestEngine('postgres')
})
afterAll(() => engine.close())

const sleeping = (seconds: number) => sql`select pg_sleep(${seconds})`.execute(engine.searching)
/** How many searches PostgreSQL has run for so many milliseconds or longer. */
const running = async (time = 0) => {
  const { rows } =
    await sql`select 1 from pg_stat_activity where query like 'select pg_sleep(%' and state = 'active'
    and datname = current_database() and extract(epoch from now() - query_start) * 1000 >= ${time}`.execute(
      engine.db,
    )
  return rows.length
}
/** Until as many run as can of those that have been found to take long. */
const untilSlow = () =>
  vi.waitUntil(async () => (await running(quickTime * 1.5)) === slowLanes, { timeout: 20_000 })

test('lists, changes and quick searches are answered while more searches take long than there are connections (reliability 34)', async () => {
  let answered = 0
  const long = Array.from({ length: 12 }, () => sleeping(1).then(() => answered++))
  await untilSlow()
  await engine.db.updateTable('drivers').set({ busy: 1 }).execute()
  await sql`select count(*) from trips`.execute(engine.reading)
  await sleeping(0)
  expect(answered).toBeLessThan(8)
  expect(await running()).toBeLessThanOrEqual(slowLanes + 3)
  await Promise.all(long)
  expect(answered).toBe(12)
})

test('a search that takes longer than a first try is answered in full', async () => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from generate_series(1, 3), pg_sleep(${(2 * quickTime) / 1000})`.execute(
    engine.searching,
  )
  expect(rows).toEqual([{ n: 3 }])
})

test('a search runs in one process, also after its first try (reliability 34)', async () => {
  for (const seconds of [0, (2 * quickTime) / 1000]) {
    const { rows } = await sql`
      select current_setting('max_parallel_workers_per_gather') as workers from pg_sleep(${seconds})`.execute(
      engine.searching,
    )
    expect(rows).toEqual([{ workers: '0' }])
  }
})

test('a search reads no pages ahead before PostgreSQL 18, unless somebody has set how many (reliability 34)', async () => {
  await engine.db.connection().execute(async (db) => {
    const run = (statement: string) => sql.raw(statement).execute(db)
    const pagesAhead = async () => {
      const { rows } = await sql<{ effective_io_concurrency: string }>`show effective_io_concurrency`.execute(
        db,
      )
      return rows[0]?.effective_io_concurrency
    }
    const usual = await pagesAhead()
    expect(usual).not.toBe('0')
    const { rows } = await sql<{ version: number }>`
      select current_setting('server_version_num')::int as version`.execute(db)
    const version = rows[0]?.version ?? 0
    try {
      await run(noPagesAhead(version))
      expect(await pagesAhead()).toBe(usual)
      await run(noPagesAhead(version + 1))
      expect(await pagesAhead()).toBe('0')
      await run('set effective_io_concurrency = 3')
      await run(noPagesAhead(version + 1))
      expect(await pagesAhead()).toBe('3')
    } finally {
      await run('reset effective_io_concurrency')
    }
  })
})

test('each connection of the searches begins with the statement about pages ahead (reliability 34)', async () => {
  const other = await openTestEngine('postgres')
  onTestFinished(() => other.close())
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  // On two connections: one of the first tries, and one of the searches that take longer.
  await sql`select pg_sleep(${(2 * quickTime) / 1000})`.execute(other.searching)
  const first = new Map<unknown, unknown>()
  for (const [at, client] of sent.mock.contexts.entries())
    if (!first.has(client)) first.set(client, sent.mock.calls[at]?.[0])
  expect([...first.values()]).toEqual([noPagesAhead(), noPagesAhead()])
})

test('a search that has just needed longer is not tried first again', async () => {
  await sql`create sequence runs`.execute(engine.db)
  const search = async (seconds: number) => {
    await sql`select nextval('runs'), pg_sleep(${seconds})`.execute(engine.searching)
    const { rows } = await sql<{ n: number }>`select last_value as n from runs`.execute(engine.db)
    return rows[0]?.n
  }
  const long = (2 * quickTime) / 1000
  expect(await search(long)).toBe(2)
  expect(await search(long)).toBe(3)
  expect(await search(0)).toBe(4)
  expect(await search(long + 0.001)).toBe(6)
})

test('the error of a wrong statement is that of PostgreSQL, and the next search is answered', async () => {
  await expect(sql`select * from nowhere`.execute(engine.searching)).rejects.toMatchObject({ code: '42P01' })
  const late = sql`select 1 / (select 0 from pg_sleep(${(2 * quickTime) / 1000}))`.execute(engine.searching)
  await expect(late).rejects.toMatchObject({ code: '22012' })
  await sleeping(0)
})

test('a search is cancelled when its client goes away, and not run if it still waits for its turn (reliability 24)', async () => {
  const app = Fastify({ forceCloseConnections: true })
  rememberRequests(app)
  const outcomes: string[] = []
  app.get('/', async () => {
    await sleeping(60).catch((error: unknown) => outcomes.push(String(error)))
    return {}
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const leaving = new AbortController()
  const left = Array.from({ length: slowLanes + 2 }, () =>
    fetch(address, { signal: leaving.signal }).catch(() => 'left'),
  )
  await untilSlow()
  leaving.abort()
  expect(new Set(await Promise.all(left))).toEqual(new Set(['left']))
  await vi.waitUntil(() => outcomes.length === slowLanes + 2, { timeout: 20_000 })
  expect(await running()).toBe(0)
  expect(outcomes.filter((one) => one.includes('closed the connection'))).toHaveLength(slowLanes + 2)
  // The connections of cancelled searches are not used again, and others are opened.
  await sleeping((2 * quickTime) / 1000)
  await app.close()
})

test('a search whose client goes away during the first try is not tried again (reliability 24)', async () => {
  const app = Fastify({ forceCloseConnections: true })
  rememberRequests(app)
  const outcomes: string[] = []
  app.get('/', async () => {
    await sleeping(61).catch((error: unknown) => outcomes.push(String(error)))
    return {}
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const leaving = new AbortController()
  const left = fetch(address, { signal: leaving.signal }).catch(() => 'left')
  await vi.waitUntil(async () => (await running()) === 1, { interval: 5 })
  leaving.abort()
  expect(await left).toBe('left')
  await vi.waitUntil(() => outcomes.length === 1, { timeout: 5_000 })
  expect(outcomes[0]).toContain('closed the connection')
  expect(await running()).toBe(0)
  await app.close()
})

test('things that wait for their turn are done in their order, and all fail when the database has gone away', async () => {
  const inTurn = lanes(2, (error) => String(error).includes('away'))
  const done: string[] = []
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>()
  const start = (name: string) => {
    return inTurn(() => {
      done.push(name)
      return new Promise<void>((resolve, reject) => ends.set(name, { resolve, reject }))
    }).catch((error: unknown) => done.push(`${name}: ${String(error)}`))
  }
  const all = ['a', 'b', 'c', 'd', 'e', 'f'].map(start)
  await vi.waitUntil(() => done.length === 2)
  ends.get('b')?.resolve()
  await vi.waitUntil(() => done.length === 3)
  ends.get('a')?.reject(new Error('of a only'))
  await vi.waitUntil(() => done.length === 5)
  expect(done).toEqual(['a', 'b', 'c', 'd', 'a: Error: of a only'])
  ends.get('c')?.reject(new Error('away'))
  ends.get('d')?.resolve()
  await Promise.all(all)
  expect(done.slice(5).sort()).toEqual(['c: Error: away', 'e: Error: away', 'f: Error: away'])
  const last = start('g')
  ends.get('g')?.resolve()
  await last
  expect(done.at(-1)).toBe('g')
})
