import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import { demoLogin } from '../../server/demo/access.ts'
import { LoginAnswer } from '../../src/api/contract.ts'
import { launchBrowser, launchProfile } from './browser.ts'
import { newDemoFolder } from './demo-folder.ts'
import { compileCache, endWithRun } from './run-folder.ts'
import { noteRequests, shownBy } from './shown.ts'

declare global {
  interface Window {
    reportViolation: (text: string) => void
  }
}

export const staff = demoLogin
const root = '/api/v1/oms/'

/** Not the time zone and language of Kenya, because they must not change what the console shows. */
const elsewhere: BrowserContextOptions = {
  viewport: { width: 1440, height: 900 },
  timezoneId: 'America/New_York',
  locale: 'de-DE',
}

interface OpenOptions extends BrowserContextOptions {
  /** False opens the page without a session. */
  signedIn?: boolean
  /** The token of a separate session, for a test that ends its session. */
  token?: string
  /** Does not wait for the code of the dialogs, which comes after the first screen. */
  early?: true
  /**
   * Lets the test change with `page.route` and `page.unroute` which requests it answers after the page has loaded.
   * Chromium loses requests that begin in the moment in which answering is switched on, so here it is on from the start
   * to the end. The browser then sends no preflight requests to other origins.
   */
  answers?: true
  /** Runs before the page loads for the first time. */
  prepare?: (page: Page) => Promise<unknown>
}

/** A backend other than our server. */
interface Backend {
  url: string
  scheme: string
  login: typeof staff
}

/**
 * The real server on demo data and a browser, for all tests of a file. A console error or warning, an uncaught error, a
 * policy violation and an error in the server's log fail the test, unless `expectTrouble` allows them.
 */
export interface TwendeConsole {
  url: string
  staff: typeof staff
  dataFolder: string
  /** Opens a page in a new browser profile. */
  open(path?: string, options?: OpenOptions): Promise<Page>
  /** Opens another tab in the browser profile of the given page. */
  openTab(beside: Page, path?: string): Promise<Page>
  /** Starts another browser process on a profile folder; all its pages are signed in. */
  openProfile(folder: string): Promise<BrowserContext>
  /** Reads from the API directly, without the browser. */
  read<Schema extends TSchema>(path: string, schema: Schema): Promise<Static<Schema>>
  /** Sends a POST without body to the API directly, without the browser. */
  post(path: string, token?: string): Promise<void>
  newToken(): Promise<string>
  /** The status of a GET with this token. */
  status(path: string, token: string): Promise<number>
  /** Allows errors that match; the test fails if one of the patterns matches none. */
  expectTrouble(...patterns: RegExp[]): void
  killServer(): Promise<void>
  /** Starts the server again on the same port and data. */
  startServer(): Promise<void>
  /** Moves the data to another folder and serves them on another port. */
  moveServer(): Promise<void>
}

/**
 * With `backend`, our server only serves the console's files, and the console calls that backend. `settings` are
 * further environment variables of the server.
 */
