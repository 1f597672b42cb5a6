import { Type } from 'typebox'
import type { Static, TObject, TProperties, TSchema } from 'typebox'

/**
 * The JSON of every call, as JSON Schema and as types. The server validates and serialises with the
 * schemas; the console uses only the types. Money is Ksh with up to two decimals, distance is metres, timestamps
 * are ISO 8601 in UTC, `valid_till` is a calendar date. Names are the specification's (S3), `redemeed` included.
 */

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const strict = { additionalProperties: false }
/** A driver or customer of a record. S3.5 to S3.13 have the id in some records only; our server sends it in all. */
const named = Type.Object({ id: Type.Integer(), user: Type.Object({ fullname: Type.String() }) })
const reachable = Type.Object({
  id: Type.Optional(Type.Integer()),
  user: Type.Object({ fullname: Type.String(), phone_number: Type.String() }),
})
const person = Type.Object({
  fullname: Type.String(),
  phone_number: Type.String(),
  date_joined: Type.String(),
})

/** S3.18; PostgreSQL cannot store NUL characters. */
export const LoginBody = Type.Object(
  {
    email: Type.String({ minLength: 1, maxLength: 254, pattern: '^[^\\u0000]*$' }),
    password: Type.String({ minLength: 1, maxLength: 1024 }),
  },
  strict,
)
export const LoginAnswer = Type.Object({ token: Type.String() })

/** A session of the staff member who asks. `browser` is "Firefox 143 on Windows"; `current` is that of the request. */
export const Session = Type.Object({
  id: Type.String(),
  created_at: Type.String(),
  used_at: Type.String(),
  address: nullable(Type.String()),
  browser: nullable(Type.String()),
  current: Type.Boolean(),
})
export const Sessions = Type.Object({ results: Type.Array(Session) })
/** Ends the session with this id, or with `others` all but the one of the request. */
export const EndSessionBody = Type.Object(
  { session: Type.String({ pattern: '^(others|[\\w-]{22})$' }) },
  strict,
)
export const PasswordBody = Type.Object(
  {
    current: Type.String({ minLength: 1, maxLength: 1024 }),
    password: Type.String({ minLength: 1, maxLength: 1024 }),
  },
  strict,
)

/** S8.2, S8.9: the text of a success toast. */
export const MessageAnswer = Type.Object({ message: Type.String() })

/** Every 4xx and 5xx. `errors` names the invalid fields. */
export const Problem = Type.Object({
  message: Type.String(),
  errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
})

/** S3.1; the commission's key is `total_{product}_amount`. All amounts in Ksh. */
export const Analytics = Type.Object(
  {
    cash_in_hand: Type.Number(),
    pending_reconciliation: Type.Number(),
    total_revenue: Type.Number(),
    total_amount: Type.Number(),
    total_driver_amount: Type.Number(),
    total_riders: Type.Integer(),
    total_customers: Type.Integer(),
    total_completed_trips: Type.Integer(),
    total_suspended_riders: Type.Integer(),
    total_failed_trips: Type.Integer(),
    total_bookings: Type.Integer(),
    total_ongoing_bookings: Type.Integer(),
    total_completed_bookings: Type.Integer(),
    total_pending_bookings: Type.Integer(),
    online_drivers: Type.Integer(),
    percent_online_drivers: Type.Number(),
  },
  { additionalProperties: Type.Number() },
)

const trended = {
  trips: Type.Integer(),
  fares: Type.Number(),
  commission: Type.Number(),
  cash: Type.Number(),
  drivers: Type.Integer(),
  customers: Type.Integer(),
  sos: Type.Integer(),
}

/**
 * The figures of each of the last days in Nairobi, or of each hour of today, oldest first and up to now. `at` is the
 * start of the day or hour. `before` is the sum of as many days before, up to the same hour (docs/figures.md).
 */
export const Trends = Type.Object({
  as_of: Type.String(),
  days: Type.Integer(),
  points: Type.Array(Type.Object({ at: Type.String(), ...trended })),
  before: Type.Object(trended),
  /** The completed trips of the days by the town in which they began, most trips first; null if the place is not known. */
  areas: Type.Array(
    Type.Object({
      area: nullable(Type.String()),
      trips: Type.Integer(),
      fares: Type.Number(),
    }),
  ),
})

/** S3.2; `deleted` means suspended. */
export const Driver = Type.Object({
  id: Type.Integer(),
  user: person,
  image: nullable(Type.String()),
  id_front: nullable(Type.String()),
  id_back: nullable(Type.String()),
  license: nullable(Type.String()),
  vehicle: nullable(Type.Object({ registration: Type.String() })),
  online: Type.Boolean(),
  busy: Type.Boolean(),
  deleted: Type.Boolean(),
  wallet_balance: Type.Number(),
  total_trips: Type.Integer(),
  total_earnings: Type.Number(),
  total_completed_trips: Type.Integer(),
  total_failed_trips: Type.Integer(),
  version: Type.Integer(),
})

