import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { connect, createServer } from 'node:net'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Engine } from '../../server/db/engine.ts'
import { migrate } from '../../server/db/migrate.ts'
import { openSqlite } from '../../server/db/sqlite.ts'
import type { Installation, RunningServer } from '../support/installation.ts'
import { install } from '../support/installation.ts'
import { contentsOf } from '../support/engines.ts'
import { buildDriver, buildStaff } from '../support/factories.ts'
import { newDatabase } from '../support/histories.ts'
import { startPostgresProxy } from '../support/postgres-proxy.ts'
import { bootApp, signIn } from '../support/server.ts'

let installed: Installation
beforeAll(() => {
  installed = install()
})
afterAll(() => installed.remove())

describe('the server process', () => {
  let env: { OMS_DATA: string }
  const started: RunningServer[] = []
  beforeEach(() => {
    env = { OMS_DATA: join(installed.newFolder(), 'data') }
  })
  afterEach(async () => {
    for (const server of started.splice(0)) await server.end('SIGKILL')
  })
  const start = async (more: Record<string, string> = {}, shell?: string) => {
    const server = await installed.start({ ...env, ...more }, shell)
    started.push(server)
    return server
  }
  const startRefused = async (more: Record<string, string> = {}) => {
    const ended = await installed.run(['server/main.ts'], { ...env, ...more })
    expect(ended.code).toBe(1)
    expect(ended.stderr).not.toMatch(/\n\s+at /)
    return ended
  }
  const status = async ({ url }: RunningServer, path = '/healthz') => (await fetch(url + path)).status

  test('creates its data folder, prints its address, and serves console, calls and health check', async () => {
    const server = await start()
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(existsSync(join(env.OMS_DATA, 'oms.db'))).toBe(true)
    expect(await status(server)).toBe(200)
    expect(await status(server, '/riders')).toBe(200)
    expect(await status(server, '/api/v1/oms/drivers/')).toBe(401)
    expect(server.output()).not.toContain('Building')
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'stops with exit code 0 on %s (reliability 29)',
    async (signal) => {
      const server = await start()
      await status(server)
      expect(await server.end(signal)).toMatchObject({ code: 0, signal: null, stderr: '' })
    },
  )

  /** Sends a login without its body, on a connection that stays open. */
  const openLogin = async (server: RunningServer, body: string) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1').setEncoding('utf8')
    let received = ''
    socket.on('data', (text: string) => (received += text)).on('error', () => undefined)
    socket.write(
      [
        'POST /api/v1/oms/login/ HTTP/1.1',
        'Host: localhost',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        'Expect: 100-continue',
        '\r\n',
      ].join('\r\n'),
    )
    await once(socket, 'data')
    expect(received).toContain('100 Continue')
    return { socket, received: () => received }
  }

  test('finishes open requests after SIGTERM, accepts no new connection, and resets none under load (reliability 29)', async () => {
    const server = await start()
    const port = Number(new URL(server.url).port)
    const clients = Array.from({ length: 30 }, () => askUntilRefused(port))
    const silent = connect(port, '127.0.0.1').on('error', () => undefined)
    const body = JSON.stringify({ email: 'nobody@twende.test', password: 'wrong' })
    const { socket, received } = await openLogin(server, body)
    await Promise.all(clients.map(({ first }) => first))
    server.signal('SIGTERM')
    const ends = await Promise.all(clients.map(({ end }) => end))
    expect(ends).toEqual(clients.map(() => 'ECONNREFUSED'))
    socket.write(body)
    expect(await server.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
    silent.destroy()
    expect(received()).toContain('HTTP/1.1 401')
    expect(received()).toContain('Login failed!.Please try again.')
    socket.destroy()
  })

  test('exits immediately on a second signal, even with an open request (reliability 29)', async () => {
    const server = await start()
    const { socket } = await openLogin(server, '{}')
    server.signal('SIGTERM')
    await untilRefused(Number(new URL(server.url).port))
    // Without the second signal, it would wait ten seconds for the request.
    const ended = await Promise.race([server.end('SIGTERM'), wait(8_000)])
    expect(ended).toMatchObject({ code: 1, signal: null })
    socket.destroy()
  })

  test('does not wait for an idle keep-alive connection (reliability 29)', async () => {
    const server = await start()
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await once(socket, 'data')
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
    socket.destroy()
  })

  test('does not start on the data folder of another server, and prints its pid and what to do (reliability 20)', async () => {
    const first = await start()
    const { stderr } = await startRefused()
    expect(stderr).toContain(`process ${first.pid}`)
    expect(stderr).toContain(env.OMS_DATA)
    expect(stderr).toContain('OMS_DATA=/some/folder')
    expect(await status(first)).toBe(200)
  })

  test('can use a data folder as soon as its last server has exited or crashed (reliability 20)', async () => {
    for (const signal of ['SIGKILL', 'SIGTERM', 'SIGKILL'] as const) {
      const server = await start()
      expect(await status(server)).toBe(200)
      await server.end(signal)
    }
  })

  test('can run twice at the same time, with two data folders', async () => {
    const servers = [await start(), await start({ OMS_DATA: join(installed.newFolder(), 'other') })]
    for (const server of servers) expect(await status(server)).toBe(200)
  })

  test('prints the port, and how to choose another, if the port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = String(typeof address === 'object' ? address?.port : '')
    const { stderr } = await startRefused({ PORT: port })
    expect(stderr).toContain(`Port ${port} is in use`)
    expect(stderr).toContain('PORT=')
    taken.close()
  })

  test.each(['192.0.2.1', '[::1]'])(
    'prints one line that says what HOST must be if it cannot listen on %s',
    async (HOST) => {
      const { stderr } = await startRefused({ HOST })
      expect(stderr.trim()).toBe(
        `HOST is "${HOST}"; it must be an address of this machine, such as 127.0.0.1 or ::1, or 0.0.0.0 for all of them.`,
      )
    },
  )

  test('prints one line with the name of an invalid setting', async () => {
    const { stderr } = await startRefused({ PORT: 'http' })
    expect(stderr.trim()).toBe('PORT is "http"; it must be a number from 0 to 65535.')
  })

  test('applies added, disabled and enabled staff immediately while it runs (reliability 20)', async () => {
    const server = await start()
    const staff = (...args: string[]) => installed.run(['server/staff.ts', ...args, 'a@b.test'], env)
    const added = await staff('add', '--generate')
    const password = /^Password: (\S+)$/m.exec(added.stdout)?.[1]
    const logIn = () => logInTo(server, 'a@b.test', password)
    const answer = await logIn()
    expect(answer.status).toBe(200)
    const token = /"token":"([^"]+)"/.exec(await answer.text())?.[1] ?? ''
    const look = async () =>
      (await fetch(`${server.url}/api/v1/oms/drivers/`, { headers: { authorization: `Bearer ${token}` } }))
        .status
    expect(await look()).toBe(200)
    expect((await staff('disable')).code).toBe(0)
    expect([await look(), (await logIn()).status]).toEqual([401, 401])
    expect((await staff('enable')).code).toBe(0)
    expect((await logIn()).status).toBe(200)
    // Three staff commands, two logins, one refused login.
    const { stdout } = await server.end('SIGTERM')
    const seals = [...stdout.matchAll(/"seal":"(\d+:\w{64})"/g)].map(([, seal = '']) => seal)
    const audit = await installed.run(['server/staff.ts', 'audit'], env)
    expect(audit.stdout).toBe(
      `The audit is unchanged: 6 rows.\nNewest seal, to be kept elsewhere: ${seals.at(-1) ?? ''}\n`,
    )
  })

  test('refuses demo data beside it, with its pid and what to do, and nothing changes (reliability 20)', async () => {
    const first = await start()
    const load = () => installed.run(['server/demo/cli.ts', '--drivers', '5'], env)
    const contents = async () => {
      const engine = openSqlite(join(env.OMS_DATA, 'oms.db'))
      const found = await contentsOf(engine)
      await engine.close()
      return found
    }
    const expectRefused = async () => {
      const before = await contents()
      const { code, stderr } = await load()
      expect([code, stderr]).toEqual([1, expect.stringContaining(`process ${first.pid}`)])
      expect(stderr).toContain('OMS_DATA=/some/folder')
      expect(stderr).not.toMatch(/\n\s+at /)
      expect(await contents()).toEqual(before)
      expect(await status(first)).toBe(200)
    }
    await expectRefused()
    const engine = openSqlite(join(env.OMS_DATA, 'oms.db'))
    await buildDriver(engine)
    await engine.close()
    await expectRefused()
    await first.end('SIGTERM')
    const { stderr } = await load()
    expect(stderr).toContain('already has drivers')
  })

  test('waits at its start for a PostgreSQL that cannot be reached, and can run several times with one database (reliability 22)', async () => {
    const place = await newDatabase()
    const proxy = await startPostgresProxy(place.env.DATABASE_URL)
    await proxy.stop()
    await proxy.startSilent()
    const tried = proxy.nextConnection()
    const starting = start({ DATABASE_URL: proxy.url })
    await tried
    await proxy.stop()
    await proxy.start()
    const servers = [await starting, await start(place.env)]
    expect(servers.map((server) => server.output().split('Waiting for PostgreSQL').length - 1)).toEqual([
      1, 0,
    ])
    for (const server of servers) expect(await status(server, '/api/v1/oms/drivers/')).toBe(401)
    for (const server of servers) expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
    await proxy.remove()
    await place.remove()
  })

  test('keeps demo data out of a PostgreSQL that servers use, until the last one has ended or was killed (reliability 20)', async () => {
    const place = await newDatabase()
    const first = await start(place.env)
    const second = await start({ ...place.env, OMS_DATA: installed.newFolder() })
    const load = () => installed.run(['server/demo/cli.ts', '--drivers', '5'], { ...env, ...place.env })
    const engine = place.open()
    const expectRefused = async (...by: RunningServer[]) => {
      const names = by.map(({ pid }) => `process ${pid} on ${hostname()}`)
      await expect.poll(() => holdersOf(engine), { timeout: 20_000 }).toEqual(names)
      const { code, stderr } = await load()
      expect(code).toBe(1)
      expect(stderr).toContain(`The database of DATABASE_URL is in use by ${names.join(', ')}.`)
      expect(stderr).toContain('Stop them, or choose another database: DATABASE_URL=postgres://')
      expect(stderr).not.toMatch(/\n\s+at /)
      expect(await engine.db.selectFrom('staff').select('id').execute()).toEqual([])
    }
    await expectRefused(...[first, second].toSorted((a, b) => (String(a.pid) < String(b.pid) ? -1 : 1)))
    await first.end('SIGKILL')
    await expectRefused(second)
    // Waits until the connections have ended. Before that they are still listed as holders.
    await sql`select pg_terminate_backend(pid, 20000) from pg_stat_activity
      where datname = current_database() and application_name like 'oms: process %'`.execute(engine.db)
    await expectRefused(second)
    await second.end('SIGTERM')
    expect(await load()).toMatchObject({ code: 0 })
    await engine.close()
    await place.remove()
  })

  test('does not start while demo data is loaded into its PostgreSQL, and can as soon as that was killed (reliability 20)', async () => {
    const place = await newDatabase()
    await (await start(place.env)).end('SIGTERM')
    const engine = place.open()
    const locked = await engine.db.startTransaction().execute()
    await sql`lock table coupons in share mode`.execute(locked)
    const loading = installed.run(['server/demo/cli.ts', '--drivers', '5'], { ...env, ...place.env })
    await expect.poll(() => holdersOf(engine), { timeout: 20_000 }).toHaveLength(2)
    for (const OMS_DEMO of ['off', 'on']) {
      const { stderr } = await startRefused({ ...place.env, OMS_DEMO })
      expect(stderr).toContain('Demo data is being loaded into the database of DATABASE_URL by process')
      expect(stderr).toContain('Start the server again when that has finished, or choose another database')
    }
    const [name] = await holdersOf(engine)
    process.kill(Number(/process (\d+) on/.exec(name ?? '')?.[1]), 'SIGKILL')
    expect(await loading).toMatchObject({ signal: 'SIGKILL' })
    await locked.rollback().execute()
    expect(await status(await start(place.env))).toBe(200)
    await engine.close()
    await place.remove()
  })

  test('loads demo data into an empty PostgreSQL with OMS_DEMO=on only if no other server uses it (reliability 20)', async () => {
    const place = await newDatabase()
    const first = await start(place.env)
    const { stderr } = await startRefused({ ...place.env, OMS_DEMO: 'on' })
    expect(stderr).toContain(`is in use by process ${first.pid}`)
    await first.end('SIGTERM')
    const second = await start({ ...place.env, OMS_DEMO: 'on' })
    expect(second.output()).toContain('Demo login')
    expect(await status(await start({ ...place.env, OMS_DATA: installed.newFolder() }))).toBe(200)
    await second.end('SIGTERM')
    await place.remove()
  })

  test('asks for another database, not another folder, if the PostgreSQL for demo data has rows', async () => {
    const place = await newDatabase()
    const engine = place.open()
    await migrate(engine)
    await buildDriver(engine)
    await engine.close()
    const { code, stderr } = await installed.run(['server/demo/cli.ts', '--drivers', '5'], {
      ...env,
      ...place.env,
    })
    expect([code, stderr.trim()]).toEqual([
      1,
      'the database of DATABASE_URL already has drivers. Demo data needs an empty database. Choose another one: ' +
        'DATABASE_URL=postgres://… npm run demo -- --drivers N',
    ])
    await place.remove()
  })

  describe('with demo data', () => {
    const demo = { OMS_DEMO: 'auto' }
    const configOf = async ({ url }: RunningServer): Promise<unknown> =>
      JSON.parse(await (await fetch(`${url}/config.json`)).text())
    const login = /Demo login: (\S+) \/ (\S+)/

    test('fills an empty folder, and shows the demo login in the terminal and to the browser', async () => {
      const server = await start(demo)
      const [, email, password] = login.exec(server.output()) ?? []
      expect(await configOf(server)).toMatchObject({ demoLogin: { email, password } })
      expect((await logInTo(server, email, password)).status).toBe(200)
      await server.end('SIGTERM')

      const again = await start(demo)
      expect(again.output()).toMatch(login)
      expect(again.output()).not.toContain('Loading the demo data')
      await again.end('SIGTERM')

      const { stderr } = await startRefused({ ...demo, HOST: '0.0.0.0' })
      expect(stderr).toContain('HOST=127.0.0.1')
      expect((await startRefused({ OMS_DEMO: 'off', HOST: '0.0.0.0' })).stderr).toContain('HOST=127.0.0.1')
    })

    test('loads nothing if other machines can connect, and with OMS_DEMO=on it does not start', async () => {
      const server = await start({ ...demo, HOST: '0.0.0.0' })
      expect(server.output()).not.toMatch(login)
      expect(await configOf(server)).toMatchObject({ demoLogin: null })
      await server.end('SIGTERM')
      const { stderr } = await startRefused({ OMS_DEMO: 'on', HOST: '0.0.0.0' })
      expect(stderr).toContain('HOST=127.0.0.1')
    })

    test('loads nothing with OMS_DEMO=off', async () => {
      const server = await start({ OMS_DEMO: 'off' })
      expect(server.output()).not.toMatch(login)
      expect(await configOf(server)).toMatchObject({ demoLogin: null })
    })

    test('never loads demo data into a folder with a real account', async () => {
      await installed.run(['server/staff.ts', 'add', 'a@b.test', '--generate'], env)
      const server = await start({ OMS_DEMO: 'on' })
      expect(server.output()).not.toMatch(login)
      await expect.poll(server.output, { timeout: 10_000 }).toContain('audit sealed')
      await server.end('SIGTERM')
      const engine = openSqlite(join(env.OMS_DATA, 'oms.db'))
      expect(await engine.db.selectFrom('drivers').select('id').limit(1).execute()).toEqual([])
      await engine.close()
    })
  })

  test('says that the disk is full, and not that another server is running, if it cannot start for that (reliability 20, 21)', async () => {
    await (await start()).end('SIGTERM')
    for (const program of [['server/main.ts'], ['server/staff.ts', 'list'], ['server/check.ts']]) {
      const { code, stderr } = await installed.run(program, env, '', 'ulimit -f 0')
      expect([code, stderr.trim()]).toEqual([
        1,
        expect.stringMatching(/^The disk is full \(.+\)\. Make room, then try again\.$/),
      ])
    }
    await start()
  })

  test('rejects changes on a full disk, while reads and sessions still work (reliability 21)', async () => {
    const file = join(installed.newFolder(), 'oms.db')
    env = { OMS_DATA: dirname(file) }
    const engine = openSqlite(file)
    await migrate(engine)
    const staff = await buildStaff(engine)
    for (let id = 1; id <= 50; id++) await buildDriver(engine, { id })
    const app = await bootApp(engine)
    const headers = await signIn(app, staff)
    const readers = await signIn(app, staff)
    await engine.db
      .updateTable('sessions')
      .set({ used_at: sql`used_at - 600000` })
      .execute()
    await engine.close()

    const refusals = [503, 507]
    // Limit each file to 512 KiB. The journal soon reaches this limit.
    const server = await start({ OMS_LOG: 'silent' }, 'ulimit -f 1024')
    const suspend = async (id: number) =>
      (await fetch(`${server.url}/api/v1/oms/driver/${id}/suspend/`, { method: 'POST', headers })).status
    let done = 0
    while (done < 50 && (await suspend(done + 1)) === 200) done++
    expect(done).toBeLessThan(50)
    expect(refusals).toContain(await suspend(done + 1))
    let smaller = 401
    for (let tries = 0; tries < 200 && !refusals.includes(smaller); tries++)
      smaller = (await logInTo(server, 'nobody@twende.test', 'x')).status
    expect(refusals).toContain(smaller)
    for (const path of ['drivers/', 'drivers/1', 'analytics/', 'drivers/?s=person']) {
      const answer = await fetch(`${server.url}/api/v1/oms/${path}`, { headers: readers })
      expect(answer.status, path).toBe(200)
    }
    await server.end('SIGTERM')

    const roomy = await start()
    const figures = await fetch(`${roomy.url}/api/v1/oms/analytics/`, { headers })
    expect(await figures.json()).toMatchObject({ total_suspended_riders: done })
    expect(
      (await fetch(`${roomy.url}/api/v1/oms/driver/50/suspend/`, { method: 'POST', headers })).status,
    ).toBe(200)
  })
})

