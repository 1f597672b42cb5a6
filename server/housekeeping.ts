import { recordEvent } from './audit/events.ts'
import type { Seal } from './audit/seals.ts'
import { sealAudit } from './audit/seals.ts'
import type { Config } from './config.ts'
import type { Engine } from './db/engine.ts'
import { beginMonth } from './db/partitions.ts'
import { forgetHeartbeats } from './db/replica.ts'
import { forgetAttempts } from './queries/login-limit.ts'
import { forgetKeys } from './queries/mutation.ts'
import { forgetSessions } from './queries/sessions.ts'
import { expireUploads } from './storage/expire.ts'
import { openStore } from './storage/open.ts'

/**
 * Deletes expired sessions, idempotency records, login counters, heartbeats and uploads, seals the audit, and begins the partition of a new month: at start and hourly.
 * Of several servers with one database, only one at a time does each part. Resolves to the newest new seal.
 */
export async function keepHouse(
  engine: Engine,
  dataFolder: string,
  now: number,
  s3: Config['s3'] = null,
): Promise<Seal | null> {
  await engine.db.transaction().execute(async (trx) => {
    if (!(await engine.tryLock(trx, 'cleanup'))) return
    await forgetAttempts(trx, now)
    await forgetKeys(trx, now)
    await forgetSessions(trx, now)
    await forgetHeartbeats(trx, now)
  })
  const seal = await sealAudit(engine, now)
  const n = await expireUploads(openStore({ dataFolder, s3 }), now)
  if (n > 0) await recordEvent(engine.db, { at: now, event: 'file.expire', n })
  await beginMonth(engine, now)
  return seal
}
