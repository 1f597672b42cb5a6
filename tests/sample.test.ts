import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const support = join(import.meta.dirname, 'support')
let folder = ''

/** 400 tests that print their numbers, a `describe` of one test whose hook prints, and one test that is skipped by its author. */
const tests = `
import { beforeAll, describe, it } from 'vitest'
const print = (text) => process.stdout.write('<' + text + '>\\n')
for (let at = 0; at < 400; at++)
  describe('part ' + at, () => {
    beforeAll(() => print('hook ' + at))
    it('does something', () => print('test ' + at))
  })
it.skip('is not ready', () => undefined)
`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oms-sample-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'some.test.js'), tests)
  const config = {
    test: {
      name: 'console',
      cache: false,
      reporters: [join(support, 'count-reporter.ts')],
      runner: join(support, 'sampling-runner.ts'),
    },
  }
  await writeFile(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(config)}`)
})
afterAll(() => rm(folder, { recursive: true }))

/** What a run with this seed printed: the numbers of the tests and hooks that ran, and its last lines. */
async function run(seed: string) {
  const printed = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder],
      { env: { ...process.env, OMS_TEST_SAMPLE: seed } },
      (_failure, stdout) => resolve(stdout),
    )
  })
  const of = (kind: string) => [...printed.matchAll(new RegExp(`<${kind} (\\d+)>`, 'g'))].map(([, at]) => at)
  return { tests: of('test'), hooks: of('hook'), end: printed.trim().split('\n').slice(-2) }
}

describe('a sample of the tests', () => {
  it('is the same for the same seed, and another for another', async () => {
    const [first, again, other] = await Promise.all([run('a'), run('a'), run('b')])
    expect(first.tests.length).toBeGreaterThan(60)
    expect(first.tests.length).toBeLessThan(200)
    expect(again.tests).toEqual(first.tests)
    expect(other.tests).not.toEqual(first.tests)
  })

  it('runs the hooks of its own tests only', async () => {
    const { tests, hooks } = await run('a')
    expect(hooks).toEqual(tests)
  })

  it('counts tests outside it neither as passed nor as failed, but a skipped test as failed', async () => {
    const { tests, end } = await run('a')
    expect(end).toEqual([
      `A sample: ${400 - tests.length} other tests did not run (\`npm run test:all\` runs them). This sample again: OMS_TEST_SAMPLE=a npm test`,
      `${tests.length} passed, 1 failed`,
    ])
  })
})
