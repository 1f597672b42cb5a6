import type { Dialect } from '../ddl.ts'
import { counters } from '../ddl.ts'

/** The whole domain of S3, and what the server itself needs to remember. */
export function domain({ id, integer, real, text, tableEnd }: Dialect): string[] {
  const table = (name: string, columns: string[]) =>
    `create table ${name} (${columns.join(', ')}) ${tableEnd}`
  const index = (name: string, on: string) => `create index ${name} on ${on}`
  const flag = (name: string) => `${name} ${integer} not null default 0 check (${name} in (0, 1))`
  const int = (name: string) => `${name} ${integer} not null`
  const zero = (name: string) => `${name} ${integer} not null default 0`
  const str = (name: string) => `${name} ${text} not null`
  const to = (name: string, other: string) => `${name} ${integer} not null references ${other} (id)`
  const maybe = (name: string, other: string) => `${name} ${integer} references ${other} (id)`
  const person = [
    `id ${id}`,
    ...['fullname', 'phone_number', 'search'].map(str),
    ...['date_joined', 'wallet_balance'].map(int),
    ...['total_trips', 'total_completed_trips', 'total_failed_trips'].map(zero),
  ]
  const written = [
    `id ${id}`,
    int('created_at'),
    str('search'),
    flag('deleted'),
    `version ${integer} not null default 1`,
  ]

  return [
    table('staff', [
      `id ${id}`,
      `email ${text} not null unique`,
      str('password_hash'),
      int('date_joined'),
      flag('disabled'),
      str('search'),
    ]),
    table('sessions', [
      `token_hash ${text} primary key`,
      to('staff_id', 'staff'),
      int('created_at'),
      int('used_at'),
    ]),
    index('sessions_staff', 'sessions (staff_id)'),
    table('login_attempts', [`key ${text} primary key`, int('window_start'), int('count')]),

    table('customers', person),
    table('drivers', [
      ...person,
      ...['image', 'id_front', 'id_back', 'license'].map((name) => `${name} ${text}`),
      ...['online', 'busy', 'deleted'].map(flag),
      zero('total_earnings'),
    ]),
    ...['customers', 'drivers'].flatMap((people) =>
      [
        'search',
        'phone_number',
        'date_joined',
        'total_completed_trips',
        'total_failed_trips',
        'wallet_balance',
      ].map((column) => index(`${people}_${column}`, `${people} (${column}, id)`)),
    ),
    table('vehicles', [
      `id ${id}`,
      `driver_id ${integer} not null unique references drivers (id)`,
      str('registration'),
      str('color'),
      str('search'),
    ]),
    index('vehicles_search', 'vehicles (search, id)'),
    table('trips', [
      `id ${id}`,
      maybe('driver_id', 'drivers'),
      maybe('customer_id', 'customers'),
      ...['start_name', 'destination_name', 'status', 'notes', 'search'].map(str),
      ...['created_at', 'cost', 'distance'].map(int),
    ]),
    index('trips_driver', 'trips (driver_id, id)'),
    index('trips_customer', 'trips (customer_id, id)'),
    table('driver_transactions', [`id ${id}`, to('driver_id', 'drivers'), int('amount'), int('created_at')]),
    index('driver_transactions_driver', 'driver_transactions (driver_id, id)'),
    table('slots', [`id ${id}`, str('name'), int('amount')]),
    table('pre_bookings', [
      `id ${id}`,
      `start_lat ${real} not null`,
      `start_lng ${real} not null`,
      int('created_at'),
      int('appointment_date'),
      to('customer_id', 'customers'),
      maybe('driver_id', 'drivers'),
      to('slot_id', 'slots'),
      str('status'),
      `pickup_time ${integer}`,
      `dropoff_time ${integer}`,
      flag('paid'),
      int('amount'),
    ]),
    index('pre_bookings_customer', 'pre_bookings (customer_id)'),
    index('pre_bookings_driver', 'pre_bookings (driver_id)'),
    table('invoices', [
      `id ${id}`,
      to('driver_id', 'drivers'),
      int('amount'),
      flag('paid'),
      str('invoice_for'),
      int('invoice_date_added'),
      `date_paid ${integer}`,
      int('grace_end_date'),
      'check ((paid = 1) = (date_paid is not null))',
    ]),
    index('invoices_driver', 'invoices (driver_id, id)'),
    table('driver_invites', [
      `id ${id}`,
      to('driver_id', 'drivers'),
      to('customer_id', 'customers'),
      int('created_at'),
    ]),
    index('driver_invites_driver', 'driver_invites (driver_id, id)'),
    index('driver_invites_customer', 'driver_invites (customer_id)'),

    table('attractions', [
      ...written,
      ...['name', 'description', 'image', 'place_name'].map(str),
      `lat ${real} not null`,
      `lng ${real} not null`,
    ]),
    table('blogs', [...written, ...['title', 'sub_title', 'content', 'image'].map(str)]),
    table('coupons', [...written, str('code'), int('amount'), `valid_till ${text}`]),
    table('coupon_users', [
      to('coupon_id', 'coupons'),
      to('customer_id', 'customers'),
      'primary key (coupon_id, customer_id)',
    ]),
    index('coupon_users_customer', 'coupon_users (customer_id)'),
    table('promo_codes', [
      ...written,
      ...['code', 'title', 'description'].map(str),
      int('amount'),
      `valid_till ${text}`,
      `promo_type ${text} not null check (promo_type in ('Internal', 'External'))`,
      to('customer_id', 'customers'),
      flag('redemeed'),
    ]),
    index('promo_codes_customer', 'promo_codes (customer_id)'),
    table('sos_logs', [
      `id ${id}`,
      to('trip_id', 'trips'),
      str('raised_by'),
      `latitude ${real} not null`,
      `longitude ${real} not null`,
      int('created_at'),
    ]),
    index('sos_logs_trip', 'sos_logs (trip_id)'),

    table('idempotency', [
      to('staff_id', 'staff'),
      str('key'),
      str('fingerprint'),
      int('status'),
      str('body'),
      int('created_at'),
      'primary key (staff_id, key)',
    ]),
    index('idempotency_created', 'idempotency (created_at)'),
    table('audit', [
      `id ${id}`,
      int('at'),
      to('staff_id', 'staff'),
      str('action'),
      str('entity'),
      int('entity_id'),
      str('request_id'),
    ]),
    index('audit_entity', 'audit (entity, entity_id)'),
    table('counters', [`name ${text} primary key`, int('value')]),
    `insert into counters (name, value) values ${Object.keys(counters)
      .map((name) => `('${name}', 0)`)
      .join(', ')}`,
    table('id_buckets', [str('entity'), int('bucket'), int('n'), 'primary key (entity, bucket)']),
    table('meta', [`name ${text} primary key`, str('value')]),
  ]
}
