import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { openSqlite } from '../../server/db/sqlite.ts'
import type { Installation } from '../support/installation.ts'
import { install } from '../support/installation.ts'
import { writeOldDatabase } from '../support/old-database.ts'
import { runOn } from '../support/postgres.ts'

let installed: Installation
beforeAll(() => {
  installed = install()
})
afterAll(() => installed.remove())

let folder = ''
let env: Record<string, string> = {}
beforeEach(() => {
  folder = join(installed.newFolder(), 'data')
  env = { OMS_DATA: folder }
})

/** Starts the server, stops it when it is ready, and resolves to its output. */
const serve = async (more: Record<string, string> = {}) => {
  const server = await installed.start({ ...env, ...more })
  return (await server.end('SIGTERM')).stdout
}
const refusal = async (args: string[], more: Record<string, string> = {}) => {
  const { code, stderr } = await installed.run(args, { ...env, ...more })
  expect([code, stderr]).toEqual([1, expect.not.stringMatching(/\n\s+at /)])
  return stderr
}
const programs = [
  ['server/main.ts'],
  ['server/staff.ts', 'add', 'a@b.test', '--generate'],
  ['server/demo/cli.ts', '--drivers', '5'],
]

describe('a data folder that has been in use', () => {
  const database = () => join(folder, 'oms.db')
  const removeDatabase = () => {
    for (const file of ['', '-wal', '-shm']) rmSync(database() + file, { force: true })
  }

  test.each([
    ['has lost its database', removeDatabase, 'is missing or empty'],
    [
      'has an empty database',
      () => {
        removeDatabase()
        writeFileSync(database(), '')
      },
      'is missing or empty',
    ],
    [
      'has a database without tables',
      () => {
        removeDatabase()
        const empty = new DatabaseSync(database())
        empty.exec('pragma user_version = 1')
        empty.close()
      },
      'its database has no tables',
    ],
  ])(
    'and %s is not replaced: every program stops with a message that says what to do',
    async (_what, lose, what) => {
      await serve()
      lose()
      const before = existsSync(database()) ? statSync(database()).size : null
      for (const program of programs) {
        const told = await refusal(program, { OMS_DEMO: 'auto' })
        expect(told).toContain(what)
        expect(told).toContain(`${folder} has been in use since 20`)
        expect(told).toContain('OMS_DATA=/some/folder')
        expect(existsSync(database()) ? statSync(database()).size : null).toBe(before)
      }
    },
  )

  test('can be used again after its server was killed', async () => {
    const server = await installed.start(env)
    await server.end('SIGKILL')
    expect(await serve()).toContain('is ready')
  })

  test('and has a journal but no database is not replaced, even without in-use.json', async () => {
    mkdirSync(folder)
    writeFileSync(join(folder, 'oms.db-wal'), 'changes')
    expect(await refusal(['server/main.ts'])).toContain('is missing, but its journal')
  })

  test('with SQLite can be used with PostgreSQL too, and then a PostgreSQL without tables stops the start', async () => {
    await serve()
    const name = `test_${randomUUID().replaceAll('-', '')}`
    await runOn(inject('postgresUrl'), `create database ${name}`)
    const url = new URL(inject('postgresUrl'))
    url.pathname = `/${name}`
    const postgres = { DATABASE_URL: url.href }
    expect(await serve(postgres)).toContain('is ready')
    expect(await serve(postgres)).toContain('is ready')
    await runOn(url.href, 'drop schema public cascade')
    await runOn(url.href, 'create schema public')
    for (const program of programs) {
      const told = await refusal(program, postgres)
      expect(told).toContain('its database has no tables')
      expect(told).toContain('Is DATABASE_URL the right database?')
      expect(told).not.toContain(url.href)
    }
    expect(await serve()).toContain('is ready')
    await runOn(inject('postgresUrl'), `drop database ${name} with (force)`)
  })
})

test.each([
  ['does not exist', 'no_such_database', 'database "no_such_database" does not exist'],
  ['refuses the role', 'postgres', 'role "nobody" does not exist'],
  ['cannot be reached', null, 'connect ECONNREFUSED 127.0.0.1:1'],
])('a PostgreSQL database that %s stops the commands with a sentence', async (_what, name, why) => {
  const url = new URL(name ? inject('postgresUrl') : 'postgres://postgres@127.0.0.1:1/postgres')
  if (name) url.pathname = `/${name}`
  if (name === 'postgres') url.username = 'nobody'
  for (const program of [['server/staff.ts', 'list'], ['server/check.ts']]) {
    const told = await refusal(program, { DATABASE_URL: url.href })
    expect(told).toMatch(/^The database of DATABASE_URL cannot be used: .+\.\n$/)
    expect(told).toMatch(why)
  }
})

test('a bucket that cannot be reached stops the commands with a sentence that says why', async () => {
  await serve()
  const bucket = { OMS_S3_URL: 'http://127.0.0.1:1/bucket', OMS_S3_KEY_ID: 'key', OMS_S3_SECRET: 'secret' }
  const file = join(installed.newFolder(), 'oms.tar.gz')
  for (const program of [['server/check.ts'], ['server/backup.ts', file]])
    expect(await refusal(program, bucket)).toBe(
      'The storage of pictures is not available. Try again later. connect ECONNREFUSED 127.0.0.1:1.\n',
    )
  expect(existsSync(file)).toBe(false)
})

