import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LoginAnswer } from '../../src/api/contract.ts'
import { Value } from 'typebox/value'
import { verdictOf } from '../support/advisories.ts'
import type { Installation } from '../support/installation.ts'
import { install } from '../support/installation.ts'
import { isAllowed, productionPackages } from '../support/packages.ts'

describe('an installation without development packages and install scripts', () => {
  let installed: Installation
  beforeAll(() => {
    installed = install({ production: true })
  })
  afterAll(() => installed.remove())

  test('serves the login page, a list and an export, and names the missing build (reliability 32)', async () => {
    const env = { OMS_DATA: installed.newFolder(), OMS_LOG: 'silent' }
    const { stdout } = await installed.run(['server/staff.ts', 'add', 'a@b.test', '--generate'], env)
    const password = /^Password: (\S+)$/m.exec(stdout)?.[1]
    const server = await installed.start(env)
    const page = await fetch(`${server.url}/login`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<title>Twende OMS')])
    const login = await fetch(`${server.url}/api/v1/oms/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'a@b.test', password }),
    })
    const { token } = Value.Parse(LoginAnswer, await login.json())
    const headers = { authorization: `Bearer ${token}` }
    for (const path of ['drivers/?s=juma', 'drivers-export-excel/']) {
      const answer = await fetch(`${server.url}/api/v1/oms/${path}`, { headers })
      expect([answer.status, (await answer.arrayBuffer()).byteLength > 0], path).toEqual([200, true])
    }
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' })

    rmSync(join(installed.code, 'dist'), { recursive: true })
    const { code, stderr } = await installed.run(['server/main.ts'], env)
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^The console is not built: .*npm ci && npm run build/),
    ])
    expect(stderr).not.toMatch(/\n\s+at /)
  })
})

test('production packages have allowed licences only (reliability 32)', () => {
  expect(productionPackages().filter((one) => !isAllowed(one))).toEqual([])
  expect(['MIT', 'GPL-3.0-only', '', 'MIT OR GPL-3.0'].map((licence) => isAllowed({ licence }))).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test('the audit fails for severity high and critical, and says when nothing was checked (reliability 32)', () => {
  const report = (severity: string) =>
    JSON.stringify({ vulnerabilities: { pg: { severity, nodes: ['node_modules/pg'] } } })
  const codes = [report('high'), report('critical'), report('moderate'), '{"vulnerabilities":{}}', ''].map(
    (json) => verdictOf(json).code,
  )
  expect(codes).toEqual([1, 1, 0, 0, 2])
  expect(verdictOf(report('high')).text).toContain('high: pg (node_modules/pg)')
  expect(verdictOf('{"message":"405 Method Not Allowed"}')).toEqual({
    text: 'Nothing was checked, because the registry does not answer: 405 Method Not Allowed',
    code: 2,
  })
})
