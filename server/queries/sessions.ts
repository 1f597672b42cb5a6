import { createHash, randomBytes } from 'node:crypto'
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

/** A new opaque token (256 random bits; only its hash is stored), or null for a wrong e-mail or password. */
export async function logIn(
  engine: Engine,
  email: string,
  password: string,
  now: number,
): Promise<string | null> {
  const staff = await engine.db
    .selectFrom('staff')
    .select(['id', 'password_hash', 'disabled'])
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst()
  const right = await verifyPassword(password, staff?.password_hash)
  if (!staff || !right || staff.disabled) return null
  const token = randomBytes(32).toString('base64url')
  await engine.db
    .insertInto('sessions')
    .values({ token_hash: hashToken(token), staff_id: staff.id, created_at: now, used_at: now })
    .execute()
  return token
}

/** The staff member behind a token; null when it is unknown, expired, logged out or its owner disabled. */
export async function findSession(engine: Engine, token: string, now: number): Promise<SignedIn | null> {
  const tokenHash = hashToken(token)
  const session = await engine.db
    .selectFrom('sessions')
    .innerJoin('staff', 'staff.id', 'sessions.staff_id')
    .select(['staff.id', 'staff.email', 'sessions.used_at'])
    .where('token_hash', '=', tokenHash)
    .where('staff.disabled', '=', 0)
    .where('sessions.used_at', '>', now - idleLifetime)
    .where('sessions.created_at', '>', now - absoluteLifetime)
    .executeTakeFirst()
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

export async function logOut(engine: Engine, tokenHash: string): Promise<void> {
  await engine.db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
}

const hashToken = (token: string) => createHash('sha256').update(token).digest('base64url')
