import { mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { recordRefusals } from '../../../server/audit/refusals.ts'
import { keepHouse } from '../../../server/housekeeping.ts'
import { engines } from '../../support/engines.ts'
import { bootApp, logIn, useServer } from '../../support/server.ts'
import { filesBelow, multipart, png } from '../../support/storage.ts'

const dataFolder = mkdtempSync(join(tmpdir(), 'oms-audit-'))
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
