import { isIP } from 'node:net'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { addressOf } from './audit/events.ts'

/** Structured lines in UTC; never a token, a password, a phone number or query text. */
export function loggerOptions(
  level: string,
  stream: { write(line: string): void } | undefined,
): NonNullable<FastifyServerOptions['logger']> {
  return {
    level,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    redact: ['req', 'res', '*.authorization', '*.password', '*.token'],
    serializers: {
      // The message of a database driver may quote stored values, so only its class and code are logged.
      err: (error: Error & { code?: string }) => ({
        type: error.name,
        message: error.code ?? error.message,
        stack: (error.stack?.match(/^ +at .*$/gm) ?? []).join('\n'),
      }),
    },
    ...(stream && { stream }),
  }
}

/**
 * One line per answer, with the route's pattern instead of its address. The client's address is taken from X-Forwarded-For
 * only if a proxy of OMS_TRUST_PROXY sent it, and only if it is one. After the connection has closed it can be `unknown`.
 */
export function logAnswers(app: FastifyInstance): void {
  // All fields of the line are below, so it need not be searched for those to leave out.
  const log = app.log.child({}, { redact: [] })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const client = addressOf(request)
    log.info(
      {
        reqId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? '(none)',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        staff: request.staff?.id,
        client: isIP(client) || !request.ip ? client : '(invalid)',
      },
      'answered',
    )
    done()
  })
}
