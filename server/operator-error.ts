import { isFull } from './disk-full.ts'
import { HttpError } from './http-error.ts'

/** An error that the operator can fix. Only its message is printed, without a stack. */
export class OperatorError extends Error {}

/** The text to print for an error that ends the program. */
export function explain(error: unknown): unknown {
  if (error instanceof OperatorError) return error.message
  if (!(error instanceof Error)) return error
  if (isFull(error)) return `The disk is full (${error.message}). Make room, then try again.`
  if (error instanceof HttpError && error.cause instanceof Error)
    return `${error.message} ${error.cause.message}.`
  const code = 'code' in error ? String(error.code) : ''
  if (unusable.test(code)) return `The database of DATABASE_URL cannot be used: ${error.message || code}.`
  return error
}

/** PostgreSQL cannot be reached, or refuses the role, its password, the database or what the role wants to do there. */
const unusable = /^(ECONNREFUSED|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|28\w{3}|3D000|42501|53300|57P03)$/
