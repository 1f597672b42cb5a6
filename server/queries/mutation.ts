import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Engine } from '../db/engine.ts'
import type { Database } from '../db/schema.ts'
import { HttpError } from '../http-error.ts'

/** The facts about a request that its idempotency record and audit row store. */
interface Intent {
  engine: Engine
  now: number
  staffId: number
  requestId: string
  /** The Idempotency-Key that the client sent, if any. */
  key: string | undefined
  /** For the audit: `POST /api/…`. */
  request: string
  /** Method, path and body. A repeated key must come with the same fingerprint. */
  asked: readonly string[]
}

export interface MutationResult<Body> {
  body: Body
  /** Absent if the request changed nothing. */
  audit?: AuditEntry | undefined
}

export interface AuditEntry {
  /** `driver.suspend` */
  command: string
  noun: string
  recordId: number
  /** JSON of the wire fields that changed, with their wire values; `before` is null for a new record. */
  before: string | null
  after: string
}

const idempotencyLifetime = 24 * 60 * 60 * 1000

/**
 * Runs one mutation with its audit row and its idempotency record in one transaction. A repeated key gets the first reply
 * again (R8). Throws HttpError 422 when a key is used again for another request.
 */
export async function mutate<Body>(
  intent: Intent,
  run: (trx: Transaction<Database>) => Promise<MutationResult<Body>>,
): Promise<{ body: unknown; replayed: boolean }> {
  const { engine, staffId, key, now } = intent
  return engine.db.transaction().execute(async (trx) => {
    const fingerprint = createHash('sha256').update(JSON.stringify(intent.asked)).digest('base64')
    const first = key === undefined ? undefined : await claim(trx, { staffId, key, fingerprint, now })
    if (first) {
      if (first.fingerprint !== fingerprint)
        throw new HttpError(422, 'This Idempotency-Key was already used for another request.')
      const body: unknown = JSON.parse(first.body)
      return { body, replayed: true }
    }
    const { body, audit } = await run(trx)
    if (audit) {
      await trx
        .insertInto('audit')
        .values({
          at: now,
          staff_id: staffId,
          command: audit.command,
          noun: audit.noun,
          record_id: audit.recordId,
          before: audit.before,
          after: audit.after,
          request: intent.request,
          request_id: intent.requestId,
        })
        .execute()
    }
    if (key !== undefined) {
      await trx
        .updateTable('idempotency')
        .set({ status: 200, body: JSON.stringify(body) })
        .where('staff_id', '=', staffId)
        .where('key', '=', key)
        .execute()
    }
    return { body, replayed: false }
  })
}

/**
 * Inserts the key first, so that a second request with it waits for the first. Returns an earlier record of the key, unless
 * that is too old and was replaced.
 */
async function claim(
  trx: Transaction<Database>,
  { staffId, key, fingerprint, now }: { staffId: number; key: string; fingerprint: string; now: number },
) {
  const first = { fingerprint, status: 0, body: '', created_at: now }
  const inserted = await trx
    .insertInto('idempotency')
    .values({ staff_id: staffId, key, ...first })
    .onConflict((conflict) =>
      conflict
        .columns(['staff_id', 'key'])
        .doUpdateSet(first)
        .where('idempotency.created_at', '<', now - idempotencyLifetime),
    )
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows) return undefined
  return trx
    .selectFrom('idempotency')
    .select(['fingerprint', 'body'])
    .where('staff_id', '=', staffId)
    .where('key', '=', key)
    .executeTakeFirst()
}

/** Deletes the records of keys that are too old. */
export async function forgetKeys(db: Engine['db'], now: number): Promise<void> {
  await db
    .deleteFrom('idempotency')
    .where('created_at', '<', now - idempotencyLifetime)
    .execute()
}