/** S3.6 */
export const Trip = Type.Object({
  id: Type.Integer(),
  start_name: Type.String(),
  destination_name: Type.String(),
  created_at: Type.String(),
  customer: nullable(named),
  driver: nullable(named),
  status: Type.String(),
  cost: Type.Number(),
  distance: Type.Number(),
  notes: Type.String(),
})

/** S3.7 */
export const DriverTransaction = Type.Object({
  transaction_id: Type.Integer(),
  amount: Type.Number(),
  created_at: Type.String(),
})

/** S3.3 */
export const Customer = Type.Object({
  id: Type.Integer(),
  user: person,
  total_completed_trips: Type.Integer(),
  total_failed_trips: Type.Integer(),
  wallet_balance: Type.Number(),
})

/** S3.4 */
export const StaffUser = Type.Object({ id: Type.Integer(), email: Type.String(), date_joined: Type.String() })

/** S3.5 */
export const Vehicle = Type.Object({
  id: Type.Integer(),
  registration: Type.String(),
  color: Type.String(),
  driver: nullable(
    Type.Object({
      id: Type.Integer(),
      user: Type.Object({ fullname: Type.String(), date_joined: Type.String() }),
    }),
  ),
})

/** S3.8 */
export const PreBooking = Type.Object({
  id: Type.Integer(),
  start_lat: Type.Number(),
  start_lng: Type.Number(),
  created_at: Type.String(),
  appointment_date: Type.String(),
  customer: named,
  driver: nullable(named),
  slot: Type.Object({ name: Type.String(), amount: Type.Number() }),
  status: Type.String(),
  pickup_time: nullable(Type.String()),
  dropoff_time: nullable(Type.String()),
  paid: Type.Boolean(),
})

/** S3.9; `over_due` means unpaid after the grace period. */
export const Invoice = Type.Object({
  id: Type.Integer(),
  driver: named,
  amount: Type.Number(),
  paid: Type.Boolean(),
  over_due: Type.Boolean(),
  invoice_for: Type.String(),
  invoice_date_added: Type.String(),
  date_paid: nullable(Type.String()),
  grace_end_date: Type.String(),
  version: Type.Integer(),
})

/** S3.10 */
export const DriverInvite = Type.Object({
  id: Type.Integer(),
  driver: named,
  customer: named,
  created_at: Type.String(),
})

/** S3.11 */
export const Attraction = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  image: Type.String(),
  lat: Type.String(),
  lng: Type.String(),
  location: Type.Object({ placeName: Type.String(), lat: Type.Number(), lng: Type.Number() }),
  deleted: Type.Boolean(),
  version: Type.Integer(),
})

/** S3.12 */
export const Blog = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  sub_title: Type.String(),
  content: Type.String(),
  image: Type.String(),
  deleted: Type.Boolean(),
  version: Type.Integer(),
})

/** S3.13 */
export const Coupon = Type.Object({
  id: Type.Integer(),
  code: Type.String(),
  amount: Type.Number(),
  valid_till: nullable(Type.String()),
  created_at: Type.String(),
  users: Type.Array(named),
  deleted: Type.Boolean(),
  version: Type.Integer(),
})

/** S3.14 */
export const PromoCode = Type.Object({
  id: Type.Integer(),
  code: Type.String(),
  title: Type.String(),
  description: Type.String(),
  amount: Type.Number(),
  valid_till: nullable(Type.String()),
  promo_type: Type.Union([Type.Literal('Internal'), Type.Literal('External')]),
  user: Type.Object({
    id: Type.Integer(),
    user: Type.Object({ fullname: Type.String(), phone_number: Type.String() }),
  }),
  redemeed: Type.Boolean(),
  deleted: Type.Boolean(),
  version: Type.Integer(),
})

/**
 * S3.16. The optional fields are ours: when and by whom it was acknowledged (null while it is new), its version, the ids of
 * trip, driver and customer, and the nearest known place ("320 m NE of Sarit Centre") with the credit of its source.
 */
export const SosLog = Type.Object({
  id: Type.Integer(),
  raised_by: Type.String(),
  latitude: Type.Number(),
  longitude: Type.Number(),
  created_at: Type.String(),
  handled_at: Type.Optional(nullable(Type.String())),
  handled_by: Type.Optional(nullable(Type.String())),
  version: Type.Optional(Type.Integer()),
  near: Type.Optional(nullable(Type.Object({ text: Type.String(), credit: Type.String() }))),
  trip: Type.Object({
    id: Type.Optional(Type.Integer()),
    driver: nullable(reachable),
    customer: nullable(reachable),
    start_name: Type.String(),
    destination_name: Type.String(),
  }),
})