test('a server without a built console answers calls, as `npm run dev` needs right after npm ci', async () => {
  const fresh = install()
  rmSync(join(fresh.code, 'dist'), { recursive: true })
  const server = await fresh.start({ OMS_DATA: join(fresh.newFolder(), 'data') }, 'exec "$0" server/serve.ts')
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${server.url}/riders`)).status).toBe(401)
  expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
  await fresh.remove()
})

function logInTo({ url }: RunningServer, email?: string, password?: string): Promise<Response> {
  return fetch(`${url}/api/v1/oms/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
}

/** Sends one request after the other on a connection that stays open. `end` is the code of the first error. */
function askUntilRefused(port: number): { first: Promise<unknown>; end: Promise<string> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = () =>
    new Promise<string>((resolve) => {
      get({ port, host: '127.0.0.1', path: '/healthz', agent }, (answer) => {
        answer
          .resume()
          .on('end', () => resolve(''))
          .on('error', ({ message }) => resolve(message))
      }).on('error', (error) => resolve('code' in error ? String(error.code) : error.message))
    })
  const first = ask()
  const goOn = async () => {
    let failure = await first
    while (!failure) failure = await ask()
    agent.destroy()
    return failure
  }
  return { first, end: goOn() }
}

async function untilRefused(port: number): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const socket = connect(port, '127.0.0.1')
    const refused = await Promise.race([
      once(socket, 'connect').then(() => false),
      once(socket, 'error').then(() => true),
    ]).catch(() => true)
    socket.destroy()
    if (refused) return
    await wait(10)
  }
  throw new Error('The server still accepts connections.')
}

/** The processes with a lock that lasts as long as they do, one entry for each lock: `process 123 on this-machine`. */
async function holdersOf({ db }: Engine): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select substr(application_name, 6) as name from pg_locks join pg_stat_activity using (pid)
    where datname = current_database() and locktype = 'advisory' and application_name like 'oms: process %' order by name`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}
