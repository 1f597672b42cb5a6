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
import { reuseCompiled, shareCompilers } from './compiled-schemas.ts'

// A long timeout for busy machines, which still ends a test that hangs.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

/** The initial time of every fake clock. No test reads the real clock. */
export const someTime = Date.UTC(2026, 2, 4, 5, 6, 7, 89)

type BootOptions = Partial<Omit<AppOptions, 'engine' | 'config'>> & {
  config?: Partial<AppOptions['config']>
}

/** The real app, by default without log and console. */
export async function bootApp(engine: Engine, options: BootOptions = {}): Promise<TypedApp> {
  const app = await buildApp({
    demoLogin: null,
    consoleFolder: null,
    ...reuseCompiled(),
    ...options,
    engine,
    config: {
      product: 'twende',
      apiHost: '',
      authScheme: 'Bearer',
      logLevel: 'silent',
      // Created by the first upload, so it exists only if a test sets its own folder.
      dataFolder: '/nonexistent',
      s3: null,
      uploadLimit: 64 * 1024 * 1024,
      minFree: 1,
      metricsToken: '',
      firebase: null,
      mapsKey: '',
      host: '127.0.0.1',
      hosts: [],
      origins: [],
      trustProxy: [],
      ...options.config,
    },
  })
  shareCompilers(app)
  return app
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

/** The headers for calls of a signed-in staff member. */
export async function signIn(app: TypedApp, who: Credentials): Promise<{ authorization: string }> {
  const { token } = read(await logIn(app, who), LoginAnswer)
  return { authorization: `Bearer ${token}` }
}

/** The body of a reply. Throws unless it has the documented schema. */
export function read<Schema extends TSchema>(
  response: LightMyRequestResponse,
  schema: Schema,
  status = 200,
): Static<Schema> {
  expect(response.statusCode, response.body).toBe(status)
  const body: unknown = response.json()
  if (!Value.Check(schema, body))
    throw new Error(`${response.body.slice(0, 500)} does not match its schema: ${explain(schema, body)}`)
  return body
}

/** The body of an error reply: always `{message}`, with `errors` if fields are invalid. */
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
  /** Sends a POST with this body as JSON; text is sent unchanged. */
  send: (
    url: string,
    body: string | object,
    headers?: Record<string, string>,
  ) => Promise<LightMyRequestResponse>
}

/**
 * The app on an empty database with one signed-in staff member. `scope` decides whether each test gets an empty database,
 * all tests share one, or each test gets a new server, for tests that break it. The clock is stopped; tests move it.
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
    if (!server) throw new Error('The server runs only while a test runs.')
    return server
  }
}

/** Much faster than a new server, whose start mostly compiles schemas. */
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
