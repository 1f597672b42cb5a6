import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Engine } from '../../../server/db/engine.ts'
import { migrate } from '../../../server/db/migrate.ts'
import { openPostgres } from '../../../server/db/postgres.ts'
import { openSqlite } from '../../../server/db/sqlite.ts'
import { engines } from '../../support/engines.ts'
import { buildDriver, buildStaff } from '../../support/factories.ts'
import type { Installation } from '../../support/installation.ts'
import { install } from '../../support/installation.ts'
import { runOn } from '../../support/postgres.ts'
import { keptNumbers, recount } from '../../support/recount.ts'
import { bootApp, signIn } from '../../support/server.ts'
import { repeats } from '../../support/soak.ts'
import { multipart, png } from '../../support/storage.ts'

const drivers = 12
/** Each sends one change after the other; the last one stores pictures, each with the attraction that shows it. */
const clients = 4

let installed: Installation
beforeAll(() => {
  installed = install()
})
afterAll(() => installed.remove())

/** What was sent and what was answered with success, by driver, and the pictures of created attractions. */
interface Work {
  url: string
  headers: { authorization: string }
  sent: number[]
  acknowledged: number[]
  pictures: { address: string; bytes: Buffer }[]
  isOver: boolean
}

describe.each(engines)('a server on %s that is killed under load after a backup', (name) => {
  test('has every acknowledged change of before the backup when it is restored elsewhere (reliability 19, 20, 33)', async () => {
    for (let round = 0; round < repeats(1, 12); round++) {
      const [here, there] = [await newPlace(name), await newPlace(name)]
      const work = await begin(here)
      const server = await installed.start({ ...here.env, OMS_LOG: 'silent' })
      work.url = server.url
      const working = Promise.all(Array.from({ length: clients }, (_, client) => send(work, client)))
      while (count(work) < 40 + 30 * round || work.pictures.length < 3) await Promise.race([working, wait(5)])

      const before = { acknowledged: [...work.acknowledged], pictures: work.pictures.length }
      const folder = folderWithOldBackups()
      const made = await installed.run(['server/backup.ts', folder, '--keep', '2'], here.env)
      expect(made, made.stderr).toMatchObject({ code: 0, stderr: '' })
      const after = [...work.sent]
      server.signal('SIGKILL')
      work.isOver = true
      expect(await server.ended).toMatchObject({ signal: 'SIGKILL', stderr: '' })
      await working

      const [, old, file = ''] = readdirSync(folder).sort()
      expect(readdirSync(folder).sort()).toEqual(['notes.txt', oldBackups[1], file])
      expect([old, made.stdout]).toEqual([oldBackups[1], expect.stringContaining(join(folder, file))])
      const restored = await installed.run(['server/restore.ts', join(folder, file)], there.env)
      expect(restored, restored.stderr).toMatchObject({ code: 0, stderr: '' })
      await compare(there.open(), before.acknowledged, after)
      const again = await installed.run(['server/restore.ts', join(folder, file)], there.env)
      expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is not empty')])
      expect(again.stderr).not.toMatch(/\n\s+at /)

      const copy = await installed.start(there.env)
      const call = (path: string) => fetch(`${copy.url}${path}`, { headers: work.headers })
      expect((await call('/api/v1/oms/drivers/')).status).toBe(401)
      for (const { address, bytes } of work.pictures.slice(0, before.pictures)) {
        const answer = await call(address)
        expect(answer.status).toBe(200)
        expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
      }
      expect(await copy.end('SIGTERM')).toMatchObject({ code: 0 })
      await here.remove()
      await there.remove()
    }
  }, 600_000)
})

const count = ({ acknowledged }: Work) => acknowledged.reduce((sum, n) => sum + n, 0)

/** A driver has as many audit rows as changes, at least those acknowledged before and at most those sent until the end. */
async function compare(engine: Engine, least: number[], most: number[]): Promise<void> {
  const trail = await engine.db.selectFrom('audit').selectAll().where('noun', '=', 'driver').execute()
  const rows = await engine.db.selectFrom('drivers').select(['id', 'deleted']).execute()
  const keys = await engine.db.selectFrom('idempotency').select('key').execute()
  for (let id = 1; id <= drivers; id++) {
    const changes = trail.filter(({ record_id }) => record_id === id).length
    expect(changes, `driver ${id}`).toBeGreaterThanOrEqual(least[id] ?? 0)
    expect(changes, `driver ${id}`).toBeLessThanOrEqual(most[id] ?? 0)
    expect(rows.find((row) => row.id === id)?.deleted).toBe(changes % 2)
    expect(keys.filter(({ key }) => key.startsWith(`${id}-`))).toHaveLength(changes)
  }
  const shown = await engine.db.selectFrom('attractions').select('id').execute()
  expect(shown.length).toBeGreaterThanOrEqual(3)
  expect(await keptNumbers(engine.db)).toEqual(await recount(engine))
  await engine.close()
}