export function useConsole(backend?: Backend, settings: Record<string, string> = {}): TwendeConsole {
  // A function, as the address of the backend is known only after it has started.
  const env = () => ({ ...envOf(backend), ...settings })
  let server: Server | undefined
  let browser: Browser | undefined
  /** The token of the session that all tests share, as each login computes a slow password hash. */
  let shared = ''
  let troubles: string[] = []
  let expected: RegExp[] = []
  const contexts = new Set<BrowserContext>()

  const started = () => {
    if (!server || !browser) throw new Error('The server and the browser run only while a test runs.')
    return { server, browser, api: (backend?.url ?? server.url) + root }
  }
  const login = backend?.login ?? staff
  const bearer = (token: string) => ({ authorization: `${backend?.scheme ?? 'Bearer'} ${token}` })

  beforeAll(async () => {
    const dataFolder = await newDemoFolder()
    const [ready, launched] = await Promise.all([
      startServer({ dataFolder, port: 0, env: env() }),
      launchBrowser(),
    ])
    server = ready
    browser = launched
    shared = await logIn(started().api, login)
  })

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail')
      for (const context of contexts) process.stdout.write(await shownBy(context))
    // The browser may report an error after the page has dealt with it. What never comes is named by the last assertion.
    await vi
      .waitUntil(() => {
        troubles.push(...(server?.takeErrors() ?? []))
        return expected.every((pattern) => troubles.some((text) => pattern.test(text)))
      }, 5_000)
      .catch(() => false)
    // A copy, as requests that the test held back are sent only now, and their failures do not count.
    const said = [...troubles]
    for (const context of contexts) {
      // A held request may be answered after its page is closed: ignore that error.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
      await context.close()
    }
    contexts.clear()
    const heard = [...said, ...(server?.takeErrors() ?? [])]
    const awaited = expected
    troubles = []
    expected = []
    // The console asks another backend once for its capabilities, and the browser reports the 404.
    const allowed = backend ? [...awaited, /status of 404.*capabilities/] : awaited
    expect(heard.filter((text) => !allowed.some((pattern) => pattern.test(text)))).toEqual([])
    expect(awaited.filter((pattern) => !heard.some((text) => pattern.test(text)))).toEqual([])
  })

  afterAll(async () => {
    await browser?.close()
    await server?.kill()
    if (server) await rm(server.dataFolder, { recursive: true, force: true })
  })

  return {
    get url() {
      return started().server.url
    },
    staff: login,
    get dataFolder() {
      return started().server.dataFolder
    },
    open: async (
      path = '/',
      { signedIn = true, token = shared, prepare, early, answers, ...options } = {},
    ) => {
      const context = await started().browser.newContext({ ...elsewhere, ...options })
      context.setDefaultTimeout(60_000)
      contexts.add(context)
      await listenTo(context, troubles)
      const page = await context.newPage()
      if (signedIn) await giveSession(page, token, login.email)
      if (answers) await page.route('**/no-such-request', (route) => route.fallback())
      await prepare?.(page)
      const refuse = () => Promise.reject(new Error('Open the page with `answers` to call this from now on.'))
      if (!answers) Object.assign(page, { route: refuse, unroute: refuse })
      await page.goto(started().server.url + path)
      if (path.includes('.')) return page
      await page.locator('main').waitFor()
      if (!early) await hasDialogs(page)
      return page
    },
    openTab: async (beside, path = '/') => {
      const page = await beside.context().newPage()
      await page.goto(started().server.url + path)
      return page
    },
    openProfile: async (folder) => {
      const context = await launchProfile(folder, { ...elsewhere, reducedMotion: 'reduce' })
      contexts.add(context)
      context.browser()?.once('disconnected', () => contexts.delete(context))
      await listenTo(context, troubles)
      await giveSession(context, shared, login.email)
      return context
    },
    read: async (path, schema) => {
      const response = await fetch(started().api + path, { headers: bearer(shared) })
      const body: unknown = await response.json()
      return Value.Parse(schema, body)
    },
    post: async (path, as = shared) => {
      const response = await fetch(started().api + path, {
        method: 'POST',
        headers: bearer(as),
      })
      expect(response.ok, `POST ${path}`).toBe(true)
    },
    newToken: () => logIn(started().api, login),
    status: async (path, token) => (await fetch(started().api + path, { headers: bearer(token) })).status,
    expectTrouble: (...patterns) => {
      expected.push(...patterns)
    },
    killServer: () => started().server.kill(),
    startServer: async () => {
      const { dataFolder, url } = started().server
      server = await startServer({ dataFolder, port: Number(new URL(url).port), env: env() })
    },
    moveServer: async () => {
      const { dataFolder } = started().server
      await started().server.kill()
      await rename(dataFolder, `${dataFolder}-moved`)
      server = await startServer({ dataFolder: `${dataFolder}-moved`, port: 0, env: env() })
    },
  }
}

/** Waits until dialogs open at once, except on the login, which has none. */
async function hasDialogs(page: Page): Promise<void> {
  await page.waitForFunction(
    () => location.pathname === '/login' || document.documentElement.dataset['dialogs'] === 'loaded',
  )
}

/** Presses keys and chords one after another. */
export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** Reloads the page and waits until the console is rendered. */
export async function reload(page: Page): Promise<void> {
  await page.reload()
  await page.locator('main').waitFor()
  await hasDialogs(page)
}

/**
 * Advances a page's stopped clock by `time` milliseconds. React renders in tasks that the stopped clock does not delay:
 * pending renders are finished before, and those that timers caused after.
 */
