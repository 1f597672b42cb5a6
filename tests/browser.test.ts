import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { findBrowser, unpackBrowser } from './support/browser.ts'

const machine = {
  platform: 'linux',
  arch: 'x64',
  env: {},
  starts: () => Promise.resolve(false),
  unpack: () => Promise.resolve('/unpacked/chromium'),
}

test('on Linux for x64 the browser tests use Chromium from npm', async () => {
  expect(await findBrowser(machine)).toEqual({ executablePath: '/unpacked/chromium' })
})

test.each([
  ['darwin', 'arm64'],
  ['win32', 'x64'],
  ['linux', 'arm64'],
])(
  'on %s %s the browser tests use the first of Chrome, Edge and Chromium that starts',
  async (platform, arch) => {
    const here = { ...machine, platform, arch }
    for (const channel of ['chrome', 'msedge', 'chromium'])
      expect(await findBrowser({ ...here, starts: (name) => Promise.resolve(name === channel) })).toEqual({
        channel,
      })
  },
)

test('the error says what to install if there is no browser', async () => {
  expect(await findBrowser({ ...machine, platform: 'darwin', arch: 'arm64' })).toEqual({
    missing:
      'The browser tests need Chrome, Edge or Chromium on darwin arm64: install one, or name its program in CHROME_PATH.',
  })
})

test('CHROME_PATH is used before any other browser, and the error names it when its file is missing', async () => {
  const named = join(tmpdir(), 'some-chrome')
  writeFileSync(named, '')
  expect(await findBrowser({ ...machine, env: { CHROME_PATH: named } })).toEqual({ executablePath: named })
  expect(await findBrowser({ ...machine, env: { CHROME_PATH: '/not/there' } })).toEqual({
    missing: 'CHROME_PATH is "/not/there", and there is no such file.',
  })
})

test('unpacking twice concurrently gives one complete browser and no other files', async () => {
  const cache = join(mkdtempSync(join(tmpdir(), 'cache-')), 'not', 'there')
  const [first, second] = await Promise.all([unpackBrowser(cache), unpackBrowser(cache)])
  expect(second).toBe(first)
  expect(readdirSync(cache)).toHaveLength(1)
  const version = spawn(first, ['--version', '--no-sandbox'])
  await once(version, 'exit')
  expect(version.exitCode).toBe(0)
  expect(await unpackBrowser(cache)).toBe(first)
})

test('when a test run ends, even by kill -9, its servers are killed and its temporary folder is removed', async () => {
  const outer = mkdtempSync(join(tmpdir(), 'outer-'))
  const script = `
    import { spawn } from 'node:child_process'
    import { endWithRun, openRunFolder } from ${JSON.stringify(join(import.meta.dirname, 'support', 'run-folder.ts'))}
    openRunFolder()
    const server = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    endWithRun(server.pid)
    process.stdout.write(String(server.pid))
    setInterval(() => {}, 1000)`
  const run = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, TMPDIR: outer },
  })
  let said = ''
  run.stdout.on('data', (text: Buffer) => (said += text.toString()))
  await once(run.stdout, 'data')
  const server = Number(said)
  expect(readdirSync(outer)).toHaveLength(1)
  run.kill('SIGKILL')
  await vi.waitFor(
    () => {
      expect(() => process.kill(server, 0)).toThrow('ESRCH')
      expect(readdirSync(outer)).toEqual([])
    },
    { timeout: 20_000 },
  )
})
