import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Engine } from '../db/engine.ts'
import { send } from '../db/engine.ts'
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
/** The status of a key whose request is under way. Other transactions cannot see it. */
const unanswered = 0

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
    await send(trx, [
      ...(audit ? [auditRow(trx, intent, audit)] : []),
      ...(key === undefined ? [] : [reply(trx, { staffId, key, body })]),
    ])
    return { body, replayed: false }
  })
}

function auditRow(
  trx: Transaction<Database>,
  { now, staffId, request, requestId }: Intent,
  entry: AuditEntry,
) {
  const { command, noun, recordId, before, after } = entry
  const who = { at: now, staff_id: staffId, request, request_id: requestId }
  const what = { command, noun, record_id: recordId, before, after }
  return trx
    .insertInto('audit')
    .values({ ...who, ...what })
    .compile()
}

/** Stores the reply in the record of the key. */
const reply = (
  trx: Transaction<Database>,
  { staffId, key, body }: { staffId: number; key: string; body: unknown },
) =>
  trx
    .updateTable('idempotency')
    .set({ status: 200, body: JSON.stringify(body) })
    .where('staff_id', '=', staffId)
    .where('key', '=', key)
    .compile()

/**
 * Inserts the key first, so that a second request with it waits for the first. Returns an earlier record of the key, unless
 * that is too old and was replaced.
 */
async function claim(
  trx: Transaction<Database>,
  { staffId, key, fingerprint, now }: { staffId: number; key: string; fingerprint: string; now: number },
) {
  const first = { fingerprint, status: unanswered, body: '', created_at: now }
  const inserted = await trx
    .insertInto('idempotency')
    .values({ staff_id: staffId, key, ...first })
    .onConflict((conflict) =>
      conflict
        .columns(['staff_id', 'key'])
        .doUpdateSet(first)
        .where((is) =>
          is.or([
            is('idempotency.created_at', '<', now - idempotencyLifetime),
            // Stored outside of its transaction, whose beginning has failed.
            is('idempotency.status', '=', unanswered),
          ]),
        ),
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
