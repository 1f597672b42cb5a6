import { isDiskFull } from './storage/disk.ts'

/**
 * Whether an error of files, SQLite or PostgreSQL says that the disk is full. SQLite has a code of its own for it, but reports a quota as an
 * error of writing, and a full disk below its shared memory as an error of that.
 */
export function isFull(error: Error): boolean {
  if ('errcode' in error)
    return [SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_SHMOPEN, SQLITE_IOERR_SHMSIZE].includes(
      Number(error.errcode),
    )
  return isDiskFull(error) || ('code' in error && error.code === '53100')
}

const [SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_SHMOPEN, SQLITE_IOERR_SHMSIZE] = [13, 778, 4618, 4874]
