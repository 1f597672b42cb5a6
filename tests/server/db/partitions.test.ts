import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { storedTables } from '../../../server/backup/tables.ts'
import { checkDatabase } from '../../../server/check/database.ts'
import { forgetDerived, updateDerived } from '../../../server/db/derived.ts'
import type { Engine } from '../../../server/db/engine.ts'
import { runAll } from '../../../server/db/engine.ts'
import { nairobiOffset } from '../../../server/db/hours.ts'
import { migrate } from '../../../server/db/migrate.ts'
import { beginMonth, partitionsOf, partitionTrips } from '../../../server/db/partitions.ts'
import { loadDemo } from '../../../server/demo/load.ts'
import type { TypedApp } from '../../../server/deps.ts'
import { keepHouse } from '../../../server/housekeeping.ts'
import { contentsOf, openTestEngine } from '../../support/engines.ts'
import { buildDriver, buildSos, buildStaff, buildTrip } from '../../support/factories.ts'
import { newDatabase } from '../../support/histories.ts'
import type { Installation } from '../../support/installation.ts'
import { install } from '../../support/installation.ts'
import { keptNumbers, recount } from '../../support/recount.ts'
import { schemaVersion } from '../../support/schema.ts'
import { bootApp, signIn } from '../../support/server.ts'

const november = Date.parse('2026-11-24T09:00:00Z')
/** Half past midnight in Nairobi. */
const december = Date.parse('2026-11-30T21:30:00Z')
const january = Date.parse('2027-01-01T09:00:00Z')

const calls = [
  ...['trips/', 'trips/?page=2', 'trips/?filter=completed', 'trips/?s=kam', 'trips/?s=westlands'],
  ...['drivers/1', 'drivers/1/trips/', 'sos-lists/', 'search/?q=westlands', 'trends/?days=90'],
]

describe('npm run partition', () => {
  let installed: Installation
  beforeAll(() => {
    installed = install()
  })
  afterAll(() => installed.remove())

  test('makes the partitions once, and says which there are', async () => {
    const { env, open, remove } = await newDatabase()
    const engine = open()
    await migrate(engine)
    const month = new Date(Date.now() + nairobiOffset).toISOString().slice(0, 7).replace('-', '_')
    const run = async () => (await installed.run(['server/partition.ts'], env)).stdout
    expect(await run()).toBe(`The partitions of trips: trips_earlier, trips_${month}.\n`)
    const before = await schemaVersion(engine)
    expect(await run()).toBe(`The partitions of trips were there already: trips_earlier, trips_${month}.\n`)
    expect(await schemaVersion(engine)).toEqual(before)
    await engine.close()
    await remove()
  })

  test('says that SQLite has none', async () => {
    const { code, stderr } = await installed.run(['server/partition.ts'], { OMS_DATA: installed.newFolder() })
    expect([code, stderr]).toEqual([1, 'Only PostgreSQL has partitions. DATABASE_URL names its database.\n'])
  })
})

