import { statfs } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import { HttpError } from './http-error.ts'
import { absent } from './storage/disk.ts'

type Where = Pick<Config, 'dataFolder' | 'minFree'>

/** Null if the folder does not exist: with PostgreSQL the first upload creates it. */
export async function freeBytes(folder: string): Promise<number | null> {
  const found = await statfs(folder).catch(absent)
  return found && found.bavail * found.bsize
}

/** `low` is a warning: less than twice the reserve is free. `full`: less than the reserve, and uploads are refused. */
export function levelOf(free: number | null, minFree: number): 'enough' | 'low' | 'full' {
  if (free === null || free >= 2 * minFree) return 'enough'
  return free >= minFree ? 'low' : 'full'
}

/** Runs a task that writes at most `coming` bytes. Throws HttpError 507. */
type KeepReserve = <Result>(coming: number, task: () => Promise<Result>) => Promise<Result>

/**
 * Logins and changes need the rest of the disk. A task is refused if that would be smaller than the reserve after all running
 * tasks have written their bytes. What they have written already counts twice until they end, so that it is never too
 * little. Pictures in a bucket take nothing of the disk.
 */
export function reserveKeeper({ dataFolder, minFree, s3 }: Where & Pick<Config, 's3'>): KeepReserve {
  let announced = 0
  return async (coming, task) => {
    if (s3) return task()
    const free = await freeBytes(dataFolder)
    if (free !== null && free - announced - coming < minFree)
      throw new HttpError(507, 'The server has no disk space left.')
    announced += coming
    try {
      return await task()
    } finally {
      announced -= coming
    }
  }
}

/** Logs when the disk gets fuller or has room again. To be called from time to time. */
export function diskWatch(where: Where, log: Pick<FastifyBaseLogger, 'warn' | 'error'>): () => Promise<void> {
  let before = 'enough'
  return async () => {
    try {
      const free = await freeBytes(where.dataFolder)
      const level = levelOf(free, where.minFree)
      if (level !== before) log.warn({ disk: level, free, reserve: where.minFree }, 'free space on the disk')
      before = level
    } catch (error) {
      log.error({ err: error }, 'the free space on the disk cannot be read')
    }
  }
}
