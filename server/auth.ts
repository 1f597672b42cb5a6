import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from './deps.ts'
import { HttpError } from './http-error.ts'
import type { SignedIn } from './queries/sessions.ts'
import { findSession } from './queries/sessions.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** No token is required. All other routes require one (deny by default). */
    public?: boolean
    /** A token is optional: the route checks `request.staff` itself. */
    optional?: boolean
    /** The scheme in the Authorization header, if it differs from the configured one. */
    scheme?: string
    /** Any Host header is accepted. */
    anyHost?: boolean
    /** The body may arrive slowly (an image over a slow connection): no body timeout. */
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
    const { public: isPublic, optional, scheme = config.authScheme } = request.routeOptions.config
    if (isPublic) return
    const [word, token, ...rest] = request.headers.authorization?.split(' ') ?? []
    if (token && rest.length === 0 && word?.toLowerCase() === scheme.toLowerCase())
      request.staff = await findSession(engine, token, now())
    if (!request.staff && !optional) throw new HttpError(401, 'Sign in first.')
  })
}

/** The staff member who made the request. Throws HttpError 401. */
export function staffOf(request: FastifyRequest): SignedIn {
  if (!request.staff) throw new HttpError(401, 'Sign in first.')
  return request.staff
}
