import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Engine } from '../../../server/db/engine.ts'
import { runAll } from '../../../server/db/engine.ts'
import { domainTables } from '../../../server/demo/bulk.ts'
import fleet from '../../../server/demo/data/fleet-ke.json' with { type: 'json' }
import purposes from '../../../server/demo/data/invoice-purposes.json' with { type: 'json' }
import names from '../../../server/demo/data/names-ke.json' with { type: 'json' }
import type { DemoOptions } from '../../../server/demo/load.ts'
import { clearDemo, loadDemo } from '../../../server/demo/load.ts'
import { picture } from '../../../server/demo/pictures.ts'
import { rebuilding, takeApart } from '../../../server/demo/schema-parts.ts'
import { fold, foldPlate } from '../../../server/fold.ts'
import { engines, openTestEngine } from '../../support/engines.ts'
import { keptNumbers, recount } from '../../support/recount.ts'
import { schemaOf } from '../../support/schema.ts'

const now = Date.UTC(2026, 2, 4, 11, 22, 33, 444)
const options: DemoOptions = { drivers: 60, now, passwordHash: 'a hash' }

/** All rows of the domain, by table. */
async function dump(engine: Engine): Promise<Record<string, unknown[]>> {
  const tables: [string, unknown[]][] = []
  for (const table of domainTables) {
    const { rows } = await sql`select * from ${sql.table(table)} order by 1, 2`.execute(engine.db)
    tables.push([table, rows])
  }
  return Object.fromEntries(tables)
}

const meta = (engine: Engine) =>
  engine.db.selectFrom('meta').selectAll().where('name', 'not like', 'derived.%').orderBy('name').execute()

describe.each(engines)('demo data on %s', (engineName) => {
  let engine: Engine
  let migrated: string[]
  beforeAll(async () => {
    engine = await openTestEngine(engineName)
    migrated = await schemaOf(engine)
    await loadDemo(engine, options)
  })
  afterAll(() => engine.close())

  test('the same options give the same rows on both engines', async () => {
    const other = await openTestEngine('sqlite')
    await loadDemo(other, options)
    expect(await dump(engine)).toEqual(await dump(other))
    await other.close()
  })

  test('every table of the domain has rows', async () => {
    for (const [table, rows] of Object.entries(await dump(engine)))
      expect(rows.length, table).toBeGreaterThan(5)
  })

  test('counters, buckets and totals equal a recount', async () => {
    expect(await keptNumbers(engine.db)).toEqual(await recount(engine))
  })

  test('the schema is the same as after the migrations, and meta has no leftover entries', async () => {
    expect(await schemaOf(engine)).toEqual(migrated)
    expect(await meta(engine)).toEqual([{ name: 'demo', value: 'loaded' }])
  })

  test('rows refer to rows that exist', async () => {
    if (engineName === 'sqlite')
      expect((await sql`pragma foreign_key_check`.execute(engine.db)).rows).toEqual([])
    const orphans = await engine.db
      .selectFrom('trips')
      .leftJoin('customers', 'customers.id', 'trips.customer_id')
      .select('trips.id')
      .where('customers.id', 'is', null)
      .execute()
    expect(orphans).toEqual([])
  })

  test('the next row gets the next id', async () => {
    const slot = { name: 'One more', amount: 100 }
    await expect(
      engine.db.transaction().execute(async (trx) => {
        const { id } = await trx.insertInto('slots').values(slot).returning('id').executeTakeFirstOrThrow()
        throw new Error(`got ${id}`)
      }),
    ).rejects.toThrow(`got ${fleet.prebooking_slots.length + 1}`)
  })

  test('a second load is rejected', async () => {
    await expect(loadDemo(engine, options)).rejects.toThrow('needs an empty database')
  })

  test.each(['trips', 'totals', 'indexes'])(
    'a load that was interrupted during the %s is recognised, deleted and started again',
    async (interruptedAt) => {
      const other = await openTestEngine(engineName)
      const stop = (_done: number, _total: number, what: string) => {
        if (what === interruptedAt) throw new Error('interrupted')
      }
      await expect(loadDemo(other, { ...options, onProgress: stop })).rejects.toThrow('interrupted')
      expect(await meta(other)).toContainEqual({ name: 'demo', value: 'loading' })
      await clearDemo(other)
      expect(await meta(other)).toEqual([])
      expect(await schemaOf(other)).toEqual(migrated)
      for (const [table, rows] of Object.entries(await dump(other))) expect(rows, table).toEqual([])
      expect(await keptNumbers(other.db)).toEqual(await recount(other))
      await loadDemo(other, options)
      expect(await dump(other)).toEqual(await dump(engine))
      await other.close()
    },
  )
})

