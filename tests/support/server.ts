import type { LightMyRequestResponse } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import type { AppOptions } from '../../server/app.ts'
import { buildApp } from '../../server/app.ts'
import type { Engine } from '../../server/db/engine.ts'
import type { TypedApp } from '../../server/deps.ts'
import { LoginAnswer, Problem } from '../../src/api/contract.ts'
import { emptyTables, engines, openTestEngine } from './engines.ts'
import { buildStaff, staffPassword } from './factories.ts'

// A busy machine may be slow; a test that hangs is still ended.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

/** Where every fake clock starts; no test reads the real one. */
export const someTime = Date.UTC(2026, 2, 4, 5, 6, 7, 89)

type BootOptions = Partial<Omit<AppOptions, 'engine' | 'config'>> & {
  config?: Partial<AppOptions['config']>
}

/** The real app, silent and without the console unless told otherwise. */
export async function bootApp(engine: Engine, options: BootOptions = {}): Promise<TypedApp> {
  return buildApp({
    demoLogin: null,
    consoleFolder: null,
    ...options,
    engine,
    config: {
      product: 'twende',
      apiHost: '',
      authScheme: 'Bearer',
      logLevel: 'silent',
      // Made by the first upload, so only where a test names its own.
      dataFolder: '/nonexistent',
      uploadLimit: 64 * 1024 * 1024,
      firebase: null,
      mapsKey: '',
      host: '127.0.0.1',
      hosts: [],
      trustProxy: [],
      ...options.config,
    },
  })
}

interface Credentials {
  email: string
  password?: string
}

export function logIn(
  app: TypedApp,
  { email, password = staffPassword }: Credentials,
): Promise<LightMyRequestResponse> {
  return app.inject({ method: 'POST', url: '/api/v1/oms/login/', payload: { email, password } })
}

/** The headers that a signed-in staff member's calls carry. */
export async function signIn(app: TypedApp, who: Credentials): Promise<{ authorization: string }> {
  const { token } = read(await logIn(app, who), LoginAnswer)
  return { authorization: `Bearer ${token}` }
}

/** The body of an answer, which must have this status and the documented shape. */
export function read<Schema extends TSchema>(
  response: LightMyRequestResponse,
  schema: Schema,
  status = 200,
): Static<Schema> {
  expect(response.statusCode, response.body).toBe(status)
  const body: unknown = response.json()
  if (!Value.Check(schema, body))
    throw new Error(`${response.body.slice(0, 500)} is not as documented: ${explain(schema, body)}`)
  return body
}

/** A refusal is always `{message}`, and `errors` where a field is at fault. */
export const readProblem = (response: LightMyRequestResponse, status: number) =>
  read(response, Problem, status)

function explain(schema: TSchema, body: unknown): string {
  return Value.Errors(schema, body)
    .map(({ instancePath, message }) => `${instancePath} ${message}`)
    .join('; ')
}

export interface Server {
  engine: Engine
  app: TypedApp
  staff: Awaited<ReturnType<typeof buildStaff>>
  headers: { authorization: string }
  clock: { now: number }
  get: (url: string) => Promise<LightMyRequestResponse>
  post: (url: string, headers?: Record<string, string>) => Promise<LightMyRequestResponse>
  /** A POST of this body; text is sent as it is. */
  send: (
    url: string,
    body: string | object,
    headers?: Record<string, string>,
  ) => Promise<LightMyRequestResponse>
}

/**
 * An empty database with one signed-in staff member, and the app on it: for each test, for the whole suite, or, where
 * tests break the server itself, a new server for each. Its clock stands still until a test moves it.
 */
export function useServer(
  name: (typeof engines)[number],
  { scope = 'test', ...options }: BootOptions & { scope?: 'test' | 'suite' | 'boot' } = {},
): () => Server {
  let server: Server | undefined
  const [before, after] = scope === 'boot' ? [beforeEach, afterEach] : [beforeAll, afterAll]
  before(async () => {
    server = await startServer(await openTestEngine(name), options)
  })
  if (scope === 'test')
    beforeEach(async () => {
      if (server) await startAfresh(server)
    })
  after(async () => {
    await server?.app.close()
    await server?.engine.close()
  })
  return () => {
    if (!server) throw new Error('The server runs only while a test does.')
    return server
  }
}

/** Much quicker than another server: most of a boot goes into compiling its schemas. */
async function startAfresh(server: Server): Promise<void> {
  await emptyTables(server.engine)
  server.clock.now = someTime
  server.staff = await buildStaff(server.engine)
  Object.assign(server.headers, await signIn(server.app, server.staff))
}

async function startServer(engine: Engine, options: BootOptions): Promise<Server> {
  const clock = { now: someTime }
  const app = await bootApp(engine, { now: () => clock.now, ...options })
  const staff = await buildStaff(engine)
  const headers = await signIn(app, staff)
  return {
    engine,
    app,
    staff,
    headers,
    clock,
    get: (url) => app.inject({ url, headers }),
    post: (url, more) => app.inject({ method: 'POST', url, headers: { ...headers, ...more } }),
    send: (url, body, more) =>
      app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', ...headers, ...more },
        payload: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  }
}
