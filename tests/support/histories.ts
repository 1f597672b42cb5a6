import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, inject } from 'vitest'
import { checkDatabase } from '../../server/check/database.ts'
import type { Engine } from '../../server/db/engine.ts'
import { migrate } from '../../server/db/migrate.ts'
import { openPostgres } from '../../server/db/postgres.ts'
import { nouns } from '../../server/nouns.ts'
import { buildCustomer, buildStaff } from './factories.ts'
import type { Work } from './mixed-work.ts'
import { works } from './mixed-work.ts'
import { runOn } from './postgres.ts'
import { keptNumbers, recount } from './recount.ts'
import { bootApp, signIn } from './server.ts'

/** Changes of all kinds that can be told from lost and doubled ones, for tests that kill servers. */

/** Changes of one kind, sent one at a time, and how many of them got a reply. */
export interface History {
  /** `blog-2`; its keys, and the texts of the records that it creates, begin with it. */
  name: string
  work: Work
  /** The id of its first record; of records that it creates, the id of the last one. */
  id: number
  sent: number
  acknowledged: number
}

/** So many histories of each kind of work. */
export const newHistories = (each: number): History[] =>
  works.flatMap((work) =>
    Array.from({ length: each }, (_, index) => ({
      name: `${work.noun}-${index}`,
      work,
      id: 1 + index * work.records,
      sent: 0,
      acknowledged: 0,
    })),
  )

/** Makes the tables, the records and a session, of which it returns the headers. Closes the engine. */
export async function prepare(engine: Engine, histories: History[]): Promise<{ authorization: string }> {
  await migrate(engine)
  if (engine.name === 'postgres') await sql`create extension amcheck`.execute(engine.db)
  await engine.db.transaction().execute(async (db) => {
    const inside = { ...engine, db }
    await buildCustomer(inside, { id: 11 })
    for (const { id, work } of histories)
      for (let nth = 0; nth < work.records; nth++) await work.build(inside, id + nth)
  })
  const app = await bootApp(engine)
  const headers = await signIn(app, await buildStaff(engine))
  await app.close()
  await engine.close()
  return headers
}

/** Sends the next change of a history, or the last one again. Resolves to false if no reply was received. */
export async function ask(
  url: string,
  headers: { authorization: string },
  history: History,
): Promise<boolean> {
  const { name, work, id, acknowledged: nth } = history
  const { path, body, reply } = work.change(name, nth, id)
  history.sent = nth + 1
  let answer: { status: number; body: string }
  try {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: {
        ...headers,
        'idempotency-key': `${name}-${nth}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    answer = { status: response.status, body: await response.text() }
  } catch {
    return false
  }
  expect(answer.status, `${name}-${nth} ${answer.body}`).toBe(200)
  expect(answer.body).toContain(reply)
  history.acknowledged = history.sent
  if (work.records === 0) history.id = Number(/^\{"id":(\d+),/.exec(answer.body)?.[1])
  return true
}

/** Whether a reply was received; it must show the last acknowledged change, also one that another server made. */
export async function isShown(
  url: string,
  headers: { authorization: string },
  { name, work, id, acknowledged }: History,
): Promise<boolean> {
  try {
    const { record, shown } = work.change(name, acknowledged - 1, id)
    const address = `${url}${work.list}?filter=id:${work.records > 0 ? id + record : id}`
    const response = await fetch(address, { headers })
    const text = await response.text()
    expect(response.status, text).toBe(200)
    expect(text.includes(shown.text), `${name}-${acknowledged - 1} ${text}`).toBe(shown.is)
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/**
 * That no acknowledged change is lost, none is there twice, all kept numbers are right, and the database finds nothing wrong
 * with its pages and indexes. Closes the engine.
 */
export async function check(engine: Engine, histories: History[], when: string): Promise<void> {
  try {
    if (engine.name === 'postgres') await untilAlone(engine)
    for await (const finding of checkDatabase(engine)) expect(finding, when).toBeUndefined()
    const trail = await engine.db.selectFrom('audit').selectAll().orderBy('id').execute()
    const keys = await engine.db.selectFrom('idempotency').select(['key', 'status']).execute()
    let known = 0
    for (const work of works) {
      const rows = await rowsOf(engine, work)
      for (const history of histories.filter((one) => one.work === work)) {
        const { name, sent, acknowledged } = history
        const what = `${name} ${when}`
        const made = keys.filter(({ key }) => key.startsWith(`${name}-`))
        expect(made.length, what).toBeGreaterThanOrEqual(acknowledged)
        expect(made.length, what).toBeLessThanOrEqual(sent)
        expect(made.every(({ status }) => [200, 304].includes(status))).toBe(true)
        const expected = after(history, made.length)
        const own = rows.filter(({ id, state }) =>
          work.records > 0
            ? id >= history.id && id < history.id + work.records
            : state.startsWith(`${name} `),
        )
        expect(
          own.map(({ state, version }) => `${state}, version ${version}`),
          what,
        ).toEqual(expected.records)
        const ids = own.map(({ id }) => id)
        const changes = trail.filter(({ noun, record_id }) => noun === work.noun && ids.includes(record_id))
        expect(
          changes.map(({ command, record_id }) => `${command} ${ids.indexOf(record_id)}`),
          what,
        ).toEqual(expected.trail)
        known += changes.length
      }
    }
    // Otherwise there are records that belong to no history.
    expect(trail.length, when).toBe(known)
    expect(await keptNumbers(engine.db), when).toEqual(await recount(engine))
  } finally {
    await engine.close()
  }
}

/** The records of a history and its audit rows after so many changes. */
function after({ name, work, id }: History, changes: number): { records: string[]; trail: string[] } {
  const records = Array.from({ length: work.records }, () => ({ state: work.initial, version: 1 }))
  const trail: string[] = []
  for (let nth = 0; nth < changes; nth++) {
    const { record, state, command } = work.change(name, nth, id)
    if (!command) continue
    records[record] = { state, version: (records[record]?.version ?? 0) + 1 }
    trail.push(`${command} ${record}`)
  }
  return { records: records.map(({ state, version }) => `${state}, version ${version}`), trail }
}

async function rowsOf({ db }: Engine, { table, state }: Work) {
  const { rows } = await sql<{ id: number; state: string; version: number }>`
    select id, ${sql.raw(state)} as state, version from ${sql.table(table)} order by id`.execute(db)
  return rows
}

/** That the histories have had every change that takes an Idempotency-Key. */
export async function requireEveryCall(engine: Engine): Promise<void> {
  const trail = await engine.db.selectFrom('audit').select('request').distinct().execute()
  await engine.close()
  const had = trail.map(({ request }) =>
    request?.replace('POST /api/v1/oms/', '').replace(/(?<=\/)\d+(?=\/)/, ':id'),
  )
  const calls = nouns.flatMap(({ edit, actions }) => [
    ...(edit ? [edit.create.path, edit.update.path] : []),
    ...actions.map(({ path }) => path),
  ])
  expect([...new Set(had)].toSorted()).toEqual([...calls, 'views/create/', 'views/:id/update/'].toSorted())
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
