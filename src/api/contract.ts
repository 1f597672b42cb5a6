import { Type } from 'typebox'
import type { Static, TSchema } from 'typebox'

/**
 * The wire: shapes of every call, as JSON Schema and as types. The server validates and serialises with the
 * schemas; the console takes the types only. Money is Ksh with up to two decimals, distance is metres, timestamps
 * are ISO 8601 in UTC, `valid_till` is a calendar date. Names are the specification's (S3), `redemeed` included.
 */

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const person = Type.Object({
  fullname: Type.String(),
  phone_number: Type.String(),
  date_joined: Type.String(),
})

/** S3.18; PostgreSQL knows no NUL. */
export const LoginBody = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 254, pattern: '^[^\\u0000]*$' }),
  password: Type.String({ minLength: 1, maxLength: 1024 }),
})
export const LoginAnswer = Type.Object({ token: Type.String() })

/** S8.2, S8.9: what a success toast shows. */
export const MessageAnswer = Type.Object({ message: Type.String() })

/** Every 4xx and 5xx. `errors` names the fields at fault. */
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
})

/** S3.6 */
export const Trip = Type.Object({
  id: Type.Integer(),
  start_name: Type.String(),
  destination_name: Type.String(),
  created_at: Type.String(),
  customer: nullable(Type.Object({ user: Type.Object({ fullname: Type.String() }) })),
  driver: nullable(Type.Object({ user: Type.Object({ fullname: Type.String() }) })),
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

/** What a server offers beyond the calls of section 7. `ordering` lists, per noun, the fields a list sorts by. */
export const Capabilities = Type.Object({
  count: Type.Boolean(),
  page_size: Type.Boolean(),
  idempotency: Type.Boolean(),
  ordering: Type.Record(Type.String(), Type.Array(Type.String())),
})

/** `/config.json`: what the browser needs to know of an installation. */
export const ConsoleConfig = Type.Object({
  product: Type.String(),
  apiHost: Type.String(),
  authScheme: Type.String(),
  demoLogin: nullable(Type.Object({ email: Type.String(), password: Type.String() })),
})

export type Analytics = Static<typeof Analytics>
export type Driver = Static<typeof Driver>
export type Trip = Static<typeof Trip>
export type DriverTransaction = Static<typeof DriverTransaction>
export type Capabilities = Static<typeof Capabilities>
export type ConsoleConfig = Static<typeof ConsoleConfig>