/** S7.22 */
export const ClearInvoiceBody = Type.Object({ invoice_id: Type.Integer({ minimum: 1 }) }, strict)

const shortText = (maxLength: number) => Type.String({ maxLength, pattern: '^[^\\u0000]*$' })
const decimals = (limit: number) =>
  Type.Union([
    Type.Number({ minimum: -limit, maximum: limit }),
    Type.String({ pattern: '^-?\\d{1,3}(\\.\\d{1,15})?$' }),
  ])
const money = Type.Number({ minimum: 0, maximum: 100_000_000, multipleOf: 0.01 })
const date = Type.Union([Type.String({ pattern: '^(\\d{4}-\\d{2}-\\d{2})?$' }), Type.Null()])
/** The version that was edited. If the stored one differs, the reply is 409. Without it the update overwrites. */
const version = Type.Optional(Type.Integer())
const deleted = Type.Optional(Type.Boolean())

/** S7.19, S7.20, S7.21: every field of an update is optional. */
export const AttractionBody = Type.Object(
  {
    name: shortText(300),
    description: shortText(20_000),
    location: Type.Object({
      placeName: shortText(300),
      lat: Type.Optional(decimals(90)),
      lng: Type.Optional(decimals(180)),
    }),
    lat: decimals(90),
    lng: decimals(180),
    image: Type.Optional(shortText(2000)),
  },
  strict,
)

/** S7.26, S7.27 */
export const BlogBody = Type.Object(
  {
    title: shortText(300),
    sub_title: shortText(300),
    content: shortText(200_000),
    image: Type.Optional(shortText(2000)),
  },
  strict,
)

/** S7.29, S7.30 */
export const CouponBody = Type.Object({ code: shortText(100), valid_till: date, amount: money }, strict)

/** S7.32; the update (S7.33) has no `user`. */
export const PromoCodeBody = Type.Object(
  {
    code: shortText(100),
    valid_till: date,
    amount: money,
    user: Type.Integer({ minimum: 1 }),
    promo_type: Type.Union([Type.Literal('Internal'), Type.Literal('External')]),
    title: shortText(300),
    description: shortText(5000),
  },
  strict,
)

/** The fields that an update can change, including the soft delete. */
export const Change = <T extends TProperties>(body: TObject<T>) =>
  Type.Object({ ...Type.Partial(body).properties, deleted, version }, strict)

/** Column ids, separated by commas. */
const columnIds = Type.String({ maxLength: 1000, pattern: '^([a-z][a-z0-9-]*(,[a-z][a-z0-9-]*)*)?$' })
const viewFields = {
  name: Type.String({ minLength: 1, maxLength: 80, pattern: '^[^\\u0000]*$' }),
  query: shortText(1000),
  hidden: Type.Optional(shortText(1000)),
  column_order: Type.Optional(columnIds),
  pinned: Type.Optional(Type.Boolean()),
}
/** A saved view. `list` names the list as in the capabilities (`promos`); the other fields are as in `View`. */
export const ViewBody = Type.Object({ list: shortText(40), ...viewFields }, strict)
/** `position` moves the view to this place; those from there on move down by one. */
export const ViewChange = Change(
  Type.Object({ ...viewFields, position: Type.Integer({ minimum: 1, maximum: 1_000_000 }) }, strict),
)

/**
 * The query of a list. `ordering` is a field, with a minus for descending; blank is the server's default order. `filter`
 * is a list of terms, separated by commas, that must all apply: `overdue`, `driver:12`.
 */
export interface ListQuery {
  page: number
  /** Rows per page. */
  size: number
  s: string
  phone: string
  /** Attractions only (S7.17). */
  name: string
  ordering: string
  filter: string
}

/** S3.17; `count` is ours. Pages start at 1; an empty list has `total_pages` 0. */
export const Page = <T extends TSchema>(item: T) =>
  Type.Object({
    results: Type.Array(item),
    current_page_number: Type.Integer(),
    total_pages: Type.Integer(),
    next_page: nullable(Type.Integer()),
    previous_page: nullable(Type.Integer()),
    count: Type.Integer(),
  })

/**
 * What a server offers beyond the calls of section 7. For each noun, `ordering` has the fields that its list can be
 * sorted by, and `filters` the terms that its `filter` accepts. A term that ends with a colon needs an id after it:
 * `driver:` is sent as `driver:7`.
 */