test('on SQLite, the full-text indexes are built from the rows in order of id, with memory for more terms', async () => {
  const engine = await openTestEngine('sqlite')
  await engine.db.transaction().execute((trx) => takeApart(engine, trx))
  const plans: string[] = []
  for (const statement of await rebuilding(engine)) {
    if (/^insert into \w+_words .* select /.test(statement)) {
      const plan = await sql.raw<{ detail: string }>(`explain query plan ${statement}`).execute(engine.db)
      plans.push(...plan.rows.map(({ detail }) => detail).filter((detail) => /^SCAN [tT]\b/.test(detail)))
    }
    await sql.raw(statement).execute(engine.db)
  }
  expect(plans.length).toBeGreaterThan(5)
  expect(new Set(plans)).toEqual(new Set(['SCAN t']))
  const hashSize = sql<{ v: number }>`select v from customers_trigrams_config where k = 'hashsize'`
  expect((await hashSize.execute(engine.db)).rows).toEqual([{ v: 4 * 1024 ** 2 }])
  await engine.close()
})

test('on PostgreSQL, foreign keys are checked for all rows at once, after the load', async () => {
  const engine = await openTestEngine('postgres')
  await engine.db.transaction().execute((trx) => takeApart(engine, trx))
  await sql`insert into driver_transactions (driver_id, amount, created_at) values (1, 2, 3)`.execute(
    engine.db,
  )
  const rebuild = async () => runAll(engine.db, await rebuilding(engine))
  await expect(rebuild()).rejects.toThrow('violates foreign key constraint')
  await sql`delete from driver_transactions`.execute(engine.db)
  await rebuild()
  await expect(
    sql`insert into driver_transactions (driver_id, amount, created_at) values (1, 2, 3)`.execute(engine.db),
  ).rejects.toThrow('violates foreign key constraint')
  await engine.close()
})

