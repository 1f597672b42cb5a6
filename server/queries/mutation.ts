import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Place } from '../db/compiled-once.ts'
import { compiledOnce } from '../db/compiled-once.ts'
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
/** The status of a key whose request changed something, and of one whose request changed nothing. */
const [changing, unchanging] = [200, 304]

/**
 * Runs one mutation with its audit row and its idempotency record in one transaction. A repeated key gets the first reply
 * again (R8). Throws HttpError 422 when a key is used again for another request.
 */
export async function mutate<Body>(
  intent: Intent,
  run: (trx: Transaction<Database>) => Promise<MutationResult<Body>>,
): Promise<{ body: unknown; replayed: boolean; changed: boolean }> {
  const { engine, staffId, request, requestId, key, now } = intent
  return engine.db.transaction().execute(async (trx) => {
    const fingerprint = createHash('sha256').update(JSON.stringify(intent.asked)).digest('base64')
    const first = key === undefined ? undefined : await claim(trx, { staffId, key, fingerprint, now })
    if (first) {
      if (first.fingerprint !== fingerprint)
        throw new HttpError(422, 'This Idempotency-Key was already used for another request.')
      const body: unknown = JSON.parse(first.body)
      return { body, replayed: true, changed: first.status !== unchanging }
    }
    const { body, audit } = await run(trx)
    const status = audit ? changing : unchanging
    await send(trx, [
      ...(audit ? [auditRow(trx, { at: now, staffId, request, requestId, ...audit })] : []),
      ...(key === undefined ? [] : [reply(trx, { staffId, key, status, body: JSON.stringify(body) })]),
    ])
    return { body, replayed: false, changed: audit !== undefined }
  })
}

const auditRow = compiledOnce(
  (db, place: Place<'at' | 'staffId' | 'request' | 'requestId' | keyof AuditEntry>) =>
    db.insertInto('audit').values({
      at: place('at'),
      staff_id: place('staffId'),
      request: place('request'),
      request_id: place('requestId'),
      command: place('command'),
      noun: place('noun'),
      record_id: place('recordId'),
      before: place('before'),
      after: place('after'),
    }),
)

/** Stores the reply in the record of the key. */
const reply = compiledOnce((db, place: Place<'staffId' | 'key' | 'status' | 'body'>) =>
  db
    .updateTable('idempotency')
    .set({ status: place('status'), body: place('body') })
    .where('staff_id', '=', place('staffId'))
    .where('key', '=', place('key')),
)

/**
 * Inserts the key first, so that a second request with it waits for the first. Returns an earlier record of the key, unless
 * that is too old and was replaced.
 */
async function claim(
  trx: Transaction<Database>,
  { staffId, key, fingerprint, now }: { staffId: number; key: string; fingerprint: string; now: number },
) {
  const until = now - idempotencyLifetime
  const inserted = await trx.executeQuery(newKey(trx, { staffId, key, fingerprint, now, until }))
  if (inserted.numAffectedRows) return undefined
  return trx
    .selectFrom('idempotency')
    .select(['fingerprint', 'status', 'body'])
    .where('staff_id', '=', staffId)
    .where('key', '=', key)
    .executeTakeFirst()
}

const newKey = compiledOnce((db, place: Place<'staffId' | 'key' | 'fingerprint' | 'now' | 'until'>) => {
  const first = { fingerprint: place('fingerprint'), status: unanswered, body: '', created_at: place('now') }
  return db
    .insertInto('idempotency')
    .values({ staff_id: place('staffId'), key: place('key'), ...first })
    .onConflict((conflict) =>
      conflict
        .columns(['staff_id', 'key'])
        .doUpdateSet(first)
        .where((is) =>
          is.or([
            is('idempotency.created_at', '<', place('until')),
            // Stored outside of its transaction, whose beginning has failed.
            is('idempotency.status', '=', unanswered),
          ]),
        ),
    )
})

/** Deletes the records of keys that are too old. */
export async function forgetKeys(db: Engine['db'], now: number): Promise<void> {
  await db
    .deleteFrom('idempotency')
    .where('created_at', '<', now - idempotencyLifetime)
    .execute()
}
