import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { Engine } from '../../server/db/engine.ts'
import { migrate } from '../../server/db/migrate.ts'
import { openPostgres } from '../../server/db/postgres.ts'
import { openSqlite } from '../../server/db/sqlite.ts'
import type { TypedApp } from '../../server/deps.ts'
import { LoginAnswer } from '../../src/api/contract.ts'
import { engines } from '../support/engines.ts'
import { buildStaff } from '../support/factories.ts'
import type { Ended, Installation } from '../support/installation.ts'
import { install } from '../support/installation.ts'
import { runOn } from '../support/postgres.ts'
import { bootApp, logIn, read, signIn } from '../support/server.ts'

let installed: Installation
beforeAll(() => {
  installed = install()
})
afterAll(() => installed.remove())

describe.each(engines)('npm run staff on %s', (name) => {
  let env: Record<string, string>
  let engine: Engine
  let app: TypedApp

  beforeEach(async () => {
    const database = `test_${randomUUID().replaceAll('-', '')}`
    const folder = join(installed.newFolder(), 'not', 'there', 'yet')
    if (name === 'postgres') await runOn(inject('postgresUrl'), `create database ${database}`)
    const url = new URL(inject('postgresUrl'))
    url.pathname = `/${database}`
    env = { OMS_DATA: folder, ...(name === 'postgres' && { DATABASE_URL: url.href }) }
    if (name === 'sqlite') {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(join(folder, 'oms.db'), '', { mode: 0o600 })
    }
    engine = name === 'postgres' ? openPostgres(url.href) : openSqlite(join(folder, 'oms.db'))
    app = await bootApp(engine)
    return async () => {
      await app.close()
      await engine.close()
      if (name === 'postgres') await runOn(inject('postgresUrl'), `drop database ${database} with (force)`)
    }
  })

  const staff = (line: string, input = '') =>
    installed.run(['server/staff.ts', ...line.split(' ')], env, input)
  /** What the audit has of the commands, without the system user who ran them. */
  const recorded = async () => {
    const rows = await engine.db.selectFrom('audit_events').selectAll().orderBy('id').execute()
    const commands = rows.filter(({ event }) => event.startsWith('staff.'))
    for (const { origin, at } of commands) {
      expect(origin).toBe(userInfo().username)
      expect(Math.abs(at - Date.now())).toBeLessThan(60_000)
    }
    return commands.map(({ event, about }) => `${event} ${about ?? ''}`)
  }
  const generated = ({ stdout }: Ended) => /^Password: (\S+)$/m.exec(stdout)?.[1] ?? ''

  test('a person added with a generated password can sign in (S1.1)', async () => {
    const added = await staff('add Amina.Yusuf@Twende.test --generate')
    expect(added).toMatchObject({ code: 0, stderr: '' })
    expect(added.stdout).toContain('amina.yusuf@twende.test can sign in now.')
    expect(generated(added).length).toBeGreaterThanOrEqual(20)
    read(await logIn(app, { email: 'amina.yusuf@twende.test', password: generated(added) }), LoginAnswer)
    expect(await recorded()).toEqual(['staff.add amina.yusuf@twende.test'])
  })

  test('a typed password is stored unchanged; it needs at least 12 characters (reliability 4)', async () => {
    const password = ' nywila 🔑 éé'
    expect(await staff('add a@b.test', `${password}\n`)).toMatchObject({ code: 0 })
    read(await logIn(app, { email: 'a@b.test', password }), LoginAnswer)
  })

  test('a password from another program needs no line break at its end (reliability 4)', async () => {
    const password = 'from a password manager'
    expect(await staff('add a@b.test', password)).toMatchObject({ code: 0 })
    read(await logIn(app, { email: 'a@b.test', password }), LoginAnswer)
  })

  test('the e-mail of the demo login cannot get an account, which could not sign in', async () => {
    const refused = await staff('add Dispatcher@twende.test --generate')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('dispatcher@twende.test is the demo login')
    expect(await recorded()).toEqual([])
  })

  test('no account is made while the demo data is incomplete, whose next load would delete it', async () => {
    await migrate(engine)
    await engine.db.insertInto('meta').values({ name: 'demo', value: 'loading' }).execute()
    const refused = await staff('add a@b.test --generate')
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^The demo data is being loaded, .+ Then run this command again\.\n$/)
    expect(await engine.db.selectFrom('staff').selectAll().execute()).toEqual([])
    expect(await staff('list')).toMatchObject({ code: 0, stderr: '' })
  })

  test('disable ends every session and blocks the login; enable allows it again (reliability 2)', async () => {
    await migrate(engine)
    const amina = await buildStaff(engine, { email: 'a@b.test' })
    const headers = await signIn(app, amina)
    const look = async () => (await app.inject({ url: '/api/v1/oms/analytics/', headers })).statusCode
    expect(await look()).toBe(200)
    expect(await staff('disable A@b.test')).toMatchObject({ code: 0 })
    expect(await look()).toBe(401)
    expect((await logIn(app, amina)).statusCode).toBe(401)
    expect(await staff('enable a@b.test')).toMatchObject({ code: 0 })
    expect(await recorded()).toEqual(['staff.disable a@b.test', 'staff.enable a@b.test'])
    expect(await look()).toBe(401)
    read(await logIn(app, amina), LoginAnswer)
  })

  test('reset-password ends every session and replaces the old password (reliability 2)', async () => {
    await migrate(engine)
    const amina = await buildStaff(engine, { email: 'a@b.test' })
    const headers = await signIn(app, amina)
    const password = generated(await staff('reset-password a@b.test --generate'))
    expect((await app.inject({ url: '/api/v1/oms/analytics/', headers })).statusCode).toBe(401)
    expect((await logIn(app, amina)).statusCode).toBe(401)
    expect(await recorded()).toEqual(['staff.reset-password a@b.test'])
    read(await logIn(app, { email: 'a@b.test', password }), LoginAnswer)
  })

  test('audit prints the newest seal, and later what was changed since, with exit code 1', async () => {
    await migrate(engine)
    await buildStaff(engine, { email: 'a@b.test' })
    await staff('disable a@b.test')
    const first = await staff('audit')
    expect(first).toMatchObject({ code: 0, stderr: '' })
    const [, rows, seal = ''] =
      /unchanged: (\d+) rows\.\nNewest seal, .*: (1:\w{64})\n$/.exec(first.stdout) ?? []
    expect(rows).toBe('1')
    expect(await staff(`audit ${seal}`)).toMatchObject({ code: 0, stdout: first.stdout })
    await engine.db.updateTable('audit_events').set({ about: 'b@b.test' }).execute()
    expect(await staff(`audit ${seal}`)).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: 'audit_events, rows 1 to 1: a row was changed, or their seal 1.\n',
    })
    expect((await staff('audit 1:x')).stderr).toMatch(/^"1:x" is not a seal\./)
  })

  test('list shows all staff with their state and no password hashes', async () => {
    await migrate(engine)
    const date_joined = Date.UTC(2025, 10, 3)
    await buildStaff(engine, { email: 'b@b.test', disabled: 1, date_joined })
    await buildStaff(engine, { email: 'a@b.test', date_joined })
    expect(await staff('list')).toMatchObject({
      code: 0,
      stdout: 'a@b.test\t2025-11-03\tactive\nb@b.test\t2025-11-03\tdisabled\n',
    })
  })

  test('a command that is not possible prints a message without a stack and changes nothing', async () => {
    await migrate(engine)
    await buildStaff(engine, { email: 'a@b.test' })
    const all = () => engine.db.selectFrom('staff').selectAll().execute()
    const before = await all()
    const mistakes = await Promise.all([
      staff('add a@b.test --generate'),
      staff('disable nobody@b.test'),
      staff('reset-password nobody@b.test --generate'),
    ])
    expect(mistakes.map(({ code, stderr }) => [code, stderr.trim()])).toEqual([
      [1, 'a@b.test already has an account.'],
      [1, 'nobody@b.test has no account.'],
      [1, 'nobody@b.test has no account.'],
    ])
    expect(await all()).toEqual(before)
    expect(await recorded()).toEqual([])
  })

  test.each(['add a@b.test', 'reset-password nobody@b.test'])(
    '%s neither asks for a password nor prints one if it cannot use it',
    async (line) => {
      await migrate(engine)
      await buildStaff(engine, { email: 'a@b.test' })
      for (const how of ['', ' --generate']) {
        const refused = await staff(line + how, 'a password that is long enough\n')
        expect(refused).toMatchObject({ code: 1, stdout: '' })
        expect(refused.stderr).not.toContain('Password')
      }
    },
  )
})

test.each([
  ['add nonsense --generate', '', '"nonsense" is not an e-mail address.'],
  ['add c@b.test', 'too short\n', 'at least 12 characters'],
  ['add c@b.test', '', 'at least 12 characters'],
  ['promote a@b.test', '', 'Usage: npm run staff'],
  ['add', '', 'Usage: npm run staff'],
  ['', '', 'Usage: npm run staff'],
])('npm run staff -- %s is rejected with a message and without a stack', async (line, input, words) => {
  const env = { OMS_DATA: installed.newFolder() }
  const { code, stderr } = await installed.run(['server/staff.ts', ...line.split(' ')], env, input)
  expect(code).toBe(1)
  expect(stderr).toContain(words)
  expect(stderr).not.toMatch(/\n\s+at /)
})
