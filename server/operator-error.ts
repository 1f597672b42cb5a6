/** An error that the person who started the program can fix. Only its message is printed, without a stack. */
export class OperatorError extends Error {}

/** What to print for an error that ends a program. */
export function explain(error: unknown): unknown {
  return error instanceof OperatorError ? error.message : error
}
