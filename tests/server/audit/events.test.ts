import { mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { recordRefusals } from '../../../server/audit/refusals.ts'
import { runAll } from '../../../server/db/engine.ts'
import { keepHouse } from '../../../server/housekeeping.ts'
import { engines } from '../../support/engines.ts'
import { bootApp, logIn, useServer } from '../../support/server.ts'
import { filesBelow, multipart, png } from '../../support/storage.ts'

const dataFolder = mkdtempSync(join(tmpdir(), 'oms-audit-'))
afterEach(() => rmSync(join(dataFolder, 'storage'), { recursive: true, force: true }))
afterAll(() => rmSync(dataFolder, { recursive: true }))

describe.each(engines)('the audit on %s', (name) => {
  const server = useServer(name, { config: { dataFolder } })
  const events = () => server().engine.db.selectFrom('audit_events').selectAll().orderBy('id').execute()

  test('records login, logout, export, upload, deletion and expiry with person, time and address, and no search', async () => {
    const { app, engine, staff, clock, headers } = server()
    const firebase = { authorization: headers.authorization.replace('Bearer', 'Firebase') }
    const remoteAddress = '::ffff:10.1.2.3'
    clock.now += 1000
    const at = clock.now
    const call = (method: 'GET' | 'POST' | 'DELETE', url: string, more: object = {}) =>
      app.inject({ method, url, headers, remoteAddress, ...more })
    expect((await call('GET', '/api/v1/oms/drivers/?s=secret')).statusCode).toBe(200)
    expect((await call('GET', '/api/v1/oms/drivers-export-excel/?s=secret')).statusCode).toBe(200)

    const file = '/v0/b/oms/o?name=files%2F1-a.png'
    const { headers: type, payload } = multipart(png(1000))
    expect((await call('POST', file, { headers: { ...firebase, ...type }, payload })).statusCode).toBe(200)
    const resumable = (command: string, more: object = {}) => ({
      ...firebase,
      'user-agent': 'Mozilla/5.0',
      'x-goog-upload-protocol': 'resumable',
      'x-goog-upload-command': command,
      'x-goog-upload-offset': '0',
      'x-goog-upload-header-content-length': '1000',
      ...more,
    })
    const started = await call('POST', file.replace('a.png', 'b.png'), {
      headers: { ...resumable('start'), 'content-type': 'application/json' },
      payload: '{}',
    })
    const goOn = String(started.headers['x-goog-upload-url'])
    const parts = { headers: resumable('upload, finalize'), payload: png(1000) }
    expect((await call('POST', goOn, parts)).statusCode).toBe(200)
    expect((await call('POST', goOn, { headers: resumable('query') })).statusCode).toBe(200)
    const stored = '/v0/b/oms/o/files%2F1-a.png'
    expect((await call('DELETE', stored, { headers: firebase })).statusCode).toBe(204)
    expect((await call('DELETE', stored, { headers: firebase })).statusCode).toBe(404)
    await call('POST', file, {
      headers: { ...resumable('start'), 'content-type': 'application/json' },
      payload: '{}',
    })
    expect((await call('POST', '/api/v1/oms/logout/')).statusCode).toBe(204)
    // Two of the unfinished upload, one of the finished one, whose picture stays.
    for (const path of filesBelow(dataFolder)) utimesSync(join(dataFolder, path), 0, 0)
    await keepHouse(engine, dataFolder, clock.now)
    await keepHouse(engine, dataFolder, clock.now)

    const here = { at, staff_id: staff.id, origin: '10.1.2.3', n: 1, about: null }
    const rows = await events()
    expect(rows.slice(1)).toMatchObject([
      { ...here, event: 'list.export', about: 'drivers' },
      { ...here, event: 'file.upload', about: 'files/1-a.png' },
      { ...here, event: 'file.upload', about: 'files/1-b.png' },
      { ...here, event: 'file.delete', about: 'files/1-a.png' },
      { ...here, event: 'session.logout' },
      { at, event: 'file.expire', staff_id: null, origin: null, n: 3 },
    ])
    expect(rows[0]).toMatchObject({ event: 'session.login', staff_id: staff.id, origin: '127.0.0.1' })
    expect(rows.map(({ request_id }) => request_id === null)).toEqual(rows.map((_, nth) => nth === 6))
    expect(JSON.stringify(rows)).not.toContain('secret')
  })

  /** Runs this while no audit row can be stored, as on a full disk. */
  const withoutAudit = async (run: () => Promise<void>) => {
    await runAll(server().engine.db, ['alter table audit_events rename to audit_events_elsewhere'])
    try {
      await run()
    } finally {
      await runAll(server().engine.db, ['alter table audit_events_elsewhere rename to audit_events'])
    }
  }
  const inStorage = (
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    more: Record<string, string> = {},
    payload?: Buffer,
  ) => {
    const authorization = server().headers.authorization.replace('Bearer', 'Firebase')
    const headers = { authorization, 'user-agent': 'Mozilla/5.0', ...more }
    return server().app.inject({ method, url: `/v0/b/oms/o${path}`, headers, ...(payload && { payload }) })
  }
  const fileEvents = async () =>
    (await events())
      .filter(({ event }) => event.startsWith('file.'))
      .map(({ event, about }) => [event, about])

  test('has an upload before its file can be read: no file is stored if the row cannot be (reliability 21)', async () => {
    const { headers: type, payload } = multipart(png(1000))
    await withoutAudit(async () => {
      expect((await inStorage('POST', '?name=files%2F2-a.png', type, payload)).statusCode).toBe(500)
    })
    expect((await inStorage('GET', '/files%2F2-a.png')).statusCode).toBe(404)

    const command = (words: string, offset: number) => ({
      'x-goog-upload-protocol': 'resumable',
      'x-goog-upload-command': words,
      'x-goog-upload-offset': String(offset),
      'x-goog-upload-header-content-length': '1000',
    })
    const started = await inStorage('POST', '?name=files%2F2-b.png', command('start', 0))
    const goOn = String(started.headers['x-goog-upload-url']).replace('/v0/b/oms/o', '')
    await withoutAudit(async () => {
      expect((await inStorage('POST', goOn, command('upload, finalize', 0), png(1000))).statusCode).toBe(500)
    })
    // The Firebase SDK now asks how far the upload is. It would not finalize a finished one again.
    const { headers } = await inStorage('POST', goOn, command('query', 0))
    expect(headers).toMatchObject({ 'x-goog-upload-status': 'active', 'x-goog-upload-size-received': '1000' })
    expect(await fileEvents()).toEqual([])
    for (let twice = 0; twice < 2; twice++)
      expect((await inStorage('POST', goOn, command('finalize', 1000))).statusCode).toBe(200)
    expect(await fileEvents()).toEqual([['file.upload', 'files/2-b.png']])
  })

  test('has a change of the metadata of a file before it is made, and none of those that are refused', async () => {
    const { headers: type, payload } = multipart(png(1000))
    expect((await inStorage('POST', '?name=files%2F3-a.png', type, payload)).statusCode).toBe(200)
    const path = '/files%2F3-a.png'
    const change = async (to: string, json = '{"cacheControl": "no-store"}') =>
      (await inStorage('PATCH', to, {}, Buffer.from(json))).statusCode
    const metadata = async () => (await inStorage('GET', path)).json<object>()
    const before = await metadata()
    await withoutAudit(async () => expect(await change(path)).toBe(500))
    expect(await change('/files%2F3-b.png')).toBe(404)
    expect(await change(path, '{"cacheControl": 1}')).toBe(400)
    expect(await metadata()).toEqual(before)
    expect(await change(path)).toBe(200)
    expect(await metadata()).not.toEqual(before)
    expect(await fileEvents()).toEqual([
      ['file.upload', 'files/3-a.png'],
      ['file.change', 'files/3-a.png'],
    ])
  })

  test('records a wrong password at once and counts those of the following minute, without what was typed', async () => {
    const { engine, clock, staff } = server()
    const lines: string[] = []
    const app = await bootApp(engine, {
      now: () => clock.now,
      config: { logLevel: 'error' },
      logStream: { write: (line) => void lines.push(line) },
    })
    const refused = async () => (await events()).filter(({ event }) => event !== 'session.login')
    const wrong = { email: staff.email, password: 'wrong' }
    expect((await logIn(app, wrong)).statusCode).toBe(401)
    const first = { event: 'session.refuse', staff_id: staff.id, origin: '127.0.0.1', about: null, n: 1 }
    expect(await refused()).toMatchObject([first])
    for (let nth = 0; nth < 9; nth++) await logIn(app, wrong)
    for (let nth = 0; nth < 5; nth++) expect((await logIn(app, wrong)).statusCode).toBe(429)
    await logIn(app, { email: 'my password', password: 'x' })
    expect(await refused()).toHaveLength(1)
    await app.close()
    expect(await refused()).toMatchObject([
      first,
      { ...first, n: 9 },
      { ...first, event: 'session.block', n: 5 },
      { ...first, staff_id: null },
    ])
    expect(JSON.stringify(await events())).not.toMatch(/my password|wrong/)
    expect(lines).toEqual([])
  })

  test('records a flood of wrong passwords from many addresses in few rows that have all of them', async () => {
    const { engine, clock } = server()
    const refusals = recordRefusals(engine, (error) => expect(error).toBeUndefined())
    for (let nth = 0; nth < 3000; nth++)
      await refusals.note(
        { event: 'session.refuse', email: 'a@b.test', address: `10.0.${nth >> 8}.${nth & 255}` },
        clock.now,
      )
    await refusals.close()
    const rows = (await events()).slice(1)
    expect(rows.reduce((sum, { n }) => sum + n, 0)).toBe(3000)
    expect(rows.length).toBeLessThanOrEqual(1 + 20 + 1)
    expect(rows.filter(({ about }) => about !== null)).toMatchObject([
      { about: 'other addresses', origin: null },
    ])
  })

  test('counts a refusal again that could not be written', async () => {
    const { engine, clock } = server()
    const failures: unknown[] = []
    let isBroken = true
    const refusals = recordRefusals(
      {
        get db() {
          if (isBroken) throw new Error('The disk is full.')
          return engine.db
        },
      },
      (error) => failures.push(error),
    )
    await refusals.note({ event: 'session.block', email: 'a@b.test', address: '10.1.2.3' }, clock.now)
    expect(failures).toHaveLength(1)
    isBroken = false
    await refusals.close()
    expect((await events()).slice(1)).toMatchObject([{ event: 'session.block', n: 1, origin: '10.1.2.3' }])
  })
})
