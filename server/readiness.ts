import { setTimeout as wait } from 'node:timers/promises'
import { isMigrated } from './db/migrate.ts'
import type { Deps } from './deps.ts'
import { freeBytes, levelOf } from './disk-space.ts'

/** In milliseconds. */
const answerTime = 1000

/** Why the server cannot do its work (`reasons`), or may soon be unable to (`warnings`). */
export async function readiness({ engine, config }: Pick<Deps, 'engine' | 'config'>) {
  const database = await Promise.race([
    isMigrated(engine).then(
      (done) => (done ? null : 'The migrations of the database are not done.'),
      () => 'The database is not available.',
    ),
    wait(answerTime, 'The database does not answer.', { ref: false }),
  ])
  const free = await freeBytes(config.dataFolder)
  const level = levelOf(free, config.minFree)
  const room = `${free ?? 0} bytes are free on the disk; uploads need ${config.minFree}.`
  return {
    reasons: [database, level === 'full' ? room : null].filter((reason) => reason !== null),
    warnings: level === 'low' ? [room] : [],
  }
}
