import { OperatorError } from '../operator-error.ts'
import { isDiskFull } from '../storage/disk.ts'

/** The error of a full disk as a sentence that begins with `what`; any other error unchanged. */
export function explainFull(error: unknown, what: string): unknown {
  if (!(error instanceof Error) || !isFull(error)) return error
  return new OperatorError(
    `${what}: its disk is full (${error.message}). Nothing of it was kept. Make room, then run this command again.`,
  )
}

/**
 * Of files, SQLite and PostgreSQL. SQLite has a code of its own for it, but reports a quota as an error of writing, and a full
 * disk below its shared memory as an error of that.
 */
function isFull(error: Error): boolean {
  if ('errcode' in error)
    return [SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_SHMSIZE].includes(Number(error.errcode))
  return isDiskFull(error) || ('code' in error && error.code === '53100')
}

const [SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_SHMSIZE] = [13, 778, 4874]
