import { randomUUID } from 'node:crypto'
import swagger from '@fastify/swagger'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { LogController } from 'fastify'
import { requireToken } from './auth.ts'
import { limitBodyTime, acceptOnlyJson } from './bodies.ts'
import { registerCompression } from './compression.ts'
import { serveConsole } from './console.ts'
import type { Deps, TypedApp } from './deps.ts'
import { registerDrain } from './drain.ts'
import { refuseUnknownHosts } from './hosts.ts'
import { answerErrors } from './errors.ts'
import type { Compilers } from './late-schemas.ts'
import { lateCompilers } from './late-schemas.ts'
import { loggerOptions, logAnswers } from './logging.ts'
import { allowOrigins } from './origins.ts'
import { bareHeaders, promiseTls, sendSafeHeaders } from './policy.ts'
import { registerAnalytics } from './routes/analytics.ts'
import { registerMeta } from './routes/meta.ts'
import { registerMetrics } from './routes/metrics.ts'
import { registerNouns } from './routes/nouns.ts'
import { registerDemoPictures } from './routes/pictures.ts'
import { registerPlaces } from './routes/places.ts'
import { registerProbes } from './routes/probes.ts'
import { registerSearch } from './routes/search.ts'
import { registerSession } from './routes/session.ts'
import { registerStorage } from './routes/storage.ts'
import { registerViews } from './routes/views.ts'
import { refuseUnreadable } from './unreadable.ts'
import { rememberRequests } from './waiting.ts'

export interface AppOptions extends Omit<Deps, 'now' | 'running' | 'replica'> {
  /** Folder of the built console; null serves the API alone. */
  consoleFolder: string | null
  replica?: Deps['replica']
  now?: () => number
  /** Where log lines go; standard output unless a test listens. */
  logStream?: { write(line: string): void }
  /** Those of an earlier server, if a test reuses what it has compiled. */
  compilers?: Compilers
}

/** In milliseconds: a client that neither sends nor reads for so long is cut off. An answer never takes this long. */
const silence = 120_000
/** A hundred people with the six connections of a browser, and some. Further connections are closed. */
const maxConnections = 1000

/** Builds the server without listening. */
export async function buildApp(options: AppOptions): Promise<TypedApp> {
  const { config, engine, replica = null, demoLogin, now = Date.now } = options
  const app = Fastify({
    logger: loggerOptions(config.logLevel, options.logStream),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1024 },
    bodyLimit: 1024 * 1024,
    requestTimeout: 10 * 60_000, // S9.13; all requests but uploads have the shorter `bodyTimeout`.
    connectionTimeout: silence,
    trustProxy: config.trustProxy,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // A URL that cannot be decoded or is too long gets 404 here. Fastify runs no hook for it.
    frameworkErrors: (_error, _request, { raw }) => {
      raw.writeHead(404, { ...bareHeaders, 'content-type': 'application/json; charset=utf-8' })
      raw.end(JSON.stringify({ message: 'The URL is invalid or too long.' }))
    },
    clientErrorHandler: refuseUnreadable,
  }).withTypeProvider<TypeBoxTypeProvider>()
  app.server.maxConnections = maxConnections
  const deps: Deps = { config, engine, replica, demoLogin, now, running: { exports: 0, uploads: 0 } }
  const { validatorCompiler, serializerCompiler } = options.compilers ?? lateCompilers()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)

  rememberRequests(app)
  logAnswers(app)
  registerDrain(app)
  registerMetrics(app, deps)
  answerErrors(app, deps)
  limitBodyTime(app)
  refuseUnknownHosts(app, config)
  acceptOnlyJson(app)
  sendSafeHeaders(app, config)
  promiseTls(app)
  await allowOrigins(app, config)
  await app.register(swagger, {
    openapi: {
      info: { title: 'Twende OMS', version: '1', description: 'Calls of the operations console.' },
      components: { securitySchemes: { token: { type: 'http', scheme: config.authScheme.toLowerCase() } } },
      security: [{ token: [] }],
    },
  })
  await registerCompression(app)
  requireToken(app, deps)
  if (!config.apiHost) {
    await app.register(async (api) => {
      // No cache may store names and phone numbers.
      api.addHook('onSend', (_request, reply, payload, done) => {
        reply.header('cache-control', 'no-store')
        done(null, payload)
      })
      registerSession(api, deps)
      registerAnalytics(api, deps)
      registerNouns(api, deps)
      registerSearch(api, deps)
      registerViews(api, deps)
      return Promise.resolve()
    })
    await app.register(async (files) => {
      registerStorage(files, deps)
      return Promise.resolve()
    })
  }
  registerPlaces(app, deps)
  registerMeta(app, deps)
  registerProbes(app, deps)
  if (demoLogin) registerDemoPictures(app)
  if (options.consoleFolder) await serveConsole(app, options.consoleFolder, config)
  return app
}
