import type { FastifyError, FastifyInstance } from 'fastify'
import type { Engine } from './db/engine.ts'
import { Problem } from './problem.ts'

/** The one place where errors become answers; what is not meant for the caller is logged and hidden. */
export function answerErrors(app: FastifyInstance, engine: Engine): void {
  app.setNotFoundHandler((request) => {
    throw new Problem(404, `There is no ${request.method} ${request.url.split('?')[0] ?? ''}.`)
  })
  app.setErrorHandler((error: FastifyError | Problem, request, reply) => {
    if (error instanceof Problem) {
      if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
      return reply
        .code(error.statusCode)
        .send({ message: error.message, ...(error.errors && { errors: error.errors }) })
    }
    if (error.validation)
      return reply.code(400).send({ message: 'Some values cannot be used.', errors: fieldErrors(error) })
    if (error.statusCode !== undefined && error.statusCode < 500)
      return reply.code(error.statusCode).send({ message: error.message })
    request.log.error({ err: error }, 'request failed')
    const status = engine.statusOf(error)
    if (status === 503) reply.header('retry-after', 1)
    const message =
      status === 503
        ? 'The database cannot be reached right now.'
        : status === 507
          ? 'There is no space left to store this.'
          : 'Something went wrong on the server.'
    return reply.code(status ?? 500).send({ message })
  })
}

/** Names each field at fault: the one that is wrong, missing, or not known here. */
function fieldErrors(error: FastifyError): Record<string, string[]> {
  const errors = new Map<string, string[]>()
  for (const { instancePath, params, message } of error.validation ?? []) {
    const inside = params['missingProperty'] ?? params['additionalProperty']
    const whole = error.validationContext ?? 'body'
    const field = instancePath.split('/')[1] ?? (typeof inside === 'string' ? inside : whole)
    const text =
      'missingProperty' in params
        ? 'is required'
        : 'additionalProperty' in params
          ? 'is not known here'
          : (message ?? 'cannot be used')
    errors.set(field, [...(errors.get(field) ?? []), text])
  }
  return Object.fromEntries(errors)
}
