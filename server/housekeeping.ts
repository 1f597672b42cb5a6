import type { Engine } from './db/engine.ts'
import { forgetAttempts } from './queries/login-limit.ts'
import { idempotencyLifetime } from './queries/mutation.ts'
import { absoluteLifetime, idleLifetime } from './queries/sessions.ts'
import { expireUploads } from './storage/expire.ts'

/** Deletes expired sessions, idempotency records, login counters and uploads. */
export async function keepHouse(engine: Engine, dataFolder: string, now: number): Promise<void> {
  await forgetAttempts(engine, now)
  await engine.db
    .deleteFrom('idempotency')
    .where('created_at', '<', now - idempotencyLifetime)
    .execute()
  await engine.db
    .deleteFrom('sessions')
    .where((is) =>
      is.or([is('used_at', '<', now - idleLifetime), is('created_at', '<', now - absoluteLifetime)]),
    )
    .execute()
  await expireUploads(dataFolder, now)
}
