import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { sql } from 'kysely'
import type { Engine } from '../db/engine.ts'
import { plainAddress } from '../hosts.ts'
import { HttpError } from '../http-error.ts'

const minute = 60_000
const window = 15 * minute
/** Most failed logins in a window: of one account from one address, of all accounts from one address … */
const mostOfPair = 10
const mostOfPlace = 100
/** … and of one account from all addresses. Above that, each attempt waits twice as long as the one before it. */
const mostOfAccount = 20
const longestDelay = minute
/** How long an address counts as known to an account after a login from it. */
const placeLifetime = 30 * 24 * 60 * minute
/** In the memory of one server. */
const mostBlocked = 10_000

type Count = (
  email: string,
  address: string,
  text: string,
) => Promise<{
  /** Removes the attempt from the counts. */
  succeeded: () => Promise<void>
}>

/**
 * Counts a login attempt before its password is checked. The counts are in the database, so that they survive a restart and
 * several servers share them. A refusal that lasts until the end of a window is cached in memory and needs no query. From an
 * address that the account has used before, only failures of this account at this address count: a stranger behind the same
 * proxy cannot lock out the people who work there. Throws HttpError 429 with the time to wait.
 */
export function loginLimit(engine: Engine, clock: () => number): Count {
  const { db } = engine
  const blocked = new Map<string, number>()

  let places = new Set<string>()
  let placesReadAt = -Infinity
  const readPlaces = async (now: number) => {
    const rows = await db
      .selectFrom('login_places')
      .select('key')
      .where('at', '>', now - placeLifetime)
      .execute()
    places = new Set(rows.map(({ key }) => key))
    placesReadAt = now
  }
  let reading: Promise<void> | null = null
  /** Other servers add to them too. Concurrent attempts wait for the same query. */
  const refreshPlaces = async (now: number) => {
    if (Math.abs(now - placesReadAt) < minute) return
    reading ??= readPlaces(now).finally(() => (reading = null))
    await reading
  }

  const refuse = (text: string, wait: number): never => {
    throw new HttpError(429, text, { retryAfter: Math.ceil(Math.min(wait, window) / 1000) })
  }
  const isBlocked = (key: string, now: number): number => {
    const left = (blocked.get(key) ?? 0) - now
    if (left > 0 && left <= window) return left
    blocked.delete(key)
    return 0
  }
  const block = (key: string, until: number) => {
    const oldest = blocked.size >= mostBlocked ? blocked.keys().next().value : undefined
    if (oldest !== undefined) blocked.delete(oldest)
    blocked.set(key, until)
  }

  return async (email, address, text) => {
    const now = clock()
    const name = email.trim().toLowerCase()
    const from = placeOf(address)
    const [account, place, pair] = [
      hash(`account ${name}`),
      hash(`place ${from}`),
      hash(`pair ${name} ${from}`),
    ]
    const pairLeft = isBlocked(pair, now)
    if (pairLeft) refuse(text, pairLeft)
    await refreshPlaces(now)
    const isKnown = places.has(pair)
    const placeLeft = isBlocked(place, now)
    if (placeLeft && !isKnown) refuse(text, placeLeft)

    const rows = await db
      .selectFrom('login_attempts')
      .selectAll()
      .where('key', 'in', [account, place, pair])
      .where('window_start', '>', now - window)
      // If the clock was set back, a window can begin in the future.
      .where('window_start', '<=', now)
      .execute()
    const before = (key: string) => rows.find((row) => row.key === key)
    const limits = [[pair, mostOfPair], ...(isKnown ? [] : [[place, mostOfPlace] as const])] as const
    for (const [key, most] of limits) {
      const row = before(key)
      if (!row || row.count < most) continue
      block(key, row.window_start + window)
      refuse(text, row.window_start + window - now)
    }
    const failed = before(account)
    const isDelayed = !isKnown && failed !== undefined && failed.count >= mostOfAccount
    if (isDelayed) {
      const delay = Math.min(1000 * 2 ** (failed.count - mostOfAccount), longestDelay)
      const wait = Math.min(failed.last_at, now) + delay - now
      if (wait > 0) refuse(text, wait)
    }

    // Each of several concurrent attempts gets its own count.
    const counts = new Map((await add(engine, [account, place, pair], now)).map((row) => [row.key, row]))
    for (const [key, most] of limits) {
      const { count = 0, window_start = now } = counts.get(key) ?? {}
      if (count > most) refuse(text, window_start + window - now)
    }
    const ofAccount = counts.get(account)?.count ?? 0
    if (isDelayed ? ofAccount !== failed.count + 1 : !isKnown && ofAccount > mostOfAccount) refuse(text, 1000)
    return {
      succeeded: async () => {
        await db.transaction().execute(async (trx) => {
          // In the order in which `add` locks the rows: PostgreSQL would end one of two transactions that wait for each other.
          for (const key of [account, place, pair].toSorted())
            if (key === pair) await trx.deleteFrom('login_attempts').where('key', '=', key).execute()
            else
              await trx
                .updateTable('login_attempts')
                .set({ count: sql<number>`count - 1` })
                .where('key', '=', key)
                .where('count', '>', 0)
                .execute()
          await trx
            .insertInto('login_places')
            .values({ key: pair, at: now })
            .onConflict((conflict) => conflict.column('key').doUpdateSet({ at: now }))
            .execute()
        })
        places.add(pair)
      },
    }
  }
}

/** Adds one to the count of each key. A window that is over, or that begins in the future, starts again. */
function add({ db }: Engine, keys: readonly string[], now: number) {
  const isOver = sql<boolean>`(login_attempts.window_start <= ${now - window} or login_attempts.window_start > ${now})`
  return db
    .insertInto('login_attempts')
    .values(keys.toSorted().map((key) => ({ key, window_start: now, count: 1, last_at: now })))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql<number>`case when ${isOver} then 1 else login_attempts.count + 1 end`,
        window_start: sql<number>`case when ${isOver} then ${now} else login_attempts.window_start end`,
        last_at: now,
      }),
    )
    .returning(['key', 'count', 'window_start'])
    .execute()
}

/** Deletes counts of windows that are over, and addresses without a recent login. */
export async function forgetAttempts(db: Engine['db'], now: number): Promise<void> {
  await db
    .deleteFrom('login_attempts')
    .where('window_start', '<', now - window)
    .execute()
  await db
    .deleteFrom('login_places')
    .where('at', '<', now - placeLifetime)
    .execute()
}

/** An IPv4 address, or the /64 network of an IPv6 address, because one subscriber can use the whole /64. */
function placeOf(address: string): string {
  const plain = plainAddress(address)
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('%')[0]?.split('::') ?? []
  const groups = (text: string) => (text ? text.split(':') : [])
  const [first, last] = [groups(head), groups(tail ?? '')]
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length
  const all = [...first, ...Array.from({ length: zeros }, () => '0'), ...last]
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

const hash = (text: string) => createHash('sha256').update(text).digest('base64url')
