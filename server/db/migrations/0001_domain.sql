-- Every record of S3 of the specification, and what the server itself has to remember.

create table staff (
  id {id},
  email text not null unique,
  password_hash text not null,
  date_joined {integer} not null,
  disabled {integer} not null default 0 check (disabled in (0, 1)),
  search text not null
) {table_end};

create table sessions (
  token_hash text primary key,
  staff_id {integer} not null references staff (id),
  created_at {integer} not null,
  used_at {integer} not null
) {table_end};
create index sessions_staff on sessions (staff_id);

create table login_attempts (
  key text primary key,
  window_start {integer} not null,
  count {integer} not null
) {table_end};

create table customers (
  id {id},
  fullname text not null,
  phone_number text not null,
  search text not null,
  date_joined {integer} not null,
  wallet_balance {integer} not null,
  total_trips {integer} not null default 0,
  total_completed_trips {integer} not null default 0,
  total_failed_trips {integer} not null default 0
) {table_end};

create table drivers (
  id {id},
  fullname text not null,
  phone_number text not null,
  search text not null,
  date_joined {integer} not null,
  wallet_balance {integer} not null,
  total_trips {integer} not null default 0,
  total_completed_trips {integer} not null default 0,
  total_failed_trips {integer} not null default 0,
  image text,
  id_front text,
  id_back text,
  license text,
  online {integer} not null default 0 check (online in (0, 1)),
  busy {integer} not null default 0 check (busy in (0, 1)),
  deleted {integer} not null default 0 check (deleted in (0, 1)),
  total_earnings {integer} not null default 0
) {table_end};
create index customers_search on customers (search, id);
create index customers_phone_number on customers (phone_number, id);
create index customers_date_joined on customers (date_joined, id);
create index customers_total_completed_trips on customers (total_completed_trips, id);
create index customers_total_failed_trips on customers (total_failed_trips, id);
create index customers_wallet_balance on customers (wallet_balance, id);
create index drivers_search on drivers (search, id);
create index drivers_phone_number on drivers (phone_number, id);
create index drivers_date_joined on drivers (date_joined, id);
create index drivers_total_completed_trips on drivers (total_completed_trips, id);
create index drivers_total_failed_trips on drivers (total_failed_trips, id);
create index drivers_wallet_balance on drivers (wallet_balance, id);

create table vehicles (
  id {id},
  driver_id {integer} not null unique references drivers (id),
  registration text not null,
  color text not null,
  search text not null
) {table_end};
create index vehicles_search on vehicles (search, id);

create table trips (
  id {id},
  driver_id {integer} references drivers (id),
  customer_id {integer} references customers (id),
  start_name text not null,
  destination_name text not null,
  status text not null,
  notes text not null,
  search text not null,
  created_at {integer} not null,
  cost {integer} not null,
  distance {integer} not null
) {table_end};
create index trips_driver on trips (driver_id, id);
create index trips_customer on trips (customer_id, id);

create table driver_transactions (
  id {id},
  driver_id {integer} not null references drivers (id),
  amount {integer} not null,
  created_at {integer} not null
) {table_end};
create index driver_transactions_driver on driver_transactions (driver_id, id);

create table slots (
  id {id},
  name text not null,
  amount {integer} not null
) {table_end};

create table pre_bookings (
  id {id},
  start_lat {real} not null,
  start_lng {real} not null,
  created_at {integer} not null,
  appointment_date {integer} not null,
  customer_id {integer} not null references customers (id),
  driver_id {integer} references drivers (id),
  slot_id {integer} not null references slots (id),
  status text not null,
  pickup_time {integer},
  dropoff_time {integer},
  paid {integer} not null default 0 check (paid in (0, 1)),
  amount {integer} not null
) {table_end};
create index pre_bookings_customer on pre_bookings (customer_id);
create index pre_bookings_driver on pre_bookings (driver_id);

create table invoices (
  id {id},
  driver_id {integer} not null references drivers (id),
  amount {integer} not null,
  paid {integer} not null default 0 check (paid in (0, 1)),
  invoice_for text not null,
  invoice_date_added {integer} not null,
  date_paid {integer},
  grace_end_date {integer} not null,
  check ((paid = 1) = (date_paid is not null))
) {table_end};
create index invoices_driver on invoices (driver_id, id);

create table driver_invites (
  id {id},
  driver_id {integer} not null references drivers (id),
  customer_id {integer} not null references customers (id),
  created_at {integer} not null
) {table_end};
create index driver_invites_driver on driver_invites (driver_id, id);
create index driver_invites_customer on driver_invites (customer_id);

create table attractions (
  id {id},
  created_at {integer} not null,
  search text not null,
  deleted {integer} not null default 0 check (deleted in (0, 1)),
  version {integer} not null default 1,
  name text not null,
  description text not null,
  image text not null,
  place_name text not null,
  lat {real} not null,
  lng {real} not null
) {table_end};

create table blogs (
  id {id},
  created_at {integer} not null,
  search text not null,
  deleted {integer} not null default 0 check (deleted in (0, 1)),
  version {integer} not null default 1,
  title text not null,
  sub_title text not null,
  content text not null,
  image text not null
) {table_end};

create table coupons (
  id {id},
  created_at {integer} not null,
  search text not null,
  deleted {integer} not null default 0 check (deleted in (0, 1)),
  version {integer} not null default 1,
  code text not null,
  amount {integer} not null,
  valid_till text
) {table_end};

create table coupon_users (
  coupon_id {integer} not null references coupons (id),
  customer_id {integer} not null references customers (id),
  primary key (coupon_id, customer_id)
) {table_end};
create index coupon_users_customer on coupon_users (customer_id);

create table promo_codes (
  id {id},
  created_at {integer} not null,
  search text not null,
  deleted {integer} not null default 0 check (deleted in (0, 1)),
  version {integer} not null default 1,
  code text not null,
  title text not null,
  description text not null,
  amount {integer} not null,
  valid_till text,
  promo_type text not null check (promo_type in ('Internal', 'External')),
  customer_id {integer} not null references customers (id),
  redemeed {integer} not null default 0 check (redemeed in (0, 1))
) {table_end};
create index promo_codes_customer on promo_codes (customer_id);

create table sos_logs (
  id {id},
  trip_id {integer} not null references trips (id),
  raised_by text not null,
  latitude {real} not null,
  longitude {real} not null,
  created_at {integer} not null
) {table_end};
create index sos_logs_trip on sos_logs (trip_id);

create table idempotency (
  staff_id {integer} not null references staff (id),
  key text not null,
  fingerprint text not null,
  status {integer} not null,
  body text not null,
  created_at {integer} not null,
  primary key (staff_id, key)
) {table_end};
create index idempotency_created on idempotency (created_at);

create table audit (
  id {id},
  at {integer} not null,
  staff_id {integer} not null references staff (id),
  action text not null,
  entity text not null,
  entity_id {integer} not null,
  request_id text not null
) {table_end};
create index audit_entity on audit (entity, entity_id);

create table counters (
  name text primary key,
  value {integer} not null
) {table_end};

create table id_buckets (
  entity text not null,
  bucket {integer} not null,
  n {integer} not null,
  primary key (entity, bucket)
) {table_end};

create table meta (
  name text primary key,
  value text not null
) {table_end};
