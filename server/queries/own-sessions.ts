import { createHash } from 'node:crypto'
import type { Session } from '../../src/api/contract.ts'
import { recordEvent } from '../audit/events.ts'
import type { Engine } from '../db/engine.ts'
import { hashPassword, verifyPassword } from '../password.ts'
import type { SignedIn, Source } from './sessions.ts'
import { absoluteLifetime, idleLifetime } from './sessions.ts'
import { iso } from './wire.ts'

/** The sessions of a staff member that have not ended, the last used first. */
export async function sessionsOf(
  { db }: Engine,
  { id, tokenHash }: SignedIn,
  now: number,
): Promise<Session[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('staff_id', '=', id)
    .where('used_at', '>', now - idleLifetime)
    .where('created_at', '>', now - absoluteLifetime)
    .orderBy('used_at', 'desc')
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map(({ token_hash, created_at, used_at, address, browser }) => ({
    id: publicId(token_hash),
    created_at: iso(created_at),
    used_at: iso(used_at),
    address,
    browser,
    current: token_hash === tokenHash,
  }))
}

/** Ends the session with this id, or with `others` all but that of the request. It may have ended already. */
export async function endSessions(
  { db }: Engine,
  { id, tokenHash }: SignedIn,
  which: string,
  source: Source,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const rows = await trx.selectFrom('sessions').select('token_hash').where('staff_id', '=', id).execute()
    const ended = rows
      .map(({ token_hash }) => token_hash)
      .filter((hash) => (which === 'others' ? hash !== tokenHash : publicId(hash) === which))
    if (ended.length === 0) return
    await trx.deleteFrom('sessions').where('token_hash', 'in', ended).execute()
    await recordEvent(trx, { ...source, event: 'session.end', staff_id: id, n: ended.length })
  })
}

/**
 * Sets a new password and ends all other sessions. Resolves to false, and changes nothing, if the current password is wrong or if the
 * account was changed while it was checked.
 */
export async function changePassword(
  { db }: Engine,
  { id, tokenHash }: SignedIn,
  { current, password }: { current: string; password: string },
  source: Source,
): Promise<boolean> {
  const staff = await db.selectFrom('staff').select('password_hash').where('id', '=', id).executeTakeFirst()
  if (!staff || !(await verifyPassword(current, staff.password_hash))) return false
  const password_hash = await hashPassword(password)
  return db.transaction().execute(async (trx) => {
    const changed = await trx
      .updateTable('staff')
      .set({ password_hash })
      .where('id', '=', id)
      .where('password_hash', '=', staff.password_hash)
      .where('disabled', '=', 0)
      .returning('id')
      .executeTakeFirst()
    if (!changed) return false
    await trx.deleteFrom('sessions').where('staff_id', '=', id).where('token_hash', '!=', tokenHash).execute()
    await recordEvent(trx, { ...source, event: 'session.password', staff_id: id })
    return true
  })
}

/** Names a session without its token or the hash of it. */
const publicId = (tokenHash: string) =>
  createHash('sha256').update(`session ${tokenHash}`).digest('base64url').slice(0, 22)
