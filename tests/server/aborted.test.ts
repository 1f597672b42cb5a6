import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Engine } from '../../server/db/engine.ts'
import { openSqlite } from '../../server/db/sqlite.ts'
import { engines } from '../support/engines.ts'
import { newDatabase, newHistories, prepare } from '../support/histories.ts'
import type { Installation, RunningServer } from '../support/installation.ts'
import { install } from '../support/installation.ts'
import { seeded } from '../support/random.ts'
import { keptNumbers, recount } from '../support/recount.ts'
import { repeats } from '../support/soak.ts'
import { multipart, png } from '../support/storage.ts'

const oms = '/api/v1/oms'
/** Of each kind; so many at the same time. */
const [requests, together] = [repeats(20, 500), 20]

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: Buffer<ArrayBuffer>
}

const kinds: Record<string, (token: string) => [path: string, sent: Sent]> = {
  list: () => [`${oms}/trips/?page_size=100`, {}],
  search: () => [`${oms}/drivers/?s=an`, {}],
  'search over everything': () => [`${oms}/search/?q=person`, {}],
  export: () => [`${oms}/drivers-export-excel/`, {}],
  change: () => [
    `${oms}/driver/1/suspend/`,
    { method: 'POST', headers: { 'idempotency-key': randomUUID() } },
  ],
  upload: (token) => {
    const { headers, payload } = multipart(png(300_000))
    const authorization = `Firebase ${token}`
    return [
      `/v0/b/oms/o?name=uploads%2F${randomUUID()}.png`,
      { method: 'POST', headers: { ...headers, authorization }, body: payload },
    ]
  },
}

describe.each(engines)('requests on %s that their clients give up', (name) => {
  let installed: Installation
  let place: { env: Record<string, string>; open: () => Engine; remove: () => Promise<void> }
  let server: RunningServer
  let engine: Engine
  let authorization: string
  beforeAll(async () => {
    installed = install()
    const folder = installed.newFolder()
    place =
      name === 'postgres'
        ? await newDatabase()
        : {
            env: { OMS_DATA: folder },
            open: () => openSqlite(join(folder, 'oms.db')),
            remove: () => Promise.resolve(),
          }
    authorization = (await prepare(place.open(), newHistories(2))).authorization
    engine = place.open()
    server = await installed.start({ ...place.env, OMS_LOG: 'silent' })
  })
  afterAll(async () => {
    await engine.close()
    await installed.remove()
    await place.remove()
  })

  test('leave no connection, no query, no export and no upload behind, and the numbers correct (reliability 24)', async () => {
    const random = seeded(24)
    let aborted = 0
    for (const [kind, requestOf] of Object.entries(kinds)) {
      for (let sent = 0; sent < requests; sent += together) {
        await Promise.all(
          Array.from({ length: together }, async () => {
            const [path, { headers, ...rest }] = requestOf(authorization.replace('Bearer ', ''))
            const leaving = new AbortController()
            const answer = fetch(server.url + path, {
              headers: { authorization, ...headers },
              ...rest,
              signal: leaving.signal,
            })
            const outcome = answer
              .then((one) => one.arrayBuffer())
              .then(
                () => 'answered',
                () => 'aborted',
              )
            await wait(random() * 30)
            leaving.abort()
            if ((await outcome) === 'aborted') aborted++
          }),
        )
      }
      await vi.waitFor(
        async () => {
          expect(await underWay(), kind).toMatchObject({
            exports: 0,
            uploads: 0,
            busy: 0,
            queries: 0,
          })
        },
        { timeout: 30_000, interval: 200 },
      )
    }
    expect(aborted).toBeGreaterThan(requests)
    const answer = await fetch(`${server.url}${oms}/drivers/?s=an`, { headers: { authorization } })
    expect(answer.status).toBe(200)
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' })
    expect(await keptNumbers(engine.db)).toEqual(await recount(engine))
  }, 600_000)

  /** Connections and queries of the server to PostgreSQL. */
  async function underWay() {
    const answer = await fetch(`${server.url}/metrics`)
    expect(answer.status).toBe(200)
    const text = await answer.text()
    const figure = (line: string) => {
      const [, value] = new RegExp(`^${line} (\\S+)$`, 'm').exec(text) ?? []
      if (value === undefined) throw new Error(`The metrics lack ${line}.`)
      return Number(value)
    }
    return {
      exports: figure('oms_exports_running'),
      uploads: figure('oms_uploads_running'),
      // SQLite has no pool.
      busy: name === 'sqlite' ? 0 : figure('oms_database_connections\\{state="busy"\\}'),
      queries: await queries(),
    }
  }

  /** Without the open transaction that says that a server uses the database. */
  async function queries(): Promise<number> {
    if (name === 'sqlite') return 0
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()
      and application_name not like 'oms: process %'`.execute(engine.db)
    return rows[0]?.n ?? 0
  }
})
