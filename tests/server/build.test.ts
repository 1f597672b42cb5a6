import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build as viteBuild } from 'vite'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { build } from '../../server/build.ts'
import { logIn } from '../../bench/demo.ts'
import { install } from '../support/installation.ts'

describe('an installation that cannot build', () => {
  const root = mkdtempSync(join(tmpdir(), 'program-'))
  afterAll(() => rmSync(root, { recursive: true }))

  /** Writes a file that was changed at this hour. */
  const write = (path: string, hour: number) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), '')
    utimesSync(join(root, path), hour * 3600, hour * 3600)
  }
  beforeEach(() => {
    for (const path of ['server/serve.ts', 'server/db/engine.ts', 'src/api/contract.ts']) write(path, 1)
    for (const path of ['dist/index.html', 'dist-server/serve.js']) write(path, 2)
  })
  const built = join(root, 'dist-server/serve.js')
  const sources = join(root, 'server/serve.ts')

  test('runs the built server', () => {
    expect(build(root)).toBe(built)
  })

  test.each(['server/db/engine.ts', 'src/api/contract.ts', 'package-lock.json'])(
    'runs the sources of the server if %s is newer than the built one',
    (path) => {
      write(path, 3)
      expect(build(root)).toBe(sources)
      rmSync(join(root, path))
    },
  )

  test('runs the sources of a server that was never built', () => {
    rmSync(built)
    expect(build(root)).toBe(sources)
  })

  test('serves the console that it has, and says how to get one if it has none', () => {
    write('src/api/contract.ts', 3)
    build(root)
    rmSync(join(root, 'dist'), { recursive: true })
    expect(() => build(root)).toThrow(/^The console is not built: .*npm ci && npm run build/)
  })
})

test('the built server serves pages and calls with one package and none of its sources', async () => {
  const installed = install()
  try {
    await viteBuild({
      build: { ssr: true, outDir: join(installed.code, 'dist-server'), emptyOutDir: true },
      logLevel: 'warn',
    })
    const { code } = installed
    rmSync(join(code, 'node_modules'))
    cpSync('node_modules/tinypool', join(code, 'node_modules/tinypool'), { recursive: true })
    for (const path of ['app.ts', 'db/sqlite-thread.ts', 'db/sqlite-statements.ts'])
      rmSync(join(code, 'server', path))
    const server = await installed.start({
      OMS_DATA: installed.newFolder(),
      OMS_LOG: 'silent',
      OMS_DEMO: 'on',
    })
    const statuses = ['/login', '/healthz', '/api/v1/oms/drivers/'].map(
      async (path) => (await fetch(server.url + path)).status,
    )
    expect(await Promise.all(statuses)).toEqual([200, 200, 401])
    const headers = { authorization: `Bearer ${await logIn(server.url)}` }
    // Answered on a thread.
    const found = await fetch(`${server.url}/api/v1/oms/trips/?s=nairobi`, { headers })
    expect([found.status, await found.json()]).toMatchObject([200, { results: { length: 50 } }])
    const { code: exitCode, stderr } = await server.end('SIGTERM')
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(/^(Loading the demo data: .*\n)+$/)
  } finally {
    await installed.remove()
  }
})

test('the documented command that removes the development packages leaves package-lock.json as old as it is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'program-'))
  const names = { name: 'program', version: '1.0.0' }
  const lock = join(folder, 'package-lock.json')
  writeFileSync(join(folder, 'package.json'), JSON.stringify(names))
  writeFileSync(
    lock,
    JSON.stringify({ ...names, lockfileVersion: 3, requires: true, packages: { '': names } }),
  )
  utimesSync(lock, 3600, 3600)
  const [, command = ''] = /(npm\s+prune [^`]+)`/.exec(readFileSync('docs/operations.md', 'utf8')) ?? []
  const [npm = '', ...args] = command.split(/\s+/)
  execFileSync(npm, [...args, '--offline'], { cwd: folder })
  expect(statSync(lock).mtimeMs).toBe(3_600_000)
  rmSync(folder, { recursive: true })
})
