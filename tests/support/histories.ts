import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, inject } from 'vitest'
import type { Engine } from '../../server/db/engine.ts'
import { migrate } from '../../server/db/migrate.ts'
import { openPostgres } from '../../server/db/postgres.ts'
import { buildDriver, buildStaff } from './factories.ts'
import { runOn } from './postgres.ts'
import { keptNumbers, recount } from './recount.ts'
import { bootApp, signIn } from './server.ts'

/** Changes of drivers that can be told from lost and doubled ones, for tests that kill servers. */

/** The requests for one driver (suspend and unfreeze alternately, one at a time), and which of them got a reply. */
export interface History {
  id: number
  sent: number
  acknowledged: number
}

/** Histories of this many drivers. */
export const newHistories = (drivers: number): History[] =>
  Array.from({ length: drivers }, (_, index) => ({ id: index + 1, sent: 0, acknowledged: 0 }))

/** Makes the tables, the drivers and a session, of which it returns the headers. Closes the engine. */
export async function prepare(engine: Engine, histories: History[]): Promise<{ authorization: string }> {
  await migrate(engine)
  for (const { id } of histories) await buildDriver(engine, { id, online: 1 })
  const app = await bootApp(engine)
  const headers = await signIn(app, await buildStaff(engine))
  await app.close()
  await engine.close()
  return headers
}

/** Sends the next change of a driver, or the last one again. Resolves to false if no reply was received. */
export async function ask(
  url: string,
  headers: { authorization: string },
  history: History,
): Promise<boolean> {
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

/** That no acknowledged change is lost, none is there twice, and all kept numbers are right. Closes the engine. */
export async function check(engine: Engine, histories: History[], when: string): Promise<void> {
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

/** A new PostgreSQL database. */
export async function newDatabase() {
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