describe('the demo data', () => {
  let engine: Engine
  beforeAll(async () => {
    engine = await openTestEngine('sqlite')
    await loadDemo(engine, { ...options, drivers: 300 })
  })
  afterAll(() => engine.close())

  const all = async <T>(statement: string) => (await sql.raw<T>(statement).execute(engine.db)).rows

  test('names are folded for search, and none is the name of a public figure', async () => {
    const people = [
      ...(await engine.db.selectFrom('drivers').select(['fullname', 'search']).execute()),
      ...(await engine.db.selectFrom('customers').select(['fullname', 'search']).execute()),
    ]
    const avoided = new Set(names.avoid_full_names.map(fold))
    for (const { fullname, search } of people) {
      expect(search).toBe(fold(fullname))
      expect(avoided.has(search), fullname).toBe(false)
    }
    for (const { full_name } of names.edge_cases)
      expect(people.filter(({ fullname }) => fullname === full_name).length, full_name).toBe(1)
  })

  test('phone numbers are unique and from ranges that no operator uses', async () => {
    const rows = await all<{ phone_number: string }>(
      'select phone_number from drivers union all select phone_number from customers',
    )
    const phones = rows.map((row) => row.phone_number)
    expect(new Set(phones).size).toBe(phones.length)
    const allowed = new RegExp(`^(${fleet.phones.demo_prefixes.join('|')})\\d{6}$`)
    for (const phone of phones) expect(phone).toMatch(allowed)
  })

  test('number plates are valid and unique', async () => {
    const vehicles = await engine.db.selectFrom('vehicles').selectAll().execute()
    const formats = fleet.plates.formats.map((format) => new RegExp(format.pattern))
    expect(new Set(vehicles.map((vehicle) => vehicle.registration)).size).toBe(vehicles.length)
    for (const { registration, search } of vehicles) {
      expect(
        formats.some((format) => format.test(registration)),
        registration,
      ).toBe(true)
      expect(fleet.plates.series_skipped).not.toContain(registration.slice(0, 3))
      expect(search).toBe(foldPlate(registration))
    }
  })

  test('the earnings of a driver equal the cost of their completed trips', async () => {
    const wrong = await all(`
      select id from drivers where
        total_trips <> (select count(*) from trips where driver_id = drivers.id) or
        total_completed_trips <> (select count(*) from trips where driver_id = drivers.id and status = 'Completed') or
        total_failed_trips <> (select count(*) from trips where driver_id = drivers.id and status = 'Cancelled') or
        total_earnings <>
          (select coalesce(sum(cost), 0) from trips where driver_id = drivers.id and status = 'Completed')`)
    expect(wrong).toEqual([])
  })

  test('a wallet balance equals the sum of its transactions', async () => {
    const wrong = await all(`
      select id from drivers where wallet_balance <>
        (select coalesce(sum(amount), 0) from driver_transactions where driver_id = drivers.id)`)
    expect(wrong).toEqual([])
    const [some] = await all<{ below: number; empty: number }>(
      'select sum(wallet_balance < 0) as below, sum(wallet_balance = 0) as empty from drivers',
    )
    expect(some?.below).toBeGreaterThan(0)
    expect(some?.empty).toBeGreaterThan(0)
  })

  test('paid invoices have a payment date, and amounts are in the range of their purpose', async () => {
    const invoices = await engine.db.selectFrom('invoices').selectAll().execute()
    for (const invoice of invoices) {
      const range = purposes.invoice_for.find(({ label }) => label === invoice.invoice_for)
      expect(invoice.amount).toBeGreaterThanOrEqual((range?.min ?? Infinity) * 100)
      expect(invoice.amount).toBeLessThanOrEqual((range?.max ?? 0) * 100)
      expect(invoice.paid === 1).toBe(invoice.date_paid !== null)
      expect(invoice.date_paid ?? now).toBeGreaterThanOrEqual(invoice.invoice_date_added)
      expect(invoice.grace_end_date).toBeGreaterThan(invoice.invoice_date_added)
    }
    const unpaid = invoices.filter(({ paid }) => !paid)
    expect(unpaid.filter((invoice) => invoice.grace_end_date < now).length).toBeGreaterThan(0)
    expect(unpaid.filter((invoice) => invoice.grace_end_date >= now).length).toBeGreaterThan(0)
  })

  test('each paid invoice was taken from the wallet of its driver when it was paid', async () => {
    const missing = await all(`
      select id from invoices where paid = 1 and not exists (
        select 1 from driver_transactions as moved where moved.driver_id = invoices.driver_id
          and moved.created_at = invoices.date_paid and moved.amount = -invoices.amount)`)
    expect(missing).toEqual([])
  })

  test('no driver is invoiced more commission than 18% of their fares', async () => {
    const wrong = await all(`
      select driver_id, sum(amount) as invoiced from invoices
      where invoice_for like '%commission%' or invoice_for = 'Balance carried forward'
      group by driver_id having invoiced > 0.18 * (
        (select total_earnings from drivers where id = driver_id) +
        (select coalesce(sum(amount), 0) from pre_bookings b where b.driver_id = invoices.driver_id and status = 'Completed'))`)
    expect(wrong).toEqual([])
  })

  test('only the newest trips are in progress, and their drivers are online and busy', async () => {
    const [counts] = await all<Record<string, number>>(`
      select count(*) as trips, sum(status = 'Completed') as completed, sum(status = 'Cancelled') as cancelled,
        sum(status = 'Ongoing') as ongoing, sum(status = 'Requested') as requested from trips`)
    expect(counts?.['trips']).toBe(3000)
    expect(counts?.['completed']).toBeGreaterThan(2500)
    expect(counts?.['cancelled']).toBeGreaterThan(100)
    expect(counts?.['ongoing']).toBeGreaterThan(0)
    expect(
      await all(`
        select trips.id from trips left join drivers on drivers.id = driver_id
        where status in ('Ongoing', 'Accepted') and (online = 0 or busy = 0 or drivers.deleted = 1)
          or status = 'Requested' and driver_id is not null
          or status not in ('Completed', 'Cancelled') and created_at < ${now - 6 * 3_600_000}`),
    ).toEqual([])
  })

  test('suspended drivers are offline, and busy drivers have a trip or booking in progress', async () => {
    expect(
      await all(`
        select id from drivers where deleted = 1 and (online = 1 or busy = 1) or busy = 1 and id not in (
          select driver_id from trips where status in ('Ongoing', 'Accepted')
          union select driver_id from pre_bookings where status = 'Ongoing')`),
    ).toEqual([])
    const [share] = await all<{ online: number; suspended: number }>(
      'select avg(online) as online, avg(deleted) as suspended from drivers',
    )
    expect(share?.online).toBeGreaterThan(0.25)
    expect(share?.online).toBeLessThan(0.5)
    expect(share?.suspended).toBeGreaterThan(0)
  })

  test('bookings have every status, with times that fit it', async () => {
    const bookings = await engine.db.selectFrom('pre_bookings').selectAll().execute()
    const statuses = new Set(bookings.map(({ status }) => status))
    expect([...statuses].toSorted()).toEqual([
      'Accepted',
      'Cancelled',
      'Completed',
      'Not Started',
      'Ongoing',
      'Pending',
    ])
    for (const { status, appointment_date, pickup_time, dropoff_time, slot_id, amount } of bookings) {
      if (status === 'Accepted' || status === 'Pending') expect(appointment_date).toBeGreaterThan(now)
      if (status === 'Completed' || status === 'Ongoing' || status === 'Not Started')
        expect(appointment_date).toBeLessThanOrEqual(now)
      expect(pickup_time !== null).toBe(status === 'Completed' || status === 'Ongoing')
      expect(dropoff_time !== null).toBe(status === 'Completed')
      expect(amount).toBe((fleet.prebooking_slots[slot_id - 1]?.amount ?? 0) * 100)
    }
  })

  test.each([
    ['staff', 'date_joined'],
    ['customers', 'date_joined'],
    ['drivers', 'date_joined'],
    ['trips', 'created_at'],
    ['driver_transactions', 'created_at'],
    ['pre_bookings', 'created_at'],
    ['invoices', 'invoice_date_added'],
    ['driver_invites', 'created_at'],
    ['attractions', 'created_at'],
    ['blogs', 'created_at'],
    ['coupons', 'created_at'],
    ['promo_codes', 'created_at'],
    ['sos_logs', 'created_at'],
  ])('the ids of %s are in order of %s, which is never in the future', async (table, column) => {
    const rows = await all<{ at: number }>(`select ${column} as at from ${table} order by id`)
    const times = rows.map(({ at }) => at)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times.at(-1)).toBeLessThanOrEqual(now)
  })

  test('no trip is older than its driver’s or customer’s account', async () => {
    expect(
      await all(`
        select trips.id from trips join customers on customers.id = customer_id left join drivers on drivers.id = driver_id
        where created_at < customers.date_joined or created_at < drivers.date_joined`),
    ).toEqual([])
  })

  test('the position of an SOS log is near its trip', async () => {
    const alarms = await all<{ latitude: number; longitude: number; raised_by: string }>(
      'select * from sos_logs',
    )
    for (const { latitude, longitude, raised_by } of alarms) {
      expect(['Customer', 'Driver']).toContain(raised_by)
      expect(latitude).toBeGreaterThan(-5)
      expect(latitude).toBeLessThan(5)
      expect(longitude).toBeGreaterThan(33)
      expect(longitude).toBeLessThan(42)
    }
  })

  test('all SOS logs are handled, minutes after they were raised, except the newest few', async () => {
    const alarms = await all<{
      id: number
      created_at: number
      handled_at: number | null
      handled_by: number
    }>('select * from sos_logs order by id desc')
    expect(alarms.length).toBeGreaterThan(5)
    const handled = alarms.flatMap(({ handled_at, ...one }) =>
      handled_at === null ? [] : [{ ...one, handled_at }],
    )
    expect(handled.map(({ id }) => id)).toEqual(alarms.slice(3).map(({ id }) => id))
    const staff = new Set((await all<{ id: number }>('select id from staff')).map(({ id }) => id))
    for (const { created_at, handled_at, handled_by } of handled) {
      expect(staff).toContain(handled_by)
      expect(handled_at).toBeGreaterThan(created_at)
      expect(handled_at).toBeLessThanOrEqual(now)
    }
  })

  test('every image path in the database has a picture', async () => {
    const drivers = await engine.db.selectFrom('drivers').selectAll().execute()
    const pages = [
      ...(await engine.db.selectFrom('attractions').select('image').execute()),
      ...(await engine.db.selectFrom('blogs').select('image').execute()),
    ]
    const paths = [
      ...drivers.flatMap(({ image, id_front, id_back, license }) => [image, id_front, id_back, license]),
      ...pages.map(({ image }) => image),
    ]
    for (const path of paths) if (path !== null) expect(picture(path), path).toMatch(/^<svg /)
    const faceless = drivers.filter(({ image }) => image === null).length
    expect(faceless).toBeGreaterThan(0)
    expect(faceless).toBeLessThan(drivers.length / 4)
  })
})

