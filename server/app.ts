import { randomUUID } from 'node:crypto'
import helmet from '@fastify/helmet'
import swagger from '@fastify/swagger'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import Fastify, { LogController } from 'fastify'
import { requireToken } from './auth.ts'
import { limitBodyTime, acceptOnlyJson } from './bodies.ts'
import { registerCompression } from './compression.ts'
import { serveConsole } from './console.ts'
import type { Deps, TypedApp } from './deps.ts'
import { refuseUnknownHosts } from './hosts.ts'
import { answerErrors } from './errors.ts'
import { loggerOptions, logAnswers } from './logging.ts'
import { contentPolicy } from './policy.ts'
import { registerAnalytics } from './routes/analytics.ts'
import { registerMeta } from './routes/meta.ts'
import { registerNouns } from './routes/nouns.ts'
import { registerDemoPictures } from './routes/pictures.ts'
import { registerPlaces } from './routes/places.ts'
import { registerSearch } from './routes/search.ts'
import { registerSession } from './routes/session.ts'
import { registerStorage } from './routes/storage.ts'
import { registerViews } from './routes/views.ts'

export interface AppOptions extends Omit<Deps, 'now'> {
  /** Folder of the built console; null serves the API alone. */
  consoleFolder: string | null
  now?: () => number
  /** Where log lines go; standard output unless a test listens. */
  logStream?: { write(line: string): void }
  /** The compilers of schemas. Fastify's own unless a test reuses what an earlier server has compiled. */
  compilers?: Required<Pick<TypedApp, 'validatorCompiler' | 'serializerCompiler'>>
}

/** Builds the server without listening. */
export async function buildApp(options: AppOptions): Promise<TypedApp> {
  const { config, engine, demoLogin, now = Date.now } = options
  const app = Fastify({
    logger: loggerOptions(config.logLevel, options.logStream),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1024 },
    bodyLimit: 1024 * 1024,
    requestTimeout: 10 * 60_000, // S9.13; all requests but uploads have the shorter `bodyTimeout`.
    trustProxy: config.trustProxy,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    // A URL that cannot be decoded or is too long gets 404 here. Fastify runs no hook for it.
    frameworkErrors: (_error, _request, { raw }) => {
      raw.writeHead(404, { 'content-type': 'application/json; charset=utf-8' })
      raw.end(JSON.stringify({ message: 'The URL is invalid or too long.' }))
    },
    ajv: {
      customOptions: {
        removeAdditional: false,
        coerceTypes: false,
        allErrors: true,
        // 0.29 and 4.35 are not exact multiples of 0.01 in binary floating point.
        multipleOfPrecision: 5,
      },
    },
  }).withTypeProvider<TypeBoxTypeProvider>()
  const deps: Deps = { config, engine, demoLogin, now }
  if (options.compilers?.validatorCompiler) app.setValidatorCompiler(options.compilers.validatorCompiler)
  if (options.compilers?.serializerCompiler) app.setSerializerCompiler(options.compilers.serializerCompiler)

  logAnswers(app)
  closeConnectionsOnStop(app)
  answerErrors(app, engine)
  limitBodyTime(app)
  refuseUnknownHosts(app, config)
  acceptOnlyJson(app)
  await app.register(helmet, contentPolicy(config))
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
      api.addHook('onSend', async (_request, reply) => {
        reply.header('cache-control', 'no-store')
        return Promise.resolve()
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
  if (demoLogin) registerDemoPictures(app)
  if (options.consoleFolder) await serveConsole(app, options.consoleFolder)
  return app
}

/**
 * Closes each connection after its reply while the server stops; an idle keep-alive connection would delay the
 * shutdown.
 */
function closeConnectionsOnStop(app: FastifyInstance): void {
  let stopping = false
  app.addHook('preClose', async () => {
    stopping = true
    return Promise.resolve()
  })
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) reply.header('connection', 'close')
    return Promise.resolve()
  })
}