export const Capabilities = Type.Object({
  count: Type.Boolean(),
  page_size: Type.Boolean(),
  idempotency: Type.Boolean(),
  logout: Type.Boolean(),
  search: Type.Boolean(),
  acknowledge: Type.Boolean(),
  views: Type.Boolean(),
  trends: Type.Boolean(),
  counts: Type.Boolean(),
  sessions: Type.Boolean(),
  ordering: Type.Record(Type.String(), Type.Array(Type.String())),
  filters: Type.Record(Type.String(), Type.Array(Type.String())),
})

/**
 * The answer of `search/`, best first. `noun` is the noun's name in the console (`promo`), `record` the row as in its
 * list. `match` says how the record matches the query: `exact` if an id, plate, code, name or whole phone number equals
 * it, `words` if a word of the record begins with each word of it, `part` if the record contains it elsewhere, and `typo`
 * if the record matches after one typing error in a word is corrected.
 */
export const SearchAnswer = Type.Object({
  results: Type.Array(
    Type.Object({
      noun: Type.String(),
      match: Type.Union([
        Type.Literal('exact'),
        Type.Literal('words'),
        Type.Literal('part'),
        Type.Literal('typo'),
      ]),
      record: Type.Object({}, { additionalProperties: true }),
    }),
  ),
})

/**
 * A view that a staff member has saved. `query` is the query string of the list's address (`filter=overdue&size=100`), `hidden`
 * the ids of the columns that are hidden, with commas between them, and `column_order` the ids of all columns after the first
 * one in the order that the staff member gave them: blank for the order of S2, absent in views from before it was stored.
 * Views of a list are shown in the order of `position`.
 */
export const View = Type.Object({
  id: Type.Integer(),
  list: Type.String(),
  name: Type.String(),
  query: Type.String(),
  hidden: Type.String(),
  column_order: Type.Optional(Type.String()),
  pinned: Type.Boolean(),
  position: Type.Integer(),
  deleted: Type.Boolean(),
  version: Type.Integer(),
})
export const Views = Type.Object({ results: Type.Array(View) })

/** How many records each pinned view has; null if they could not be counted in a second. */
export const ViewCounts = Type.Object({
  results: Type.Array(Type.Object({ id: Type.Integer(), count: nullable(Type.Integer()) })),
})

/** By list, how many records the terms of its `filter` keep, where that is known without reading them. */
export const TermCounts = Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer()))

/** One suggestion of the location input. `credit` names the source, if its licence requires it. */
const Place = Type.Object({
  placeName: Type.String(),
  detail: Type.String(),
  lat: Type.Number(),
  lng: Type.Number(),
  credit: Type.String(),
})
export const Places = Type.Object({ results: Type.Array(Place) })

/** `/config.json`: the settings of an installation that the browser needs. */
export const ConsoleConfig = Type.Object({
  product: Type.String(),
  apiHost: Type.String(),
  authScheme: Type.String(),
  demoLogin: nullable(Type.Object({ email: Type.String(), password: Type.String() })),
  /** The Firebase project's web configuration; null if our own server stores the pictures. */
  firebase: nullable(Type.Record(Type.String(), Type.String())),
  /** The key of Google Maps; empty if places come from our own gazetteer. */
  mapsKey: Type.String(),
})

export type Session = Static<typeof Session>
export type Analytics = Static<typeof Analytics>
export type Trends = Static<typeof Trends>
export type Driver = Static<typeof Driver>
export type Trip = Static<typeof Trip>
export type Customer = Static<typeof Customer>
export type StaffUser = Static<typeof StaffUser>
export type Vehicle = Static<typeof Vehicle>
export type PreBooking = Static<typeof PreBooking>
export type Invoice = Static<typeof Invoice>
export type DriverInvite = Static<typeof DriverInvite>
export type Attraction = Static<typeof Attraction>
export type AttractionBody = Static<typeof AttractionBody>
export type Blog = Static<typeof Blog>
export type BlogBody = Static<typeof BlogBody>
export type Coupon = Static<typeof Coupon>
export type CouponBody = Static<typeof CouponBody>
export type PromoCode = Static<typeof PromoCode>
export type PromoCodeBody = Static<typeof PromoCodeBody>
export type SosLog = Static<typeof SosLog>
export type DriverTransaction = Static<typeof DriverTransaction>
export type Place = Static<typeof Place>
export type Places = Static<typeof Places>
export type View = Static<typeof View>
export type ViewBody = Static<typeof ViewBody>
export type ViewChange = Static<typeof ViewChange>
export type ViewCounts = Static<typeof ViewCounts>
export type TermCounts = Static<typeof TermCounts>
export type Capabilities = Static<typeof Capabilities>
export type SearchAnswer = Static<typeof SearchAnswer>
export type ConsoleConfig = Static<typeof ConsoleConfig>
