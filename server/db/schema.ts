import type { Generated } from 'kysely'
import type { Flag, Id } from './columns.ts'

/**
 * The tables, the same on both engines. Timestamps are epoch milliseconds, money is integer cents, booleans are
 * 0 or 1, so rows from SQLite and PostgreSQL are equal. The tables of a noun are declared in its file in
 * `server/nouns`; here are those that belong to no noun.
 */
export interface Database {
  sessions: { token_hash: string; staff_id: number; created_at: number; used_at: number }
  login_attempts: { key: string; window_start: number; count: number; last_at: number }
  login_places: { key: string; at: number }
  idempotency: {
    staff_id: number
    key: string
    fingerprint: string
    status: number
    body: string
    created_at: number
  }
  audit: {
    id: Generated<number>
    at: number
    staff_id: number
    command: string
    noun: string
    record_id: number
    before: string | null
    after: string | null
    request: string | null
    request_id: string
  }
  views: {
    id: Id
    staff_id: number
    list: string
    name: string
    query: string
    hidden: string
    pinned: Flag
    position: number
    created_at: number
    deleted: Generated<Flag>
    version: Generated<number>
  }
  counters: { name: string; value: number }
  /** The figures of each hour in Nairobi (`perHour` of the nouns). */
  hourly: { entity: string; hour: number; n: number; amount: number }
  id_buckets: { entity: string; bucket: number; n: number }
  meta: { name: string; value: string }
  /** Every word without digits that the search has an index for, and some that no text has any more. */
  found_words: { word: string }
}
