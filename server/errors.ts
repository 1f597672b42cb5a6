import type { FastifyError, FastifyInstance } from 'fastify'
import { damageNotice, isDamage } from './db/damage.ts'
import type { Deps } from './deps.ts'
import { HttpError } from './http-error.ts'
import { isDiskFull } from './storage/disk.ts'

interface Refusal {
  message: string
  errors?: Record<string, string[]>
}

/** The only place that turns errors into replies. Unexpected errors are logged, and their details are not sent. */
export function answerErrors(app: FastifyInstance, deps: Pick<Deps, 'config' | 'engine'>): void {
  app.setNotFoundHandler((request) => {
    throw new HttpError(404, `Not found: ${request.method} ${request.url.split('?')[0] ?? ''}`)
  })
  shapeErrors(app, deps, (_status, refusal) => refusal)
}

/** Sends the errors of these routes in the form that `shape` returns. */
export function shapeErrors(
  app: FastifyInstance,
  { config, engine }: Pick<Deps, 'config' | 'engine'>,
  shape: (status: number, refusal: Refusal) => object,
): void {
  app.setErrorHandler((error: FastifyError | HttpError, request, reply) => {
    const send = (status: number, refusal: Refusal) => reply.code(status).send(shape(status, refusal))
    if (error instanceof HttpError) {
      if (error.cause) request.log.error({ err: error.cause }, 'request failed')
      if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
      return send(error.statusCode, {
        message: error.message,
        ...(error.errors && { errors: error.errors }),
      })
    }
    if (error.validation)
      return send(400, { message: 'Some values are invalid.', errors: fieldErrors(error) })
    if (error.statusCode !== undefined && error.statusCode < 500)
      return send(error.statusCode, { message: error.message })
    // A stack would not say what to do.
    if (isDamage(error))
      request.log.error({ reason: error.message }, damageNotice(engine.name, config.dataFolder))
    else request.log.error({ err: error }, 'request failed')
    const status = isDiskFull(error) ? 507 : engine.statusOf(error)
    if (status === 503) reply.header('retry-after', 1)
    const message =
      status === 503
        ? 'The database is not available. Try again later.'
        : status === 507
          ? 'The server has no disk space left.'
          : 'The server failed to handle this request.'
    return send(status ?? 500, { message })
  })
}

/** The messages by field for wrong, missing and unknown fields. */
function fieldErrors(error: FastifyError): Record<string, string[]> {
  const errors = new Map<string, string[]>()
  for (const { keyword, instancePath, params, message } of error.validation ?? []) {
    // Of a value that may be null or one of several types, the other errors say what it should be.
    if (keyword === 'anyOf' || params['type'] === 'null') continue
    const inside = params['missingProperty'] ?? params['additionalProperty']
    const whole = error.validationContext ?? 'body'
    const field = instancePath.split('/')[1] ?? (typeof inside === 'string' ? inside : whole)
    const text =
      'missingProperty' in params
        ? 'is required'
        : 'additionalProperty' in params
          ? 'is an unknown field'
          : keyword === 'pattern' // Staff read the text in a form.
            ? 'has a wrong format'
            : (message ?? 'is invalid')
    errors.set(field, [...new Set([...(errors.get(field) ?? []), text])])
  }
  return Object.fromEntries(errors)
}
