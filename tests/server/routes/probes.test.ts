import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { engines } from '../../support/engines.ts'
import { bootApp, logIn, useServer } from '../../support/server.ts'

const token = 'token-of-prometheus'
const dataFolder = mkdtempSync(join(tmpdir(), 'oms-probes-'))
afterAll(() => rmSync(dataFolder, { recursive: true }))
const free = () => {
  const { bavail, bsize } = statfsSync(dataFolder)
  return bavail * bsize
}

describe.each(engines)('the probes on %s', (name) => {
  const server = useServer(name, {
    scope: 'suite',
    config: { dataFolder, metricsToken: token, hosts: ['oms.example.com'], trustProxy: ['10.0.0.1'] },
  })

  test('/readyz and /metrics are for this machine and for the token; others get 404 (reliability 22)', async () => {
    const status = async (
      url: string,
      more: { headers?: Record<string, string>; remoteAddress?: string } = {},
    ) =>
      (await server().app.inject({ url, ...more, headers: { host: 'localhost', ...more.headers } }))
        .statusCode
    for (const url of ['/readyz', '/readyz/', '/metrics']) {
      expect(await status(url), url).toBe(200)
      for (const refused of [
        { remoteAddress: '10.0.0.9' },
        { remoteAddress: '10.0.0.1', headers: { 'x-forwarded-for': '127.0.0.1' } },
        { headers: { 'x-forwarded-for': '127.0.0.1' } },
        { headers: { host: 'rebound.example' } },
        { remoteAddress: '10.0.0.9', headers: { authorization: `Bearer ${token}x` } },
        { remoteAddress: '10.0.0.9', headers: { authorization: token } },
        { remoteAddress: '10.0.0.9', headers: server().headers },
      ])
        expect(await status(url, refused), `${url} ${JSON.stringify(refused)}`).toBe(404)
      const headers = { host: '10.0.0.5:4321', authorization: `Bearer ${token}` }
      expect(await status(url, { remoteAddress: '10.0.0.9', headers })).toBe(200)
    }
    const headers = { host: '10.9.9.9', 'x-forwarded-for': '10.0.0.9' }
    expect(await status('/livez', { remoteAddress: '10.0.0.9', headers })).toBe(200)
  })

  test('without OMS_METRICS_TOKEN no token is accepted', async () => {
    const app = await bootApp(server().engine)
    for (const authorization of ['Bearer ', 'Bearer x', ''])
      expect(
        (await app.inject({ url: '/metrics', remoteAddress: '10.0.0.9', headers: { authorization } }))
          .statusCode,
      ).toBe(404)
    await app.close()
  })

  test('/readyz says why the server is not ready: the disk, the migrations, the database (reliability 22)', async () => {
    const { engine } = server()
    const readyWith = async (minFree: number) => {
      const app = await bootApp(engine, { config: { dataFolder, minFree } })
      const answer = await app.inject('/readyz')
      await app.close()
      return { code: answer.statusCode, ...answer.json<object>() }
    }
    const ready = (await server().app.inject('/readyz')).json<unknown>()
    expect(ready).toEqual({ status: 'ok', reasons: [], warnings: [] })
    const room: unknown = expect.stringMatching(/^\d+ bytes are free on the disk; uploads need \d+\.$/)
    expect(await readyWith(Math.round(free() * 0.7))).toEqual({
      code: 200,
      status: 'ok',
      reasons: [],
      warnings: [room],
    })
    expect(await readyWith(free() * 2)).toEqual({
      code: 503,
      status: 'unavailable',
      reasons: [room],
      warnings: [],
    })

    await sql`insert into kysely_migration (name, timestamp) values ('9999-of-a-newer-version', '')`.execute(
      engine.db,
    )
    expect(await readyWith(1)).toMatchObject({ code: 200 })
    await sql`delete from kysely_migration`.execute(engine.db)
    expect(await readyWith(1)).toMatchObject({
      code: 503,
      reasons: ['The migrations of the database are not done.'],
    })
    await sql`drop table kysely_migration`.execute(engine.db)
    expect(await readyWith(1)).toMatchObject({ code: 503, reasons: ['The database is not available.'] })
    expect((await server().app.inject('/livez')).json()).toEqual({ status: 'ok' })
  })

  test('/metrics has requests, refused logins, pool, event loop, exports, uploads, sizes, in the format of Prometheus', async () => {
    const { app, staff, get } = server()
    await get('/api/v1/oms/drivers/?s=canary')
    await get('/api/v1/oms/drivers/4711')
    await logIn(app, { email: 'a@b.test', password: 'wrong' })
    for (let nth = 0; nth < 11; nth++) await logIn(app, { email: staff.email, password: 'wrong' })
    const answer = await app.inject('/metrics')
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    })
    const lines = answer.body.trimEnd().split('\n')
    for (const line of lines)
      expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z_]+="[^"\n]*",?)+\})? [\d.e+-]+)$/)
    // A time can have these digits by chance.
    expect(answer.body.replaceAll(/ [\d.e+-]+$/gm, '')).not.toMatch(/canary|4711|@/)
    const list = 'method="GET",route="/api/v1/oms/drivers/",status="200"'
    expect(lines).toEqual(
      expect.arrayContaining([
        `oms_request_duration_seconds_count{${list}} 1`,
        `oms_request_duration_seconds_bucket{${list},le="+Inf"} 1`,
        'oms_login_refusals_total{reason="wrong"} 11',
        'oms_login_refusals_total{reason="limit"} 1',
        'oms_exports_running 0',
        'oms_uploads_running 0',
        'oms_database_up 1',
      ]),
    )
    const names = new Set(lines.filter((line) => !line.startsWith('#')).map((line) => /^\w+/.exec(line)?.[0]))
    for (const metric of [
      'oms_connections',
      'oms_database_size_bytes',
      'oms_disk_free_bytes',
      'oms_event_loop_delay_seconds',
      'process_resident_memory_bytes',
      ...(name === 'postgres' ? ['oms_database_connections'] : []),
    ])
      expect(names).toContain(metric)
    expect(Number(/oms_database_size_bytes (\d+)/.exec(answer.body)?.[1])).toBeGreaterThan(100_000)
  })
})
