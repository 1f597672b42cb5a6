import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Engine } from '../db/engine.ts'
import { Problem } from '../problem.ts'

const window = 15 * 60_000
const perAccount = 10
const perAddress = 100

/**
 * Counts a login attempt before it is looked at; in the database, so a restart forgets nothing. Throws Problem 429
 * past 10 attempts on one account or 100 in all from one address within 15 minutes. Success takes the attempt back.
 */
export async function countAttempt(
  engine: Engine,
  email: string,
  address: string,
  now: number,
  text: string,
): Promise<{ succeeded: () => Promise<void> }> {
  const account = hash(`${email.trim().toLowerCase()}|${address}`)
  const from = hash(address)
  for (const [key, limit] of [
    [account, perAccount],
    [from, perAddress],
  ] as const) {
    const { count, window_start } = await add(engine, key, now)
    if (count > limit)
      throw new Problem(429, text, { retryAfter: Math.ceil((window_start + window - now) / 1000) })
  }
  return {
    succeeded: async () => {
      await engine.db.deleteFrom('login_attempts').where('key', '=', account).execute()
      await engine.db
        .updateTable('login_attempts')
        .set({ count: sql`count - 1` })
        .where('key', '=', from)
        .where('count', '>', 0)
        .execute()
    },
  }
}

function add(engine: Engine, key: string, now: number) {
  const fresh = sql<boolean>`login_attempts.window_start <= ${now - window}`
  return engine.db
    .insertInto('login_attempts')
    .values({ key, window_start: now, count: 1 })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when ${fresh} then 1 else login_attempts.count + 1 end`,
        window_start: sql`case when ${fresh} then ${now} else login_attempts.window_start end`,
      }),
    )
    .returning(['count', 'window_start'])
    .executeTakeFirstOrThrow()
}

/** Forgets attempts whose window is over. */
export async function forgetAttempts(engine: Engine, now: number): Promise<void> {
  await engine.db
    .deleteFrom('login_attempts')
    .where('window_start', '<', now - window)
    .execute()
}

const hash = (text: string) => createHash('sha256').update(text).digest('base64url')
