import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import { build } from 'vite'
import { buildApp } from '../server/app.ts'
import { readConfig } from '../server/config.ts'
import { openDatabase } from '../server/db/open.ts'
import { demoLogin } from '../server/demo/access.ts'
import { findBrowser } from '../tests/support/browser.ts'
import { figuresOf, listenInPage } from './palette/probe.ts'

/**
 * Times the palette of the production build with 0, 1,000 and 10,000 further commands, on the real server with demo data:
 * from Ctrl+K until its input is focused and rows are painted, and from each key until its rows are painted. The CPU runs
 * at full speed and at a quarter of it. Rounds of all combinations alternate, so that other programs slow down all alike.
 */
const rounds = 3
const counts = [0, 1_000, 10_000]
const slowdowns = [1, 4]
const queries = ['kam', 'otieno', 'dr-0042', 'susp']

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'oms-bench-'))
try {
  await run()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function run(): Promise<void> {
  const consoleFolder = join(folder, 'console')
  await build({
    root: join(import.meta.dirname, 'palette'),
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: consoleFolder, emptyOutDir: true, sourcemap: false, chunkSizeWarningLimit: 2000 },
  })
  const env = { ...process.env, OMS_DATA: join(folder, 'data'), PORT: '0', OMS_LOG: 'warn' }
  execFileSync(process.execPath, [join(root, 'server/demo/cli.ts'), '--drivers', '1200'], {
    env,
    stdio: 'ignore',
  })
  const config = readConfig(env)
  const engine = openDatabase(config)
  const app = await buildApp({ config, engine, consoleFolder, demoLogin })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const found = await findBrowser()
  if ('missing' in found) throw new Error(found.missing)
  const browser = await chromium.launch({ ...found, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const times = new Map<string, { open: number[]; key: number[]; rows: number }>()
    for (let round = 0; round <= rounds; round++)
      for (const count of counts)
        for (const slowdown of slowdowns) {
          const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
          await prepare(page, `${url}/?n=${String(count)}`, slowdown)
          const measured = await measure(page)
          await page.close()
          // The first round warms up the machine.
          if (round === 0) continue
          const name = `${String(count).padStart(6)} commands, CPU 1/${String(slowdown)}`
          const all = times.get(name) ?? { open: [], key: [], rows: 0 }
          all.open.push(...measured.open)
          all.key.push(...measured.key)
          all.rows = Math.max(all.rows, measured.rows)
          times.set(name, all)
        }
    console.log('in ms: median, 95 of 100, worst')
    for (const [name, { open, key, rows }] of times)
      console.log(`${name}   open ${figuresOf(open)}   key ${figuresOf(key)}   at most ${String(rows)} rows`)
  } finally {
    await browser.close()
    await app.close()
    await engine.close()
  }
}

async function prepare(page: Page, url: string, slowdown: number): Promise<void> {
  const answer = await fetch(new URL('/api/v1/oms/login/', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(demoLogin),
  })
  const session: unknown = await answer.json()
  const token = typeof session === 'object' && session !== null && 'token' in session ? session.token : ''
  await page.addInitScript(
    ([given, email]) => {
      sessionStorage.setItem('oms.session', JSON.stringify({ token: given }))
      sessionStorage.setItem('oms.staff', JSON.stringify({ email }))
    },
    [String(token), demoLogin.email],
  )
  await page.addInitScript(listenInPage)
  // Local rows are timed; an answer that comes later would be taken for the effect of a key.
  await page.route('**/api/v1/oms/search/**', () => undefined)
  await page.goto(url)
  await page.locator('h1').waitFor()
  // The palette prepares itself while nobody types.
  await page.waitForTimeout(2_500)
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
}

async function measure(page: Page): Promise<{ open: number[]; key: number[]; rows: number }> {
  const open: number[] = []
  const key: number[] = []
  let rows = 0
  const press = async (name: string, what: 'opened' | 'changed') => {
    await page.evaluate((condition) => window.bench.wait(condition), what)
    await page.keyboard.press(name)
    return page.evaluate(() => window.bench.result())
  }
  for (let times = 0; times < 3; times++) {
    const ms = await press('Control+k', 'opened')
    // The first one is not warm.
    if (ms !== null && times > 0) open.push(ms)
    await page.keyboard.press('Escape')
    await page.waitForTimeout(150)
  }
  await press('Control+k', 'opened')
  for (const query of queries) {
    for (const letter of query) {
      const ms = await press(letter === ' ' ? 'Space' : letter, 'changed')
      // Null: this key changed no row.
      if (ms !== null) key.push(ms)
      rows = Math.max(rows, await page.locator('[role=option]').count())
    }
    await page.waitForTimeout(250)
    await page.locator('[role=combobox]').fill('')
    await page.waitForTimeout(100)
  }
  return { open, key, rows }
}
