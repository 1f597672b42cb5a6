import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HttpError } from './http-error.ts'

/** In milliseconds. */
const bodyTimeout = 30_000

/**
 * Closes the connection of a client that has not sent its body in time. Uploads of images may be slow, but after their
 * answer (a refusal) they have the same time to end: many clients read it only then.
 */
export function limitBodyTime(app: FastifyInstance): void {
  const limit = ({ raw }: FastifyRequest) => {
    if (raw.complete) return
    const timer = setTimeout(() => raw.complete || raw.destroy(), bodyTimeout).unref()
    raw.once('close', () => clearTimeout(timer))
  }
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.routeOptions.config.slow) limit(request)
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    if (request.routeOptions.config.slow) limit(request)
    done()
  })
}

/**
 * Accepts only JSON bodies, because a form on a foreign page (CSRF) cannot send JSON. A call without a body (S7.7) needs no
 * content type. A body with too many values is rejected before its validation, which lists every unknown field.
 */
export function acceptOnlyJson(app: FastifyInstance): void {
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
      if (!error && countValues(value, maxDepth) > maxValues)
        done(
          new HttpError(
            400,
            `A body may have at most ${maxValues} values and ${maxDepth} levels of nesting.`,
          ),
          undefined,
        )
      else done(error, !error && surrogate.test(String(body)) ? JSON.parse(String(body), wellFormed) : value)
    })
  })
}

/** A surrogate as an escape. Only there can it be a lone one, which no database stores. */
const surrogate = /\\ud[89a-f]/i
/** With the replacement character that would be stored, so that the reply and the audit say what is stored. */
const wellFormed = (_name: string, value: unknown) =>
  typeof value === 'string' ? value.toWellFormed() : value

/** More than any call needs: the largest body has eight fields, and one of them is an object with three fields. */
const maxValues = 100
const maxDepth = 10

/** Counts the values in a JSON value. Stops above the limit; deeper than `levels` counts as infinitely many. */
function countValues(json: unknown, levels: number): number {
  if (typeof json !== 'object' || json === null) return 1
  if (levels === 0) return Infinity
  let count = 1
  for (const value of Object.values(json)) {
    count += countValues(value, levels - 1)
    if (count > maxValues) break
  }
  return count
}