async function begin({ open }: Place): Promise<Work> {
  const engine = open()
  await migrate(engine)
  for (let id = 1; id <= drivers; id++) await buildDriver(engine, { id })
  const app = await bootApp(engine)
  const headers = await signIn(app, await buildStaff(engine))
  await app.close()
  await engine.close()
  const none = Array.from({ length: drivers + 1 }, () => 0)
  return { url: '', headers, sent: [...none], acknowledged: [...none], pictures: [], isOver: false }
}

async function send(work: Work, client: number): Promise<void> {
  for (let nth = 0; !work.isOver; nth++) {
    try {
      if (client === clients - 1) await addPicture(work, nth)
      else await change(work, 1 + ((nth * (clients - 1) + client) % drivers))
    } catch (error) {
      // The connection has broken: the server has been killed.
      if (error instanceof TypeError) return
      throw error
    }
  }
}

async function change(work: Work, id: number): Promise<void> {
  const nth = work.acknowledged[id] ?? 0
  work.sent[id] = nth + 1
  const verb = nth % 2 === 0 ? 'suspend' : 'unfreeze'
  const answer = await fetch(`${work.url}/api/v1/oms/driver/${id}/${verb}/`, {
    method: 'POST',
    headers: { ...work.headers, 'idempotency-key': `${id}-${nth}` },
  })
  expect(answer.status, await answer.text()).toBe(200)
  work.acknowledged[id] = nth + 1
}

async function addPicture({ url, headers, pictures }: Work, nth: number): Promise<void> {
  const bytes = png(5000 + nth)
  const { headers: types, payload } = multipart(bytes)
  const name = encodeURIComponent(`files/${nth}.png`)
  const stored = await fetch(`${url}/v0/b/oms/o?name=${name}`, {
    method: 'POST',
    headers: { ...types, authorization: headers.authorization.replace('Bearer', 'Firebase') },
    body: payload,
  })
  const token = /"downloadTokens":"([^"]+)"/.exec(await stored.text())?.[1] ?? ''
  const address = `/v0/b/oms/o/${name}?alt=media&token=${token}`
  const answer = await fetch(`${url}/api/v1/oms/attraction/create/oms/`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: `Attraction ${nth}`,
      description: 'Text',
      location: { placeName: 'Nairobi' },
      lat: -1.28,
      lng: 36.82,
      image: url + address,
    }),
  })
  expect(answer.ok, await answer.text()).toBe(true)
  pictures.push({ address, bytes })
}

const oldBackups = ['oms-2026-01-01T00-00-00Z.tar.gz', 'oms-2026-01-02T00-00-00Z.tar.gz']

/** Two backups, what an interrupted run has left, and a file that is none of the product. */
function folderWithOldBackups(): string {
  const folder = installed.newFolder()
  const stale = 'oms-2026-01-01T12-00-00Z.tar.gz.part'
  for (const file of [...oldBackups, stale, 'notes.txt']) writeFileSync(join(folder, file), 'old')
  utimesSync(join(folder, stale), 0, 0)
  return folder
}

interface Place {
  env: Record<string, string>
  open: () => Engine
  remove: () => Promise<void>
}

async function newPlace(name: (typeof engines)[number]): Promise<Place> {
  const folder = join(installed.newFolder(), 'data')
  if (name === 'sqlite') {
    const open = () => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      return openSqlite(join(folder, 'oms.db'))
    }
    return { env: { OMS_DATA: folder }, open, remove: () => Promise.resolve() }
  }
  const database = `test_${randomUUID().replaceAll('-', '')}`
  await runOn(inject('postgresUrl'), `create database ${database}`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${database}`
  return {
    env: { OMS_DATA: folder, DATABASE_URL: url.href },
    open: () => openPostgres(url.href),
    remove: () => runOn(inject('postgresUrl'), `drop database ${database} with (force)`),
  }
}
