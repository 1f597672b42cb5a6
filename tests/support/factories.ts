import { argon2Sync } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Engine } from '../../server/db/engine.ts'
import type { Database } from '../../server/db/schema.ts'
import { fold, foldPlate } from '../../server/fold.ts'

/** Each factory inserts a row, with plausible defaults for the columns that a test does not give, and returns it. */
type Given<Table extends keyof Database> = Partial<Insertable<Database[Table]>>

export const staffPassword = 'a long enough password'
const password_hash = quickHash(staffPassword)

const joined = Date.UTC(2025, 10, 3, 7, 30)
let serial = 0

export function buildStaff(engine: Engine, given: Given<'staff'> = {}) {
  const email = given.email ?? `staff${++serial}@twende.test`
  return engine.db
    .insertInto('staff')
    .values({
      password_hash,
      date_joined: joined,
      search: fold(email),
      ...given,
      email,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A hash contains its own cost. This one has the lowest cost, so that tests are fast. */
function quickHash(message: string): string {
  const nonce = Buffer.from('sixteen bytes ..')
  const tag = argon2Sync('argon2id', { message, nonce, parallelism: 1, tagLength: 32, memory: 8, passes: 1 })
  const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
  return `$argon2id$v=19$m=8,t=1,p=1$${salt ?? ''}$${hash ?? ''}`
}

function person({ fullname = `Person ${++serial}` }: { fullname?: string | undefined }) {
  return {
    fullname,
    search: fold(fullname),
    phone_number: `2547${String(10_000_000 + ++serial)}`,
    date_joined: joined,
    wallet_balance: 0,
  }
}

export function buildDriver(engine: Engine, given: Given<'drivers'> = {}) {
  return engine.db
    .insertInto('drivers')
    .values({ ...person(given), ...given })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function buildCustomer(engine: Engine, given: Given<'customers'> = {}) {
  return engine.db
    .insertInto('customers')
    .values({ ...person(given), ...given })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function buildVehicle(engine: Engine, given: Given<'vehicles'> & { driver_id: number }) {
  const registration = given.registration ?? `KDA ${String(100 + ++serial)}B`
  return engine.db
    .insertInto('vehicles')
    .values({ registration, color: 'White', search: foldPlate(registration), ...given })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function buildTrip(engine: Engine, given: Given<'trips'> = {}) {
  const { start_name = 'Westlands', destination_name = 'Karen', notes = '' } = given
  return engine.db
    .insertInto('trips')
    .values({
      driver_id: null,
      customer_id: null,
      created_at: joined,
      status: 'Completed',
      cost: 100_000,
      distance: 12_345,
      search: fold(`${start_name} ${destination_name} ${notes}`),
      ...given,
      start_name,
      destination_name,
      notes,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function buildTransaction(
  engine: Engine,
  given: Given<'driver_transactions'> & { driver_id: number },
) {
  return engine.db
    .insertInto('driver_transactions')
    .values({ amount: 50_000, created_at: joined, ...given })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function buildSlot(engine: Engine, given: Given<'slots'> = {}) {
  return engine.db
    .insertInto('slots')
    .values({ name: 'Half day', amount: 600_000, ...given })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function buildBooking(engine: Engine, given: Given<'pre_bookings'> = {}) {
  const slot_id = given.slot_id ?? (await buildSlot(engine)).id
  const customer_id = given.customer_id ?? (await buildCustomer(engine)).id
  return engine.db
    .insertInto('pre_bookings')
    .values({
      start_lat: -1.286389,
      start_lng: 36.817223,
      created_at: joined,
      appointment_date: joined,
      driver_id: null,
      status: 'Pending',
      pickup_time: null,
      dropoff_time: null,
      paid: 0,
      amount: 600_000,
      ...given,
      slot_id,
      customer_id,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function buildInvoice(engine: Engine, given: Given<'invoices'> & { driver_id: number }) {
  return engine.db
    .insertInto('invoices')
    .values({
      amount: 250_000,
      invoice_for: 'Commission',
      invoice_date_added: joined,
      date_paid: given.paid === 1 ? joined : null,
      grace_end_date: joined,
      ...given,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function buildInvite(engine: Engine, given: Given<'driver_invites'> = {}) {
  const driver_id = given.driver_id ?? (await buildDriver(engine)).id
  const customer_id = given.customer_id ?? (await buildCustomer(engine)).id
  return engine.db
    .insertInto('driver_invites')
    .values({ created_at: joined, ...given, driver_id, customer_id })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function buildAttraction(engine: Engine, given: Given<'attractions'> = {}) {
  const name = given.name ?? 'Fort Jesus'
  return engine.db
    .insertInto('attractions')
    .values({
      created_at: joined,
      description: '',
      image: '',
      place_name: 'Mombasa',
      lat: -4.0625,
      lng: 39.6795,
      search: fold(name),
      ...given,
      name,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function buildBlog(engine: Engine, given: Given<'blogs'> = {}) {
  const { title = 'Hell’s Gate by bicycle', sub_title = '' } = given
  return engine.db
    .insertInto('blogs')
    .values({
      created_at: joined,
      content: '',
      image: '',
      search: fold(`${title} ${sub_title}`),
      ...given,
      title,
      sub_title,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function buildCoupon(
  engine: Engine,
  { users = [], ...given }: Given<'coupons'> & { users?: number[] } = {},
) {
  const code = given.code ?? `KARIBU${++serial}`
  const coupon = await engine.db
    .insertInto('coupons')
    .values({ created_at: joined, amount: 20_000, valid_till: null, search: fold(code), ...given, code })
    .returningAll()
    .executeTakeFirstOrThrow()
  for (const customer_id of users)
    await engine.db.insertInto('coupon_users').values({ coupon_id: coupon.id, customer_id }).execute()
  return coupon
}

export async function buildPromoCode(engine: Engine, given: Given<'promo_codes'> = {}) {
  const { code = `TWENDE${++serial}`, title = 'First ride' } = given
  const customer_id = given.customer_id ?? (await buildCustomer(engine)).id
  return engine.db
    .insertInto('promo_codes')
    .values({
      created_at: joined,
      description: '',
      amount: 30_000,
      valid_till: null,
      promo_type: 'Internal',
      search: fold(`${code} ${title}`),
      ...given,
      code,
      title,
      customer_id,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function buildSos(engine: Engine, given: Given<'sos_logs'> = {}) {
  const trip_id = given.trip_id ?? (await buildTrip(engine)).id
  return engine.db
    .insertInto('sos_logs')
    .values({
      raised_by: 'Customer',
      latitude: -1.286389,
      longitude: 36.817223,
      created_at: joined,
      ...given,
      trip_id,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