describe('trips in partitions by month, on PostgreSQL', () => {
  let engine: Engine
  let app: TypedApp
  let staff: { email: string }
  let headers: { authorization: string }
  beforeEach(async () => {
    engine = await openTestEngine('postgres')
    app = await bootApp(engine, { now: () => november })
    staff = await buildStaff(engine)
    headers = await signIn(app, staff)
    const driver = await buildDriver(engine, { fullname: 'Jo Kamau' })
    for (let nth = 0; nth < 60; nth++)
      await buildTrip(engine, {
        driver_id: driver.id,
        ...(nth % 2 === 0 ? { status: 'Completed', start_name: 'Westlands' } : { status: 'Cancelled' }),
        created_at: november - nth * 3_600_000,
      })
    await buildSos(engine, { trip_id: 3 })
  })
  afterEach(async () => {
    await app.close()
    await engine.close()
  })

  const answers = async () => {
    const all = []
    for (const path of calls) {
      const { statusCode, body } = await app.inject({ url: `/api/v1/oms/${path}`, headers })
      expect(statusCode, path).toBe(200)
      all.push([path, body])
    }
    return all
  }
  const names = async () => (await partitionsOf(engine)).map(({ name }) => name)
  const idsIn = async (name: string) =>
    (await sql<{ id: number }>`select id from ${sql.table(name)} order by id`.execute(engine.db)).rows.map(
      ({ id }) => id,
    )
  const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, nth) => first + nth)

  test('answer as before to a server that goes on, and keep rows, ids and figures', async () => {
    const [before, rows] = [await answers(), await contentsOf(engine)]
    await partitionTrips(engine, november)
    expect(await answers()).toEqual(before)
    expect({ ...(await contentsOf(engine)), meta: rows['meta'] }).toEqual(rows)
    expect([await names(), await idsIn('trips_earlier')]).toEqual([
      ['trips_earlier', 'trips_2026_11'],
      upTo(60),
    ])
    const trip = await buildTrip(engine, { driver_id: 1, status: 'Completed' })
    expect(await idsIn('trips_2026_11')).toEqual([trip.id])
    await sql`delete from trips where id = 2`.execute(engine.db)
    await sql`update trips set status = 'Completed' where id = 4`.execute(engine.db)
    expect(await keptNumbers(engine.db)).toEqual(await recount(engine))
  })

  test('keep their indexes, of which none is built again', async () => {
    const files = async (table: string) => {
      const { rows } = await sql<{ file: number }>`
        select relfilenode as file from pg_index join pg_class on oid = indexrelid
        where indrelid = ${table}::regclass order by file`.execute(engine.db)
      return rows.map(({ file }) => file)
    }
    const before = await files('trips')
    await partitionTrips(engine, november)
    expect(before.length).toBeGreaterThan(5)
    expect(await files('trips_earlier')).toEqual(before)
    const { rows } = await sql<{ n: number; ok: boolean }>`
      select count(*)::int as n, bool_and(indisvalid) as ok from pg_index
      where indrelid in ('trips'::regclass, 'trips_2026_11'::regclass)`.execute(engine.db)
    expect(rows).toEqual([{ n: 2 * before.length, ok: true }])
  })

  test('are built again by a newer version that changes what is derived', async () => {
    await partitionTrips(engine, november)
    const before = await answers()
    await runAll(engine.db, [...forgetDerived, 'update counters set value = 0'])
    await updateDerived(engine)
    expect(await answers()).toEqual(before)
    expect(await keptNumbers(engine.db)).toEqual(await recount(engine))
    for await (const finding of checkDatabase(engine)) expect(finding).toBeNull()
  })

  test('still refuse a person, an SOS or a deletion that would leave a reference to nothing', async () => {
    const refuse = async () => {
      await expect(buildSos(engine, { trip_id: 999 })).rejects.toThrow('violates foreign key')
      await expect(buildTrip(engine, { driver_id: 999 })).rejects.toThrow('violates foreign key')
      await expect(sql`delete from trips where id = 3`.execute(engine.db)).rejects.toThrow(
        'violates foreign key',
      )
    }
    await refuse()
    await partitionTrips(engine, november)
    await refuse()
    await buildTrip(engine)
    await beginMonth(engine, december)
    await refuse()
  })

  test('begin a partition with the first cleanup of a month in Nairobi, and only then', async () => {
    expect(await beginMonth(engine, december)).toBeNull()
    await partitionTrips(engine, november)
    for (let nth = 0; nth < 3; nth++) await buildTrip(engine)
    const before = [await answers(), (await contentsOf(engine))['trips']]
    const cleanup = (now: number) => keepHouse(engine, '/nonexistent', now)
    await cleanup(december - 31 * 60_000)
    expect(await names()).toEqual(['trips_earlier', 'trips_2026_11'])
    await cleanup(december)
    await cleanup(december + 60_000)
    expect(await names()).toEqual(['trips_earlier', 'trips_2026_11', 'trips_2026_12'])
    // The cleanup has also ended the session.
    headers = await signIn(app, staff)
    expect([await answers(), (await contentsOf(engine))['trips']]).toEqual(before)
    const trip = await buildTrip(engine)
    expect([await idsIn('trips_2026_11'), await idsIn('trips_2026_12')]).toEqual([upTo(63, 61), [trip.id]])
  })

  test('rename the partition of a month without trips', async () => {
    await partitionTrips(engine, november)
    await beginMonth(engine, december)
    expect(await names()).toEqual(['trips_earlier', 'trips_2026_12'])
    await buildTrip(engine)
    expect(await beginMonth(engine, january)).toBe('trips_2027_01')
    expect(await names()).toEqual(['trips_earlier', 'trips_2026_12', 'trips_2027_01'])
  })

  test('lose no trip and no call while they are partitioned and a month begins', async () => {
    const stored: number[] = []
    let isOver = false
    const insert = async () => {
      while (!isOver) stored.push((await buildTrip(engine, { driver_id: 1 })).id)
    }
    const read = async () => {
      while (!isOver) await answers()
    }
    const working = Promise.all([insert(), insert(), insert(), read()])
    await partitionTrips(engine, november)
    await beginMonth(engine, december)
    await beginMonth(engine, january)
    isOver = true
    await working
    expect(stored.length).toBeGreaterThan(0)
    expect((await idsIn('trips')).slice(60)).toEqual(stored.toSorted((a, b) => a - b))
    expect(await keptNumbers(engine.db)).toEqual(await recount(engine))
  })

  test('wait for a reader of SOS logs without keeping the trips from it', async () => {
    const reader = await engine.db.startTransaction().execute()
    await reader.selectFrom('sos_logs').select('id').execute()
    const partitioned = partitionTrips(engine, november)
    const waiting = async () =>
      (
        await sql`select 1 from pg_locks join pg_database on pg_database.oid = database
          where datname = current_database() and not granted`.execute(engine.db)
      ).rows.length
    await expect.poll(waiting).toBe(1)
    expect(await reader.selectFrom('trips').select('id').execute()).toHaveLength(60)
    await reader.commit().execute()
    await partitioned
    expect(await names()).toEqual(['trips_earlier', 'trips_2026_11'])
  })

  test('take many rows at once, as demo data and backups are written, with all keys and indexes after it', async () => {
    const other = await openTestEngine('postgres')
    await partitionTrips(other, november)
    const state = async () => {
      const { rows } = await sql<{ relation: string; keys: number; indexes: number }>`
        select relname as relation, (select count(*) from pg_constraint where conrelid = c.oid and convalidated) as keys,
          (select count(*) from pg_index where indrelid = c.oid and indisvalid) as indexes
        from pg_class c where relname like 'trips%' and relkind in ('r', 'p') or relname = 'sos_logs' order by 1`.execute(
        other.db,
      )
      return rows
    }
    const before = await state()
    await loadDemo(other, { drivers: 20, trips: 60, now: november, passwordHash: 'none' })
    expect(await state()).toEqual(before)
    expect(await keptNumbers(other.db)).toEqual(await recount(other))
    await other.close()
  })

  test('are left as they are if somebody uses them for long, and everybody else is answered', async () => {
    const backup = await engine.db.startTransaction().execute()
    await backup.selectFrom('trips').select('id').limit(1).execute()
    const refused = expect(partitionTrips(engine, november)).rejects.toThrow('for example by a backup')
    await vi.waitUntil(async () => {
      const { rows } = await sql`select from pg_locks where not granted`.execute(engine.db)
      return rows.length > 0
    })
    // A call that waits for half a minute is answered with 503.
    await answers()
    await refused
    await backup.commit().execute()
    expect(await names()).toEqual([])
    await partitionTrips(engine, november)
    await buildTrip(engine)
    const reading = await engine.db.startTransaction().execute()
    await reading.selectFrom('trips').select('id').limit(1).execute()
    await expect(beginMonth(engine, december)).rejects.toThrow('for example by a backup')
    await reading.commit().execute()
    expect(await beginMonth(engine, december)).toBe('trips_2026_12')
  })

  test('are in a backup once', async () => {
    const before = await storedTables(engine)
    await partitionTrips(engine, november)
    expect(await storedTables(engine)).toEqual(before)
  })
})
