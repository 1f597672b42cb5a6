import type { ServerResponse } from 'node:http'
import type { Config } from './config.ts'
import { nonceOf } from './console.ts'

const self = "'self'"

/** What a page may load and call: its own server, and no one else but who is configured. */
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
        // Positions that Radix and the toasts compute are style attributes.
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
    // The server itself speaks http; whoever ends TLS before it adds the header.
    strictTransportSecurity: false,
  }
}
