import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'

/** The calls of the API and of the storage. */
const calls = /^\/(api|v0)\//

/**
 * Lets pages of the origins in OMS_ORIGINS make calls and read the answers (CORS). They send the token in a header, so
 * cookies are never allowed. Without the setting, no answer has a CORS header.
 */
export async function allowOrigins(
  app: FastifyInstance,
  { origins }: Pick<Config, 'origins'>,
): Promise<void> {
  if (origins.length === 0) return
  await app.register(cors, {
    delegator: ({ url, headers: { origin } }, done) =>
      done(null, {
        // False: no CORS header, and a preflight request is answered like any other call.
        origin: origin !== undefined && origins.includes(origin) && calls.test(url) && origin,
        methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
        // What the console sends and reads.
        allowedHeaders: ['authorization', 'content-type', 'idempotency-key'],
        exposedHeaders: ['content-disposition', 'record-unchanged', 'retry-after'],
        // In seconds. Browsers remember a preflight for at most two hours; without this, for five seconds.
        maxAge: 7200,
      }),
  })
}
