import { hash, randomBytes } from 'node:crypto'
import type { Place } from '../db/compiled-once.ts'
import { recordEvent } from '../audit/events.ts'
import { compiledOnce } from '../db/compiled-once.ts'
import type { Engine } from '../db/engine.ts'
import { verifyPassword } from '../password.ts'

const minute = 60_000
/** A session ends this long after its last request … */
export const idleLifetime = 12 * 60 * minute
/** … and at the latest this long after login. */
export const absoluteLifetime = 7 * 24 * 60 * minute

export interface SignedIn {
  id: number
  email: string
  tokenHash: string
}

/** Where a request came from, for the audit. */
export interface Source {
  at: number
  origin: string
  request_id: string
}

/** A new opaque token (256 random bits; only its hash is stored), or null for a wrong e-mail or password. */
export async function logIn(
  engine: Engine,
  email: string,
  password: string,
  source: Source,
  browser: string | null = null,
): Promise<string | null> {
  const staff = await engine.db
    .selectFrom('staff')
    .select(['id', 'password_hash', 'disabled'])
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst()
  const right = await verifyPassword(password, staff?.password_hash)
  if (!staff || !right || staff.disabled) return null
  const token = randomBytes(32).toString('base64url')
  const { at, origin } = source
  const session = { staff_id: staff.id, created_at: at, used_at: at, address: origin, browser }
  return engine.db.transaction().execute(async (trx) => {
    // The account may have been disabled, or its password reset, while the password was checked.
    const unchanged = await trx
      .selectFrom('staff')
      .select('id')
      .where('id', '=', staff.id)
      .where('password_hash', '=', staff.password_hash)
      .where('disabled', '=', 0)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!unchanged) return null
    await trx
      .insertInto('sessions')
      .values({ token_hash: hashToken(token), ...session })
      .execute()
    await recordEvent(trx, { ...source, event: 'session.login', staff_id: staff.id })
    return token
  })
}

/** The staff member behind a token; null when it is unknown, expired, logged out or its owner disabled. */
export async function findSession(engine: Engine, token: string, now: number): Promise<SignedIn | null> {
  const tokenHash = hashToken(token)
  const lifetimes = { usedAfter: now - idleLifetime, createdAfter: now - absoluteLifetime }
  const { rows } = await engine.db.executeQuery(sessionOf(engine.db, { tokenHash, ...lifetimes }))
  const [session] = rows
  if (!session) return null
  if (session.used_at < now - minute) {
    await engine.db
      .updateTable('sessions')
      .set({ used_at: now })
      .where('token_hash', '=', tokenHash)
      .execute()
      .catch((error: unknown) => {
        // If the database cannot write (full disk), reading must still work.
        if (engine.statusOf(error) === null) throw error
      })
  }
  return { id: session.id, email: session.email, tokenHash }
}

const sessionOf = compiledOnce((db, place: Place<'tokenHash' | 'usedAfter' | 'createdAfter'>) =>
  db
    .selectFrom('sessions')
    .innerJoin('staff', 'staff.id', 'sessions.staff_id')
    .select(['staff.id', 'staff.email', 'sessions.used_at'])
    .where('token_hash', '=', place('tokenHash'))
    .where('staff.disabled', '=', 0)
    .where('sessions.used_at', '>', place('usedAfter'))
    .where('sessions.created_at', '>', place('createdAfter')),
)

export async function logOut(engine: Engine, { id, tokenHash }: SignedIn, source: Source): Promise<void> {
  await engine.db.transaction().execute(async (trx) => {
    await trx.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
    await recordEvent(trx, { ...source, event: 'session.logout', staff_id: id })
  })
}

/** Deletes sessions that have ended. */
export async function forgetSessions(db: Engine['db'], now: number): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((is) =>
      is.or([is('used_at', '<', now - idleLifetime), is('created_at', '<', now - absoluteLifetime)]),
    )
    .execute()
}

const hashToken = (token: string) => hash('sha256', token, 'base64url')
