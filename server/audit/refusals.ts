import type { Insertable } from 'kysely'
import type { Engine } from '../db/engine.ts'
import type { Database } from '../db/schema.ts'
import { plainAddress } from '../hosts.ts'
import type { AuditEvent } from './events.ts'

/** In milliseconds: a server writes refused logins at most this often … */
const pause = 60_000
/** … in so many rows for accounts with their addresses, and one row for all others. */
const mostRows = 20
/** The most pairs of account and address in memory. */
const mostPairs = 1_000

interface Refused {
  event: Extract<AuditEvent, 'session.refuse' | 'session.block'>
  /** As typed. It is not stored: somebody may have typed a password there. */
  email: string
  address: string
}

interface Refusals {
  note: (refused: Refused, now: number) => Promise<void>
  /** Writes what has been counted. */
  close: () => Promise<void>
}

/**
 * Records refused logins. The first one is written at once, those of the following minute are counted and written together,
 * so that a flood neither fills the table nor costs a write for each request. `failed` gets the errors of the database; what
 * could not be written is counted again.
 */
export function recordRefusals(engine: Pick<Engine, 'db'>, failed: (error: unknown) => void): Refusals {
  const counts = new Map<string, Refused & { n: number; at: number }>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const count = (refused: Refused, now: number, n: number) => {
    const name = JSON.stringify(refused)
    const key = counts.has(name) || counts.size < mostPairs ? name : refused.event
    const known = counts.get(key)
    const others = key === name ? refused : { ...refused, email: '', address: '' }
    counts.set(key, { ...others, n: (known?.n ?? 0) + n, at: now })
  }
  const write = async () => {
    const counted = [...counts.values()].toSorted((a, b) => b.n - a.n)
    counts.clear()
    if (counted.length === 0) return
    try {
      await engine.db
        .insertInto('audit_events')
        .values(await rowsOf(counted))
        .execute()
    } catch (error) {
      for (const one of counted) count(one, one.at, one.n)
      failed(error)
    }
  }
  const rowsOf = async (counted: (Refused & { n: number; at: number })[]) => {
    const emails = counted.slice(0, mostRows).map(({ email }) => email)
    const accounts = await engine.db
      .selectFrom('staff')
      .select(['id', 'email'])
      .where('email', 'in', emails)
      .execute()
    const ids = new Map(accounts.map(({ id, email }) => [email, id]))
    const rows = new Map<string, Insertable<Database['audit_events']>>()
    for (const [nth, { event, email, address, n, at }] of counted.entries()) {
      const isOther = nth >= mostRows || address === ''
      const origin = isOther ? null : plainAddress(address)
      const staff_id = isOther ? null : (ids.get(email) ?? null)
      const key = JSON.stringify([event, staff_id, origin])
      const about = isOther ? 'other addresses' : null
      rows.set(key, { at, event, staff_id, about, origin, n: n + (rows.get(key)?.n ?? 0) })
    }
    return [...rows.values()]
  }
  const writeLater = () => {
    timer = setTimeout(() => {
      timer = undefined
      if (counts.size > 0) void write().then(writeLater)
    }, pause).unref()
  }

  return {
    note: async ({ event, email, address }, now) => {
      count({ event, email: email.trim().toLowerCase(), address }, now, 1)
      if (timer) return
      writeLater()
      await write()
    },
    close: async () => {
      clearTimeout(timer)
      await write()
    },
  }
}
