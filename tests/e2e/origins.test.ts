import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import type { Engine } from '../../server/db/engine.ts'
import type { TypedApp } from '../../server/deps.ts'
import { launchBrowser } from '../support/browser.ts'
import { openTestEngine } from '../support/engines.ts'
import { buildDriver, buildStaff } from '../support/factories.ts'
import { bootApp, signIn } from '../support/server.ts'

/** A foreign site: one server, which the browser knows by two origins. */
const site = createServer((_request, response) => response.end('<!doctype html><title>Foreign site</title>'))
let browser: Browser
let engine: Engine
let app: TypedApp
let page: Page
let api: string
let port: number
let authorization: string

beforeAll(async () => {
  site.listen(0)
  await once(site, 'listening')
  const address = site.address()
  port = typeof address === 'object' && address ? address.port : 0
  engine = await openTestEngine('sqlite')
  app = await bootApp(engine, { config: { origins: [`http://127.0.0.1:${port}`] } })
  api = `${await app.listen({ port: 0, host: '127.0.0.1' })}/api/v1/oms`
  await buildDriver(engine, { id: 1, fullname: 'Wanjiru Kamau' })
  authorization = (await signIn(app, await buildStaff(engine))).authorization
  browser = await launchBrowser()
  page = await browser.newPage()
})
afterAll(async () => {
  await browser.close()
  site.close()
  await app.close()
  await engine.close()
})

interface Sent {
  path: string
  method?: 'POST'
  key?: string
}

/** What a page of this host gets when it makes a call as the console does: status, text and file name, or null. */
async function callFrom(host: string, { path, method, key }: Sent) {
  await page.goto(`http://${host}:${port}/`)
  return page.evaluate(
    async ({ url, authorization, method, key }) => {
      const headers = {
        authorization,
        ...(key && { 'idempotency-key': key, 'content-type': 'application/json' }),
      }
      const sent = { headers, ...(method && { method, body: '{}' }) }
      const answer = await fetch(url, sent).catch(() => null)
      if (!answer) return null
      const text = await answer.text()
      return { status: answer.status, text, file: answer.headers.get('content-disposition') }
    },
    { url: api + path, authorization, method, key },
  )
}

test('a browser lets pages of an origin in OMS_ORIGINS make the calls of the console, and no others (reliability 7)', async () => {
  const list = { path: '/drivers/' }
  const suspend = { path: '/driver/1/suspend/', method: 'POST', key: 'a-key-of-this-test' } as const
  const isSuspended = async () =>
    (await engine.db.selectFrom('drivers').select('deleted').executeTakeFirstOrThrow()).deleted === 1

  expect(await callFrom('localhost', list)).toBeNull()
  expect(await callFrom('localhost', suspend)).toBeNull()
  expect(await isSuspended()).toBe(false)

  const listed = await callFrom('127.0.0.1', list)
  expect(listed?.text).toContain('Wanjiru Kamau')
  expect(await callFrom('127.0.0.1', suspend)).toMatchObject({ status: 200 })
  expect(await isSuspended()).toBe(true)
  const exported = await callFrom('127.0.0.1', { path: '/drivers-export-excel/' })
  expect(exported?.file).toContain('.xlsx')
  expect(await callFrom('127.0.0.1', { path: '/drivers/999' })).toMatchObject({ status: 404 })
})
