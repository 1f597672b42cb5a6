import type { Generated } from 'kysely'
import type { Flag, Id } from './columns.ts'

/**
 * The tables, the same on both engines. Timestamps are epoch milliseconds, money is integer cents, booleans are
 * 0 or 1, so rows from SQLite and PostgreSQL are equal. The tables of a noun are declared in its file in
 * `server/nouns`; here are those that belong to no noun.
 */
export interface Database {
  sessions: {
    token_hash: string
    staff_id: number
    created_at: number
    used_at: number
    /** The address from which the session was begun, and the browser: "Firefox 143 on Windows". */
    address: string | null
    browser: string | null
  }
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
  /** What happens beside the changes of records (server/audit/events.ts). */
  audit_events: {
    id: Generated<number>
    at: number
    event: string
    staff_id: number | null
    /** The list that was exported, the file, or the account that a staff command changed. */
    about: string | null
    /** The address of the client, or the system user who ran a command. */
    origin: string | null
    /** How many of them the row stands for. */
    n: number
    request_id: string | null
  }
  /** Seals of rows of the audit, numbered from 1 without gaps. */
  audit_seals: {
    id: number
    at: number
    rows_of: string
    first_id: number
    last_id: number
    /** The number of rows. */
    n: number
    /** The hash of the seal before; blank for the first one. */
    previous: string
    /** SHA-256, in hexadecimal digits. */
    hash: string
  }
  views: {
    id: Id
    staff_id: number
    list: string
    name: string
    query: string
    hidden: string
    /** Null in views from before it was stored. */
    column_order: string | null
    pinned: Flag
    position: number
    created_at: number
    deleted: Generated<Flag>
    version: Generated<number>
  }
  /** A counter is the sum of its parts. */
  counters: { name: string; part: number; value: number }
  /** The figures of each hour in Nairobi (`perHour` of the nouns). */
  hourly: { entity: string; hour: number; n: number; amount: number }
  /** The town of a place by its name, from the gazetteer. */
  place_areas: { place: string; area: string }
  /** The trips of each day in Nairobi by the area in which they began, '' if it is not known (`place` of `perHour`). */
  area_days: { day: number; area: string; n: number; amount: number }
  /** How many records of each day in Nairobi fulfil a term of a list, '' for all; no id is below `low` or above `high`. */
  daily: { entity: string; term: string; day: number; part: number; n: number; low: number; high: number }
  id_buckets: { entity: string; bucket: number; n: number }
  meta: { name: string; value: string }
  /** When each server has last written here, by its own clock (server/db/replica.ts). */
  heartbeats: { server: string; at: number }
  /** Every word without digits that the search has an index for, and some that no text has any more. */
  found_words: { word: string }
}
