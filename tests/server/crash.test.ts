import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Engine } from '../../server/db/engine.ts'
import { migrate } from '../../server/db/migrate.ts'
import { openPostgres } from '../../server/db/postgres.ts'
import { openSqlite } from '../../server/db/sqlite.ts'
import { engines } from '../support/engines.ts'
import { buildDriver, buildStaff } from '../support/factories.ts'
import type { Installation, RunningServer } from '../support/installation.ts'
import { install } from '../support/installation.ts'
import { runOn } from '../support/postgres.ts'
import { keptNumbers, recount } from '../support/recount.ts'
import { bootApp, signIn } from '../support/server.ts'
import { repeats } from '../support/soak.ts'

const clients = 8
const driversEach = 3
const rounds = { sqlite: repeats(3, 30), postgres: repeats(2, 10) }

/** The requests for one driver (suspend and unfreeze alternately, one at a time), and which of them got a reply. */
interface History {
  id: number
  sent: number
  acknowledged: number
}

describe.each(engines)('a server on %s that is killed repeatedly', (name) => {
  let installed: Installation
  let place: { env: Record<string, string>; open: () => Engine; remove: () => Promise<void> }
  beforeAll(async () => {
    installed = install()
    place = name === 'sqlite' ? newFile(installed) : await newDatabase()
  })
  afterAll(async () => {
    await installed.remove()
    await place.remove()
  })

  test('loses no acknowledged change, makes no change twice and keeps its counters correct (reliability 16, 17, 19)', async () => {
    const histories = Array.from({ length: clients * driversEach }, (_, index): History => {
      return { id: index + 1, sent: 0, acknowledged: 0 }
    })
    const headers = await prepare(place.open(), histories)
    const moments = fc.sample(
      fc.record({ answers: fc.integer({ min: 1, max: 90 }), delay: fc.integer({ min: 0, max: 4 }) }),
      { numRuns: rounds[name], seed: 1930 },
    )
    for (const [round, moment] of moments.entries()) {
      const server = await installed.start({ ...place.env, OMS_LOG: 'silent' })
      if (name === 'sqlite') await check(place.open(), histories, `before round ${round}`)
      await killAt(server, moment, (answered) =>
        Promise.all(
          Array.from({ length: clients }, (_, client) =>
            work(
              server.url,
              headers,
              histories.filter(({ id }) => id % clients === client),
              answered,
            ),
          ),
        ),
      )
      if (name === 'postgres') await check(place.open(), histories, `after round ${round}`)
    }
    const server = await installed.start(place.env)
    for (const history of histories) await ask(server.url, headers, history)
    await server.end('SIGTERM')
    for (const { id, sent, acknowledged } of histories) expect(acknowledged, `driver ${id}`).toBe(sent)
    await check(place.open(), histories, 'at the end')
    expect(histories.reduce((sum, { acknowledged }) => sum + acknowledged, 0)).toBeGreaterThan(
      rounds[name] * 10,
    )
  }, 300_000)
})

async function prepare(engine: Engine, histories: History[]): Promise<{ authorization: string }> {
  await migrate(engine)
  for (const { id } of histories) await buildDriver(engine, { id, online: 1 })
  const app = await bootApp(engine)
  const headers = await signIn(app, await buildStaff(engine))
  await app.close()
  await engine.close()
  return headers
}

/** Runs the clients and kills the server after the given number of replies and milliseconds. */
async function killAt(
  server: RunningServer,
  moment: { answers: number; delay: number },
  run: (answered: () => void) => Promise<unknown>,
): Promise<void> {
  let answers = 0
  const working = run(() => {
    if (++answers === moment.answers)
      void wait(moment.delay).then(() => {
        server.signal('SIGKILL')
      })
  })
  expect(await server.ended).toMatchObject({ signal: 'SIGKILL', stderr: '' })
  await working
}

/** Sends one change after the other until the server is killed. The next round repeats the change without a reply. */
async function work(
  url: string,
  headers: { authorization: string },
  histories: History[],
  answered: () => void,
): Promise<void> {
  for (let nth = 0; ; nth++) {
    const history = histories[nth % histories.length]
    if (!history || !(await ask(url, headers, history))) return
    answered()
  }
}

/** Resolves to false if no reply was received. */
async function ask(url: string, headers: { authorization: string }, history: History): Promise<boolean> {
  const nth = history.acknowledged
  const verb = nth % 2 === 0 ? 'suspend' : 'unfreeze'
  history.sent = nth + 1
  let answer: { status: number; body: string }
  try {
    const response = await fetch(`${url}/api/v1/oms/driver/${history.id}/${verb}/`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': `${history.id}-${nth}` },
    })
    answer = { status: response.status, body: await response.text() }
  } catch {
    return false
  }
  expect(answer.status, answer.body).toBe(200)
  expect(answer.body).toContain(nth % 2 === 0 ? 'has been suspended' : 'has been unsuspended')
  history.acknowledged = history.sent
  return true
}

async function check(engine: Engine, histories: History[], when: string): Promise<void> {
  try {
    if (engine.name === 'sqlite')
      expect((await sql`pragma integrity_check`.execute(engine.db)).rows, when).toEqual([
        { integrity_check: 'ok' },
      ])
    else await untilAlone(engine)
    const trail = await engine.db.selectFrom('audit').selectAll().orderBy('id').execute()
    const drivers = await engine.db.selectFrom('drivers').select(['id', 'deleted']).orderBy('id').execute()
    const keys = await engine.db.selectFrom('idempotency').select(['key', 'status']).execute()
    for (const { id, sent, acknowledged } of histories) {
      const what = `driver ${id} ${when}`
      const commands = trail.filter(({ record_id }) => record_id === id).map(({ command }) => command)
      expect(commands, what).toEqual(
        commands.map((_, nth) => (nth % 2 ? 'driver.unsuspend' : 'driver.suspend')),
      )
      expect(commands.length, what).toBeGreaterThanOrEqual(acknowledged)
      expect(commands.length, what).toBeLessThanOrEqual(sent)
      expect(drivers.find((driver) => driver.id === id)?.deleted, what).toBe(commands.length % 2)
      const kept = keys.filter(({ key }) => key.startsWith(`${id}-`))
      expect(
        kept.map(({ status }) => status),
        what,
      ).toEqual(commands.map(() => 200))
    }
    expect(await keptNumbers(engine.db), when).toEqual(await recount(engine))
  } finally {
    await engine.close()
  }
}

/** Waits until PostgreSQL has ended the connections of the killed server. */
async function untilAlone(engine: Engine): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(engine.db)
    if (rows.length === 0) return
    await wait(10)
  }
  throw new Error('PostgreSQL did not end the connections of a killed server.')
}

function newFile(installed: Installation) {
  const folder = installed.newFolder()
  return {
    env: { OMS_DATA: folder },
    open: () => openSqlite(join(folder, 'oms.db')),
    remove: () => Promise.resolve(),
  }
}

async function newDatabase() {
  const admin = inject('postgresUrl')
  const database = `test_${randomUUID().replaceAll('-', '')}`
  await runOn(admin, `create database ${database}`)
  const url = new URL(admin)
  url.pathname = `/${database}`
  return {
    env: { DATABASE_URL: url.href },
    open: () => openPostgres(url.href),
    remove: () => runOn(admin, `drop database ${database} with (force)`),
  }
}
