import type { Config } from './config.ts'
import { OperatorError } from './operator-error.ts'

/** The error of a PORT or HOST that cannot be listened on, as a sentence that says what to do; any other error unchanged. */
export function explainAddress(error: unknown, { port, host }: Pick<Config, 'port' | 'host'>): unknown {
  switch (error instanceof Error && 'code' in error && error.code) {
    case 'EADDRINUSE':
      return new OperatorError(
        `Port ${port} is in use. Stop the program that uses it, or choose another port: ` +
          `PORT=${port === 4322 ? 4323 : 4322} npm start`,
      )
    case 'EACCES':
      return new OperatorError(
        `This system user may not use port ${port}. Leave PORT at 4321, and let a reverse proxy use ports below 1024.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new OperatorError(
        `HOST is "${host}"; it must be an address of this machine, such as 127.0.0.1 or ::1, or 0.0.0.0 for all of them.`,
      )
    default:
      return error
  }
}
