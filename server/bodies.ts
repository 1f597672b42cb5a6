import type { FastifyInstance } from 'fastify'
import { HttpError } from './http-error.ts'

/** In milliseconds. */
const bodyPatience = 30_000

/** Only a picture may trickle in; anything else that does holds a connection for nothing. */
export function endSlowBodies(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.slow) return Promise.resolve()
    const timer = setTimeout(() => request.raw.complete || request.raw.destroy(), bodyPatience).unref()
    request.raw.once('close', () => clearTimeout(timer))
    return Promise.resolve()
  })
}

/**
 * A form on a foreign page can send text or a form, never JSON. A call without a body (S7.7) needs no type. A body with
 * too many values is refused before it is compared with its schema, which names every unknown field.
 */
export function takeOnlyJson(app: FastifyInstance): void {
  app.removeContentTypeParser(['text/plain', 'application/json'])
  const parse = app.getDefaultJsonParser('error', 'error')
  app.decorateRequest('bodyText', '')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    request.bodyText = String(body)
    if (body === '') {
      done(null, undefined)
      return
    }
    void parse(request, String(body), (error: Error | null, value?: unknown) => {
      if (!error && countValues(value, deepest) > mostValues)
        done(
          new HttpError(400, `A body holds at most ${mostValues} values, ${deepest} levels deep.`),
          undefined,
        )
      else done(error, value)
    })
  })
}

/** The largest body that is asked for has eight fields, and one of them three of its own. */
const mostValues = 100
const deepest = 10

/** How many values a JSON value is made of down to so many levels; counts no further than one too many. */
function countValues(json: unknown, levels: number): number {
  if (typeof json !== 'object' || json === null) return 1
  if (levels === 0) return Infinity
  let count = 1
  for (const value of Object.values(json)) {
    count += countValues(value, levels - 1)
    if (count > mostValues) break
  }
  return count
}
