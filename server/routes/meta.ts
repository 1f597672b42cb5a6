import { Type } from 'typebox'
import { Capabilities, ConsoleConfig } from '../../src/api/contract.ts'
import { demoLoginFor } from '../demo/access.ts'
import type { Deps, TypedApp } from '../deps.ts'
import { filters, orderings } from './nouns.ts'

/** Calls that the specification does not have: health check, API document, configuration of the console, capabilities. */
export function registerMeta(app: TypedApp, deps: Deps): void {
  const { config } = deps
  const open = { config: { public: true } }

  app.get(
    '/healthz',
    {
      config: { public: true, anyHost: true },
      schema: { security: [], response: { 200: Type.Object({ status: Type.String() }) } },
    },
    () => ({ status: 'ok' }),
  )
  app.get('/api/docs/openapi.json', { ...open, schema: { hide: true } }, () => app.swagger())
  app.get(
    '/config.json',
    { ...open, schema: { hide: true, response: { 200: ConsoleConfig } } },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const demoLogin = await demoLoginFor(request, deps)
      const { product, apiHost, authScheme, firebase, mapsKey } = config
      return { product, apiHost, authScheme, demoLogin, firebase, mapsKey }
    },
  )
  if (config.apiHost) return
  app.get('/api/v1/oms/capabilities/', { schema: { response: { 200: Capabilities } } }, () => ({
    count: true,
    page_size: true,
    idempotency: true,
    logout: true,
    search: true,
    acknowledge: true,
    views: true,
    trends: true,
    counts: true,
    sessions: true,
    filters: filters(),
    ordering: orderings(),
  }))
}
