import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Deps, TypedApp } from '../deps.ts'
import { isFromThisMachine } from '../hosts.ts'
import { HttpError } from '../http-error.ts'
import { readiness } from '../readiness.ts'
import { isSame } from '../secrets.ts'

/** `/livez`: the process answers. `/readyz`: it can do its work, or why not. */
export function registerProbes(app: TypedApp, deps: Deps): void {
  const config = { public: true, anyHost: true }
  app.get(
    '/livez',
    { config, schema: { security: [], response: { 200: Type.Object({ status: Type.String() }) } } },
    () => ({ status: 'ok' }),
  )
  app.get(
    '/readyz',
    { config, onRequest: onlyOperators(deps), schema: { hide: true } },
    async (_request, reply) => {
      const { reasons, warnings } = await readiness(deps)
      reply.code(reasons.length > 0 ? 503 : 200).header('cache-control', 'no-store')
      return { status: reasons.length > 0 ? 'unavailable' : 'ok', reasons, warnings }
    },
  )
}

/**
 * Refuses requests that neither come from this machine nor have the token of OMS_METRICS_TOKEN. Throws HttpError 404, as an
 * unknown address does.
 */
export function onlyOperators({ config: { metricsToken } }: Deps) {
  return async (request: FastifyRequest): Promise<void> => {
    const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
    const isKnown = metricsToken !== '' && token !== undefined && isSame(token, metricsToken)
    if (!isKnown && !isFromThisMachine(request))
      throw new HttpError(404, `Not found: ${request.method} ${request.url.split('?')[0] ?? ''}`)
    return Promise.resolve()
  }
}
