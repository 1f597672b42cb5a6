import { isFull } from '../disk-full.ts'
import { OperatorError } from '../operator-error.ts'

/** The error of a full disk as a sentence that begins with `what`; any other error unchanged. */
export function explainFull(error: unknown, what: string): unknown {
  if (!(error instanceof Error) || !isFull(error)) return error
  return new OperatorError(
    `${what}: its disk is full (${error.message}). Nothing of it was kept. Make room, then run this command again.`,
  )
}
