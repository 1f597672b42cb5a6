import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { nonceOf } from './console.ts'

const self = "'self'"

/** The Content Security Policy: a page may load from and call its own server and the configured hosts only. */
export function contentPolicy({
  apiHost,
  firebase,
  mapsKey,
}: Pick<Config, 'apiHost' | 'firebase' | 'mapsKey'>) {
  const api = apiHost ? [apiHost] : []
  const storage = firebase ? ['https://firebasestorage.googleapis.com'] : []
  const maps = (...hosts: string[]) => (mapsKey ? hosts.map((host) => `https://${host}`) : [])
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: [self],
        scriptSrc: [self, ...maps('maps.googleapis.com')],
        styleSrc: [
          self,
          (_request: unknown, response: ServerResponse) => `'nonce-${nonceOf(response)}'`,
          ...maps('fonts.googleapis.com'),
        ],
        // Radix and sonner set computed positions in style attributes.
        styleSrcAttr: ["'unsafe-inline'"],
        fontSrc: [self, ...maps('fonts.gstatic.com')],
        connectSrc: [self, ...api, ...storage, ...maps('maps.googleapis.com', 'places.googleapis.com')],
        imgSrc: [
          self,
          'blob:',
          'data:',
          ...api,
          ...storage,
          ...maps('maps.googleapis.com', 'maps.gstatic.com'),
        ],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: [self],
      },
    },
    referrerPolicy: { policy: 'no-referrer' as const },
    crossOriginOpenerPolicy: { policy: 'same-origin' as const },
    xFrameOptions: { action: 'deny' as const },
    // `promiseTls` sends it.
    strictTransportSecurity: false,
  }
}

/** For answers that no hook reaches. */
export const bareHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** HSTS, if a trusted proxy says that the client uses TLS; the server itself uses plain http. */
export function promiseTls(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000')
    return Promise.resolve()
  })
}
