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
 * Of several servers with one database, only one at a time does each part. A part that fails does not stop the others. `failed` gets the
 * errors when all parts are done. Resolves to the newest new seal.
 */
export async function keepHouse(
  engine: Engine,
  dataFolder: string,
  now: number,
  s3: Config['s3'] = null,
  failed: (error: unknown) => void = raise,
): Promise<Seal | null> {
  const errors: unknown[] = []
  const note = (error: unknown) => {
    errors.push(error)
    return null
  }
  await forgetRows(engine, now).catch(note)
  const seal = await sealAudit(engine, now).catch(note)
  const n = await expireUploads(openStore({ dataFolder, s3 }), now, note).catch(note)
  if (n) await recordEvent(engine.db, { at: now, event: 'file.expire', n }).catch(note)
  await beginMonth(engine, now).catch(note)
  for (const error of errors) failed(error)
  return seal
}

async function forgetRows(engine: Engine, now: number): Promise<void> {
  await engine.db.transaction().execute(async (trx) => {
    if (!(await engine.tryLock(trx, 'cleanup'))) return
    await forgetAttempts(trx, now)
    await forgetKeys(trx, now)
    await forgetSessions(trx, now)
    await forgetHeartbeats(trx, now)
  })
}

function raise(error: unknown): never {
  throw error
}
