/** An error that the operator can fix. Only its message is printed, without a stack. */
export class OperatorError extends Error {}

/** The text to print for an error that ends the program. */
export function explain(error: unknown): unknown {
  return error instanceof OperatorError ? error.message : error
}
