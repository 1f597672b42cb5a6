import type { TypedApp } from '../deps.ts'
import { picture } from '../demo/pictures.ts'
import { HttpError } from '../http-error.ts'

/** The drawings that the demo data has instead of photographs. Public, because an <img> sends no token; sandboxed by CSP. */
export function registerDemoPictures(app: TypedApp): void {
  app.get('/demo/*', { config: { public: true }, schema: { hide: true } }, (request, reply) => {
    const svg = picture(request.url.split('?')[0] ?? '')
    if (svg === null) throw new HttpError(404, 'There is no such picture.')
    return reply
      .type('image/svg+xml')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
      .header('cache-control', 'max-age=86400')
      .send(svg)
  })
}