describe('files that the system user may not open, such as those that root has created', () => {
  /** Root may open every file, except without these two capabilities. */
  const asOrdinaryUser =
    '[ "$(id -u)" -ne 0 ] || exec setpriv --bounding-set=-dac_override,-dac_read_search "$0" "$@"'
  const refusedFor = async (file: string, args: string[], mode = 0) => {
    chmodSync(join(folder, file), mode)
    const { code, stderr } = await installed.run(args, env, '', asOrdinaryUser)
    chmodSync(join(folder, file), file === '.' ? 0o700 : 0o600)
    expect([code, stderr]).toEqual([1, expect.not.stringMatching(/\n\s+at /)])
    return stderr
  }

  test('stop the server and every command with the name of the file and what to do', async () => {
    await serve()
    const backup = ['server/backup.ts', join(installed.newFolder(), 'oms.tar.gz')]
    for (const [file, args] of [
      ['server.lock', ['server/main.ts']],
      ['in-use.json', ['server/staff.ts', 'list']],
      ['oms.db', ['server/staff.ts', 'list']],
      ['oms.db', ['server/check.ts']],
      ['oms.db', backup],
    ] as const) {
      const told = await refusedFor(file, [...args])
      expect(told).toMatch(new RegExp(`^${join(folder, file)} cannot be opened: EACCES: `))
      expect(told).toContain(`chown -R USER: ${folder}`)
    }
    expect(await serve()).toContain('is ready')
  })

  test('are not reported as damage by the check if they may only be read', async () => {
    await serve()
    expect(await refusedFor('oms.db', ['server/check.ts'], 0o400)).toContain(
      'oms.db cannot be opened: EACCES',
    )
  })

  test('are not reported as a database that does not exist', async () => {
    await serve()
    const told = await refusedFor('.', ['server/check.ts'])
    expect(told).toContain('cannot be opened: EACCES')
    expect(told).not.toContain('There is no database')
  })
})

describe('for other users of the machine', () => {
  const modes = () => {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    return Object.fromEntries(
      ['.', ...names].map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
    )
  }

  test('all files in the data folder are private from their creation, with any umask (reliability 11)', async () => {
    const server = await installed.start(env, 'umask 000')
    const running = modes()
    expect(Object.keys(running)).toContain('oms.db-wal')
    expect(Object.entries(running).filter(([name, mode]) => mode !== (name === '.' ? '700' : '600'))).toEqual(
      [],
    )
    const { stdout } = await server.end('SIGTERM')
    expect(stdout).not.toContain('Other users')
    const { code, stderr } = await installed.run(['server/staff.ts', 'add', 'a@b.test', '--generate'], env)
    expect([code, stderr]).toEqual([0, ''])
    expect(Object.entries(modes()).filter(([name, mode]) => mode !== (name === '.' ? '700' : '600'))).toEqual(
      [],
    )
  })

  test('a folder of an earlier version is made private at the start, with one log line (reliability 11)', async () => {
    await serve()
    mkdirSync(join(folder, 'storage', 'objects'), { recursive: true })
    writeFileSync(join(folder, 'storage', 'objects', 'picture'), 'x')
    for (const path of ['.', 'storage', 'storage/objects']) chmodSync(join(folder, path), 0o755)
    for (const path of ['oms.db', 'storage/objects/picture']) chmodSync(join(folder, path), 0o644)
    const lines = (await serve()).split('\n').filter((line) => line.includes('Other users'))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 40,
      msg: `Other users of this machine could read 5 files and folders in ${folder}. They are private now.`,
    })
    expect(modes()).toMatchObject({
      '.': '700',
      'oms.db': '600',
      storage: '700',
      'storage/objects/picture': '600',
    })
    expect(await serve()).not.toContain('Other users')
  })
})

test('a running server has stored its compiled code, so that the next start is faster also if it is killed', async () => {
  const stored = join(installed.newFolder(), 'compiled')
  const server = await installed.start({ ...env, NODE_COMPILE_CACHE: stored })
  const kilobytes = () =>
    readdirSync(stored, { recursive: true, encoding: 'utf8' }).reduce(
      (sum, path) => sum + statSync(join(stored, path)).size / 1024,
      0,
    )
  await expect.poll(kilobytes, { timeout: 10_000 }).toBeGreaterThan(500)
  await server.end('SIGKILL')
})

test('the upgrade of an older database says what it does, and a start without an upgrade says nothing', async () => {
  mkdirSync(folder, { recursive: true })
  const engine = openSqlite(join(folder, 'oms.db'))
  await writeOldDatabase(engine)
  await engine.close()
  const said = async () => {
    const server = await installed.start(env)
    const { stderr } = await server.end('SIGTERM')
    return stderr.split('\n').filter((line) => line.startsWith('Upgrading'))
  }
  expect(await said()).toEqual([
    ...['tables', 'numbers', 'trigrams', 'words', 'vocabulary'].map(
      (step) => `Upgrading the database: ${step}`,
    ),
    expect.stringMatching(/^Upgrading the database: done in [\d.]+ s$/),
  ])
  expect(await said()).toEqual([])
})

test('demo data can be served to other machines once a real account exists', async () => {
  const demo = await installed.start({ ...env, OMS_DEMO: 'on' })
  const url = demo.url
  await demo.end('SIGTERM')
  expect(url).toContain('127.0.0.1')
  expect(await refusal(['server/main.ts'], { HOST: '0.0.0.0' })).toContain('npm run staff -- add')
  const added = await installed.run(['server/staff.ts', 'add', 'a@b.test', '--generate'], env)
  expect(added.stdout).toContain('The demo login dispatcher@twende.test is disabled. The demo data is kept.')
  const server = await installed.start({ ...env, HOST: '0.0.0.0' })
  expect(server.output()).not.toContain('Demo login')
  const login = await fetch(`http://127.0.0.1:${new URL(server.url).port}/api/v1/oms/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'dispatcher@twende.test', password: 'twende-demo' }),
  })
  expect(login.status).toBe(401)
  await server.end('SIGTERM')
})
