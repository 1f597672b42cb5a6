import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'
import type { Config } from './config.ts'

const self = "'self'"

type Hosts = Pick<Config, 'apiHost' | 'firebase' | 'mapsKey'>

/** Every answer has the headers of helmet. They are made once, because they are always the same (docs/decisions/0040). */
export function sendSafeHeaders(app: FastifyInstance, hosts: Hosts): void {
  const headers = safeHeaders(hosts, [])
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/** The policy of a page whose styles have a nonce, with `{{nonce}}` in its place. */
export const pagePolicy = (hosts: Hosts) =>
  String(safeHeaders(hosts, ["'nonce-{{nonce}}'"])['content-security-policy'])

function safeHeaders(hosts: Hosts, styles: string[]) {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  helmet(optionsOf(hosts, styles))(request, response, (error) => {
    if (error) throw new Error('The policy is invalid.', { cause: error })
  })
  return response.getHeaders()
}

/** The Content Security Policy: a page may load from and call its own server and the configured hosts only. */
function optionsOf({ apiHost, firebase, mapsKey }: Hosts, styles: string[]) {
  const api = apiHost ? [apiHost] : []
  const storage = firebase ? ['https://firebasestorage.googleapis.com'] : []
  const maps = (...hosts: string[]) => (mapsKey ? hosts.map((host) => `https://${host}`) : [])
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: [self],
        scriptSrc: [self, ...maps('maps.googleapis.com')],
        styleSrc: [self, ...styles, ...maps('fonts.googleapis.com')],
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
  app.addHook('onRequest', (request, reply, done) => {
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000')
    done()
  })
}
