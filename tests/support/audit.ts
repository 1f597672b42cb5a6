import { spawnSync } from 'node:child_process'
import { verdictOf } from './advisories.ts'

/** `npm run audit`: asks the registry for known vulnerabilities of the production packages. Fails from severity high on. */
const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json', '--fetch-retries=1'], {
  encoding: 'utf8',
})
const { text, code } = verdictOf(stdout)
process.stdout.write(`${text}\n`)
process.exitCode = code
