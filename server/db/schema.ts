import type { Generated } from 'kysely'

/**
 * The tables, the same on both engines. Timestamps are epoch milliseconds, money is integer cents, booleans are
 * 0 or 1, so a row reads alike from SQLite and PostgreSQL. `search` holds the folded text that `s` looks in.
 */
type Id = Generated<number>
type Flag = 0 | 1

interface Person {
  id: Id
  fullname: string
  phone_number: string
  date_joined: number
  search: string
  wallet_balance: number
  total_trips: Generated<number>
  total_completed_trips: Generated<number>
  total_failed_trips: Generated<number>
}

export interface Database {
  staff: {
    id: Id
    email: string
    password_hash: string
    date_joined: number
    disabled: Generated<Flag>
    search: string
  }
  sessions: { token_hash: string; staff_id: number; created_at: number; used_at: number }
  login_attempts: { key: string; window_start: number; count: number; last_at: number }
  login_places: { key: string; at: number }
  customers: Person
  drivers: Person & {
    image: string | null
    id_front: string | null
    id_back: string | null
    license: string | null
    online: Generated<Flag>
    busy: Generated<Flag>
    deleted: Generated<Flag>
    total_earnings: Generated<number>
    version: Generated<number>
  }
  vehicles: { id: Id; driver_id: number; registration: string; color: string; search: string }
  trips: {
    id: Id
    driver_id: number | null
    customer_id: number | null
    start_name: string
    destination_name: string
    created_at: number
    status: string
    cost: number
    distance: number
    notes: string
    search: string
  }
  driver_transactions: { id: Id; driver_id: number; amount: number; created_at: number }
  slots: { id: Id; name: string; amount: number }
  pre_bookings: {
    id: Id
    start_lat: number
    start_lng: number
    created_at: number
    appointment_date: number
    customer_id: number
    driver_id: number | null
    slot_id: number
    status: string
    pickup_time: number | null
    dropoff_time: number | null
    paid: Flag
    amount: number
  }
  invoices: {
    id: Id
    driver_id: number
    amount: number
    paid: Generated<Flag>
    invoice_for: string
    invoice_date_added: number
    date_paid: number | null
    grace_end_date: number
    version: Generated<number>
  }
  driver_invites: { id: Id; driver_id: number; customer_id: number; created_at: number }
  attractions: Written & {
    name: string
    description: string
    image: string
    place_name: string
    lat: number
    lng: number
  }
  blogs: Written & { title: string; sub_title: string; content: string; image: string }
  coupons: Written & { code: string; amount: number; valid_till: string | null }
  coupon_users: { coupon_id: number; customer_id: number }
  promo_codes: Written & {
    code: string
    title: string
    description: string
    amount: number
    valid_till: string | null
    promo_type: 'Internal' | 'External'
    customer_id: number
    redemeed: Generated<Flag>
  }
  sos_logs: {
    id: Id
    trip_id: number
    raised_by: string
    latitude: number
    longitude: number
    created_at: number
  }
  idempotency: {
    staff_id: number
    key: string
    fingerprint: string
    status: number
    body: string
    created_at: number
  }
  audit: {
    id: Id
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
  counters: { name: string; value: number }
  id_buckets: { entity: string; bucket: number; n: number }
  meta: { name: string; value: string }
}

/** What staff write and edit; `version` grows with every edit, `deleted` is a soft delete (S4.7). */
interface Written {
  id: Id
  created_at: number
  search: string
  deleted: Generated<Flag>
  version: Generated<number>
}

/** Tables that are shown as lists: counted and paged through `id_buckets`. */
export const listedTables = [
  'staff',
  'customers',
  'drivers',
  'vehicles',
  'trips',
  'pre_bookings',
  'invoices',
  'driver_invites',
  'attractions',
  'blogs',
  'coupons',
  'promo_codes',
  'sos_logs',
] as const
export type ListedTable = (typeof listedTables)[number]

/** Tables whose text is searched often or at length; they carry a trigram index. */
export const searchedTables = {
  drivers: ['search', 'phone_number'],
  customers: ['search', 'phone_number'],
  vehicles: ['search'],
} as const satisfies Partial<Record<ListedTable, readonly string[]>>
