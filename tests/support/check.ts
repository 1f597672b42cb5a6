import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** `npm run verify`: runs the given npm scripts in parallel and prints each result, with the output if it failed. */
const run = async (script: string) => {
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const passed = child.exitCode === 0
  process.stdout.write(`${script}: ${passed ? 'passed' : `failed\n${stdout}${stderr}`}\n`)
  return passed
}
const results = await Promise.all(process.argv.slice(2).map(run))
if (results.includes(false)) process.exitCode = 1
