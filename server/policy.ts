import type { ServerResponse } from 'node:http'
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
    // The server itself uses plain http. The proxy that terminates TLS adds this header.
    strictTransportSecurity: false,
  }
}