export async function passTime(page: Page, time: number): Promise<void> {
  const settle = () =>
    page.evaluate(async () => {
      for (let turn = 0; turn < 6; turn++)
        await new Promise<void>((resolve) => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => resolve()
          port2.postMessage(null)
        })
    })
  await settle()
  await page.clock.runFor(time)
  await settle()
}

/** The `aria-label` of the focused element, or else its text. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
  })
}

/** The address after the origin. */
export const addressOf = (page: Page) => page.url().replace(/^\w+:\/\/[^/]+/, '')

/** Red, green and blue, from 0 to 255, of an element's text or background. */
export const colourOf = (element: Locator, property: 'color' | 'backgroundColor') =>
  element.evaluate((found, name) => {
    const context = document.createElement('canvas').getContext('2d')
    if (!context) return []
    context.fillStyle = getComputedStyle(found)[name]
    context.fillRect(0, 0, 1, 1)
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3)
  }, property)

export const toasts = (page: Page) => page.locator('[data-sonner-toast]')

interface Server {
  url: string
  dataFolder: string
  kill(): Promise<void>
  /** The error lines logged since the last call. */
  takeErrors(): string[]
}

interface Starting {
  dataFolder: string
  port: number
  env: Record<string, string>
}

const envOf = (backend?: Backend): Record<string, string> =>
  backend ? { OMS_API_HOST: backend.url, OMS_AUTH_SCHEME: backend.scheme } : { OMS_DEMO: 'on' }

/** Starts a server process as `npm start` does, and resolves when it is ready. */
export async function startServer({ dataFolder, port, env }: Starting): Promise<Server> {
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: join(import.meta.dirname, '..', '..'),
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ...compileCache(),
      PORT: String(port),
      OMS_DATA: dataFolder,
      OMS_LOG: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collect(child)
  const forget = endWithRun(child.pid)
  const ended = once(child, 'exit').then(forget)
  const url = await Promise.race([output.match(/ready: (http:\/\/\S+)\/\s/), ended.then(() => null)])
  if (!url) throw new Error(`The server did not start.\n${output.text()}`)
  let seen = 0
  return {
    url,
    dataFolder,
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    takeErrors: () => {
      const lines = output.text().slice(seen).split('\n')
      seen = output.text().length
      return lines.filter((line) => /"level":[56]0|^\s*at |Error/.test(line))
    },
  }
}

function collect(child: ChildProcess) {
  let text = ''
  const waiting = new Set<() => void>()
  const add = (chunk: Buffer) => {
    text += chunk.toString()
    for (const look of waiting) look()
  }
  child.stdout?.on('data', add)
  child.stderr?.on('data', add)
  return {
    text: () => text,
    /** Resolves to the first group of the pattern as soon as the output matches. */
    match: (pattern: RegExp) =>
      new Promise<string>((resolve) => {
        const look = () => {
          const found = pattern.exec(text)?.[1]
          if (found === undefined) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
  }
}

async function logIn(api: string, login: typeof staff): Promise<string> {
  const response = await fetch(`${api}login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(login),
  })
  const body: unknown = await response.json()
  return Value.Parse(LoginAnswer, body).token
}

/** Stores a session as the login form does, once for each tab, so that the next load does not undo a logout. */
export function giveSession(
  to: Pick<Page, 'addInitScript'>,
  token: string,
  staffEmail: string,
): Promise<unknown> {
  return to.addInitScript(
    ([given, email]) => {
      if (!location.protocol.startsWith('http') || sessionStorage.getItem('given')) return
      sessionStorage.setItem('given', 'true')
      sessionStorage.setItem('oms.session', JSON.stringify({ token: given }))
      sessionStorage.setItem('oms.staff', JSON.stringify({ email }))
    },
    [token, staffEmail],
  )
}

async function listenTo(context: BrowserContext, troubles: string[]): Promise<void> {
  noteRequests(context)
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      troubles.push(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (error) => troubles.push(`uncaught: ${error.error().message}`))
  await context.exposeBinding('reportViolation', (_source, text: string) => troubles.push(text))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
      window.reportViolation(`policy: ${violatedDirective} ${blockedURI} ${sourceFile}`),
    )
  })
}
