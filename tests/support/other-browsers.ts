import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { vi } from 'vitest'
import { endWithRun } from './run-folder.ts'

/** A browser without playwright: what the journeys need of it. */
export interface OtherBrowser {
  open(url: string): Promise<void>
  /** The value of an expression in the page, as JSON. */
  evaluate(expression: string): Promise<unknown>
  /** Presses keys one after the other, as WebDriver names them: a character or one of `keys`. Modifiers are held. */
  press(...pressed: string[]): Promise<void>
  /** Clicks at a point of the window, in pixels. */
  click(x: number, y: number): Promise<void>
  close(): Promise<void>
}

/** The characters by which WebDriver names keys (W3C WebDriver, 17.4.2). */
export const keys = {
  tab: '\uE004',
  enter: '\uE007',
  shift: '\uE008',
  control: '\uE009',
  escape: '\uE00C',
} as const

interface Kind {
  name: string
  /** The packages of Debian that have it. */
  packages: string
  /** The program that is looked for. */
  program: string
  launch: () => Promise<OtherBrowser>
}

export const kinds: readonly Kind[] = [
  { name: 'Firefox', packages: 'firefox-esr', program: '/usr/bin/firefox-esr', launch: launchFirefox },
  {
    name: 'WebKitGTK',
    packages: 'webkit2gtk-driver xvfb',
    program: '/usr/bin/WebKitWebDriver',
    launch: launchWebKit,
  },
]

/** Why a browser is not tried, in one sentence; blank if it is installed. */
export const whyNot = ({ name, packages, program }: Kind, exists = existsSync): string =>
  exists(program) ? '' : `${name} is not installed. On Debian, install ${packages}.`

interface Pressing {
  type: 'keyDown' | 'keyUp'
  value: string
}

/** Modifiers go down before the key that follows them and up after it. */
function pressing(pressed: readonly string[]): Pressing[] {
  const held: string[] = []
  const all: Pressing[] = []
  for (const value of pressed) {
    all.push({ type: 'keyDown', value })
    if (value === keys.shift || value === keys.control) held.push(value)
    else {
      all.push({ type: 'keyUp', value })
      for (const modifier of held.splice(0)) all.push({ type: 'keyUp', value: modifier })
    }
  }
  return all
}

const pointing = (x: number, y: number) => [
  { type: 'pointerMove', x, y, origin: 'viewport' },
  { type: 'pointerDown', button: 0 },
  { type: 'pointerUp', button: 0 },
]

/** Firefox speaks WebDriver BiDi without another program. */
async function launchFirefox(): Promise<OtherBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'))
  const program = start('/usr/bin/firefox-esr', [
    ...['--headless', '--no-remote', '--remote-debugging-port', '0', '--profile', profile],
    ...['--window-size', '1440,900'],
  ])
  const address = await program.says(/WebDriver BiDi listening on (ws:\/\/\S+)/)
  const socket = new WebSocket(`${address}/session`)
  await once(socket, 'open')
  const Answer = Type.Object({ id: Type.Integer() })
  const Context = Type.Object({ result: Type.Object({ context: Type.String() }) })
  const Evaluated = Type.Object({ result: Type.Object({ result: Type.Object({ value: Type.String() }) }) })
  let last = 0
  const send = async (method: string, params: object): Promise<unknown> => {
    const id = ++last
    socket.send(JSON.stringify({ id, method, params }))
    for (;;) {
      const events: unknown[] = await once(socket, 'message')
      const answer = events[0] instanceof MessageEvent ? parsed(String(events[0].data)) : null
      if (!Value.Check(Answer, answer) || answer.id !== id) continue
      if ('error' in answer) throw new Error(`${method}: ${JSON.stringify(answer)}`)
      return answer
    }
  }
  await send('session.new', { capabilities: {} })
  const { context } = Value.Parse(Context, await send('browsingContext.create', { type: 'tab' })).result
  await send('browsingContext.setViewport', { context, viewport: { width: 1440, height: 900 } })
  return {
    open: async (url) => {
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    evaluate: async (expression) => {
      const params = { expression: json(expression), target: { context }, awaitPromise: true }
      return parsed(Value.Parse(Evaluated, await send('script.evaluate', params)).result.result.value)
    },
    press: async (...pressed) => {
      const actions = [{ type: 'key', id: 'keyboard', actions: pressing(pressed) }]
      await send('input.performActions', { context, actions })
    },
    click: async (x, y) => {
      const actions = [{ type: 'pointer', id: 'mouse', actions: pointing(x, y) }]
      await send('input.performActions', { context, actions })
    },
    close: async () => {
      socket.close()
      await program.end()
    },
  }
}

/** WebKit's own driver speaks the older WebDriver over HTTP; its window needs a display. */
async function launchWebKit(): Promise<OtherBrowser> {
  const [miniBrowser = ''] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')
  const display = start('Xvfb', ['-displayfd', '1', '-screen', '0', '1440x900x24', '-nolisten', 'tcp'])
  const number = await display.says(/^(\d+)\n/)
  const port = await freePort()
  const driver = start('/usr/bin/WebKitWebDriver', [`--port=${port}`], {
    DISPLAY: `:${number}`,
    // Rendering needs no GPU, and the sandbox no rights that a container may lack.
    WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
  })
  const root = `http://127.0.0.1:${port}`
  const send = async (path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${root}${path}`, {
      method: body ? 'POST' : 'DELETE',
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = Value.Parse(Type.Object({ value: Type.Unknown() }), await response.json())
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer.value
  }
  const options = { binary: miniBrowser, args: ['--automation'] }
  const create = () =>
    send('/session', { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } } })
  const made = await vi.waitUntil(() => create().catch(() => null), 30_000)
  const { sessionId } = Value.Parse(Type.Object({ sessionId: Type.String() }), made)
  const session = `/session/${sessionId}`
  await send(`${session}/window/rect`, { x: 0, y: 0, width: 1440, height: 900 })
  return {
    open: async (url) => {
      await send(`${session}/url`, { url })
    },
    evaluate: async (expression) =>
      parsed(
        String(await send(`${session}/execute/sync`, { script: `return ${json(expression)}`, args: [] })),
      ),
    press: async (...pressed) => {
      await send(`${session}/actions`, {
        actions: [{ type: 'key', id: 'keyboard', actions: pressing(pressed) }],
      })
    },
    click: async (x, y) => {
      const parameters = { pointerType: 'mouse' }
      await send(`${session}/actions`, {
        actions: [{ type: 'pointer', id: 'mouse', parameters, actions: pointing(x, y) }],
      })
    },
    close: async () => {
      await send(session)
      await driver.end()
      await display.end()
    },
  }
}

const parsed = (text: string): unknown => JSON.parse(text)
const json = (expression: string) => `JSON.stringify((${expression}) ?? null)`

interface Program {
  /** Resolves to the first group of a pattern when the output matches. */
  says(pattern: RegExp): Promise<string>
  end(): Promise<void>
}

function start(command: string, args: string[], env: Record<string, string> = {}): Program {
  const child: ChildProcess = spawn(command, args, {
    env: { PATH: process.env['PATH'], HOME: mkdtempSync(join(tmpdir(), 'home-')), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const forget = endWithRun(child.pid)
  const ended = once(child, 'exit').then(forget)
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return {
    says: (pattern) => vi.waitUntil(() => pattern.exec(output)?.[1], 60_000),
    end: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}
