import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from './deps.ts'
import { Problem } from './problem.ts'
import type { SignedIn } from './queries/sessions.ts'
import { findSession } from './queries/sessions.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered without a token. Everything else is closed (deny by default). */
    public?: boolean
    /** Its body may take its time, as a picture on a slow line does. */
    slow?: boolean
  }
  interface FastifyRequest {
    staff: SignedIn | null
    /** The body as it was sent. */
    bodyText: string
  }
}

/** Every route, the not-found answer included, asks for a token unless it is declared public. */
export function requireToken(app: FastifyInstance, { engine, config, now }: Deps): void {
  app.decorateRequest('staff', null)
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.public) return
    const [scheme, token, ...rest] = request.headers.authorization?.split(' ') ?? []
    if (token && rest.length === 0 && scheme?.toLowerCase() === config.authScheme.toLowerCase())
      request.staff = await findSession(engine, token, now())
    if (!request.staff) throw new Problem(401, 'Sign in first.')
  })
}

/** The staff member of a request to a closed route. */
export function staffOf(request: FastifyRequest): SignedIn {
  if (!request.staff) throw new Problem(401, 'Sign in first.')
  return request.staff
}
