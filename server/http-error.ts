/** An error whose status and message the client may see: `{message, errors?}` (rulings, figures). */
export class HttpError extends Error {
  readonly statusCode: number
  readonly errors: Record<string, string[]> | undefined
  readonly retryAfter: number | undefined

  /** `retryAfter` in seconds. The server logs `cause`, and the client does not see it. */
  constructor(
    statusCode: number,
    message: string,
    more: { errors?: Record<string, string[]>; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.statusCode = statusCode
    this.errors = more.errors
    this.retryAfter = more.retryAfter
  }
}