test('the requested numbers of trips and drivers are created, also no trips and a single driver', async () => {
  for (const [drivers, trips] of [
    [1, 0],
    [1, 1],
    [3, 500],
    [40, 0],
  ] as const) {
    const engine = await openTestEngine('sqlite')
    await loadDemo(engine, { ...options, drivers, trips })
    const counts = Object.fromEntries(
      Object.entries(await dump(engine)).map(([table, rows]) => [table, rows.length]),
    )
    expect(counts).toMatchObject({ drivers, trips, customers: Math.ceil(drivers * 2.5) })
    await engine.close()
  }
})

test('memory is collected between the rows and the totals of the demo data, by the command that loads them (reliability 34)', async () => {
  const engine = await openTestEngine('sqlite')
  const parts: string[] = []
  vi.stubGlobal('gc', () => parts.push('collected'))
  try {
    await loadDemo(engine, {
      ...options,
      onProgress: (_done, _total, what) => {
        if (parts.at(-1) !== what) parts.push(what)
      },
    })
    expect(parts.filter((part) => part === 'collected')).toHaveLength(1)
    expect(parts[parts.indexOf('collected') + 1]).toBe('totals')
    expect(readFileSync('package.json', 'utf8')).toMatch(/"demo": ".* --expose-gc server\/demo\/cli\.ts"/)
  } finally {
    vi.unstubAllGlobals()
    await engine.close()
  }
})
