import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BrowserContext } from 'playwright-core'
import { demoLogin } from '../server/demo/access.ts'

/** Makes demo data in a new temporary folder and returns the folder. */
export async function newDemoFolder(drivers: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'oms-bench-'))
  await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, '../server/demo/cli.ts'), '--drivers', String(drivers)],
    { env: { ...process.env, OMS_DATA: folder } },
  )
  return folder
}

/** Logs in with the demo login and returns the token of the session. */
export async function logIn(url: string): Promise<string> {
  const answer = await fetch(new URL('/api/v1/oms/login/', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(demoLogin),
  })
  const session: unknown = await answer.json()
  if (typeof session === 'object' && session !== null && 'token' in session) return String(session.token)
  throw new Error(`The login failed: ${JSON.stringify(session)}`)
}

/** Gives the product's pages of a browser profile this session. */
export async function giveSession(context: BrowserContext, token: string): Promise<void> {
  await context.addInitScript(
    ([given, email]) => {
      sessionStorage.setItem('oms.session', JSON.stringify({ token: given }))
      sessionStorage.setItem('oms.staff', JSON.stringify({ email }))
    },
    [token, demoLogin.email] as const,
  )
}
