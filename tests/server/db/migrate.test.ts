import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { updateDerived } from '../../../server/db/derived.ts'
import type { Engine } from '../../../server/db/engine.ts'
import { migrate, migrateTables } from '../../../server/db/migrate.ts'
import { openPostgres } from '../../../server/db/postgres.ts'
import { contentsOf, engines, openBareEngine, openTestEngine } from '../../support/engines.ts'
import { buildDriver, buildInvoice, buildTrip } from '../../support/factories.ts'
import { newDatabase } from '../../support/histories.ts'
import { oldAnswers, oldStaff, oldTime, writeOldDatabase } from '../../support/old-database.ts'
import { keptNumbers, recount } from '../../support/recount.ts'
import { schemaOf, schemaVersion } from '../../support/schema.ts'
import { bootApp, signIn } from '../../support/server.ts'

/** Four unpaid invoices of 100,002 to 100,007 cents. */
const lacking = 'invoices.unpaid_amount'

describe.each(engines)('a database of the first version on %s', (name) => {
  let engine: Engine
  beforeEach(async () => {
    engine = await openBareEngine(name)
  })
  afterEach(() => engine.close())

  const answersNow = async () => {
    const app = await bootApp(engine, { now: () => oldTime })
    const headers = await signIn(app, oldStaff)
    const answers = []
    for (const { url } of oldAnswers) {
      const answer = await app.inject({ url: `/api/v1/oms/${url}`, headers })
      answers.push({ url, answer: answer.json<unknown>() })
    }
    await app.close()
    return answers
  }
  const counter = async (of: string) =>
    (await keptNumbers(engine.db)).counters.find(({ name }) => name === of)?.value

  test('keeps its figures, pages and searches when it is upgraded', async () => {
    await writeOldDatabase(engine)
    await migrate(engine)
    expect(await answersNow()).toMatchObject(oldAnswers)
    expect(await keptNumbers(engine.db)).toEqual(await recount(engine))
  })

  test('keeps its audit rows, with the current command names', async () => {
    await writeOldDatabase(engine)
    const old = await sql<{
      action: string
      entity: string
      id: number
    }>`select * from audit order by id`.execute(engine.db)
    await migrate(engine)
    const rows = await engine.db.selectFrom('audit').selectAll().orderBy('id').execute()
    expect(rows).toHaveLength(old.rows.length)
    const verbs = ['create', 'create', 'update', 'delete', 'restore', 'create', 'delete']
    expect(rows.map(({ command }) => command)).toEqual([
      ...['driver.suspend', 'driver.unsuspend', 'driver.suspend', 'invoice.clear'],
      ...['attraction', 'blog', 'coupon', 'promo'].flatMap((noun) => verbs.map((verb) => `${noun}.${verb}`)),
    ])
    expect(rows[1]).toEqual({
      id: 2,
      at: 1_795_154_520_000,
      staff_id: 1,
      command: 'driver.unsuspend',
      noun: 'driver',
      record_id: 1,
      before: null,
      after: null,
      request: null,
      request_id: 'efd99c1c-636a-4204-b942-7be7da3af7ed',
    })
    expect(rows.map(({ noun, command }) => command.startsWith(`${noun}.`))).not.toContain(false)
  })

  test('repeats the first reply for an Idempotency-Key from before the upgrade', async () => {
    await writeOldDatabase(engine)
    await migrate(engine)
    const app = await bootApp(engine, { now: () => oldTime })
    const headers = { ...(await signIn(app, oldStaff)), 'idempotency-key': 'old-key-1' }
    const answer = await app.inject({ method: 'POST', url: '/api/v1/oms/driver/1/suspend/', headers })
    expect([answer.json(), answer.headers['idempotency-replayed']]).toEqual([
      { message: 'Amina Yusuf has been suspended.' },
      'true',
    ])
    await app.close()
  })

  test('has the same schema after the upgrade as a new database', async () => {
    await writeOldDatabase(engine)
    await migrate(engine)
    const fresh = await openTestEngine(name)
    expect(await schemaOf(engine)).toEqual(await schemaOf(fresh))
    await fresh.close()
  })

  test('gets a missing counter with the correct value and maintains it', async () => {
    await writeOldDatabase(engine, lacking)
    await migrate(engine)
    const before = await counter(lacking)
    expect(before).toBe(400_018)
    await buildInvoice(engine, { driver_id: 1, amount: 700 })
    expect(await counter(lacking)).toBe((before ?? 0) + 700)
    expect(await keptNumbers(engine.db)).toEqual(await recount(engine))
  })

  test('loses a counter that the new version no longer has', async () => {
    await writeOldDatabase(engine)
    await sql`insert into counters (name, value) values ('drivers.former', 3)`.execute(engine.db)
    await migrate(engine)
    expect(await counter('drivers.former')).toBeUndefined()
  })

  test('gets its totals and buckets recomputed from the rows', async () => {
    await writeOldDatabase(engine)
    await engine.db.updateTable('drivers').set({ total_trips: 99, total_earnings: 5 }).execute()
    await engine.db.updateTable('id_buckets').set({ n: 77 }).execute()
    await migrate(engine)
    expect(await keptNumbers(engine.db)).toEqual(await recount(engine))
    expect(await answersNow()).toMatchObject(oldAnswers)
  })

  test('keeps its triggers, indexes and counters in a migration that replaces no table', async () => {
    await migrateTables(engine, '0012_areas')
    await updateDerived(engine)
    await engine.db.updateTable('counters').set({ value: 4711 }).execute()
    const before = await keptNumbers(engine.db)
    await migrate(engine)
    expect(await keptNumbers(engine.db)).toEqual(before)
    const fresh = await openTestEngine(name)
    expect(await schemaOf(engine)).toEqual(await schemaOf(fresh))
    await fresh.close()
  })

  test('does not change at a second start: no trigger or index is rebuilt', async () => {
    await writeOldDatabase(engine)
    await migrate(engine)
    const [contents, version] = [await contentsOf(engine), await schemaVersion(engine)]
    await migrate(engine)
    expect([await contentsOf(engine), await schemaVersion(engine)]).toEqual([contents, version])
  })
})

describe.each(engines)('derived parts of the schema on %s', (name) => {
  let engine: Engine
  beforeEach(async () => {
    engine = await openTestEngine(name)
    await buildDriver(engine, { id: 1, fullname: 'Amina Yusuf' })
    await buildTrip(engine, { driver_id: 1 })
  })
  afterEach(() => engine.close())

  test('are not rebuilt while their definitions stay the same, so that a start is fast', async () => {
    await engine.db.updateTable('counters').set({ value: 4711 }).execute()
    const before = await contentsOf(engine)
    await migrate(engine)
    expect(await contentsOf(engine)).toEqual(before)
  })

  test('are rebuilt when their definitions change, and the objects of the older version are dropped', async () => {
    const drop = `drop trigger if exists drivers_kept_former${name === 'postgres' ? ' on drivers\ndrop function if exists drivers_former()' : ''}`
    await oldTrigger(engine)
    await engine.db.updateTable('counters').set({ value: 4711 }).execute()
    const recorded = engine.db.updateTable('meta')
    await recorded.set({ value: 'another' }).where('name', '=', 'derived.numbers.hash').execute()
    await recorded.set({ value: drop }).where('name', '=', 'derived.numbers.drop').execute()
    await migrate(engine)
    expect(await keptNumbers(engine.db)).toEqual(await recount(engine))
    const fresh = await openTestEngine(name)
    expect((await schemaOf(engine)).filter((line) => line.includes('former'))).toEqual([])
    expect(await schemaOf(engine)).toEqual(await schemaOf(fresh))
    await fresh.close()
  })

  test('include a missing trigram index, which is rebuilt with the existing rows', async () => {
    const [, trigrams] = engine.derived
    for (const statement of trigrams?.drop ?? []) await sql.raw(statement).execute(engine.db)
    await engine.db.deleteFrom('meta').where('name', '=', 'derived.trigrams.hash').execute()
    await migrate(engine)
    const found = engine.db
      .selectFrom('drivers')
      .select('id')
      .where(engine.contains('drivers', 'search', ['yusuf']))
    expect(await found.execute()).toEqual([{ id: 1 }])
  })

  test('are rebuilt after every migration, even if their definitions are the same', async () => {
    const built = await engine.db.selectFrom('meta').selectAll().execute()
    const old = await openBareEngine(name)
    await writeOldDatabase(old)
    await old.db.insertInto('meta').values(built).execute()
    await old.db.updateTable('counters').set({ value: 4711 }).execute()
    await migrate(old)
    expect(await keptNumbers(old.db)).toEqual(await recount(old))
    await old.close()
  })

  test('are built once by two processes that start at the same time', async () => {
    await engine.db.deleteFrom('meta').where('name', 'like', 'derived.%').execute()
    await sql`create table builds (part integer)`.execute(engine.db)
    // Each part notes that it is built.
    const derived = engine.derived.map((part, at) => ({
      ...part,
      compute: [...part.compute, `insert into builds (part) values (${at})`],
    }))
    const process = { ...engine, derived }
    await Promise.all([migrate(process), migrate(process)])
    const { rows } = await sql<{ part: number }>`select part from builds order by part`.execute(engine.db)
    expect(rows.map(({ part }) => part)).toEqual([...derived.keys()])
    expect(await keptNumbers(engine.db)).toEqual(await recount(engine))
  })
})

test('a server waits for another one that upgrades the database on PostgreSQL, longer than a statement may take', async () => {
  const place = await newDatabase()
  const limit = 1_000
  const second = openPostgres(place.env.DATABASE_URL, { use: 4_000, answer: 3_000, statement: limit })
  const first = place.open()
  const eachMigration = [...first.withoutTimeout, 'select pg_sleep(0.3)']
  const upgrade = migrate({ ...first, withoutTimeout: eachMigration })
  const holder = sql`select from pg_locks where locktype = 'advisory' and granted`
  await vi.waitUntil(async () => (await holder.execute(first.db)).rows.length > 0)
  await migrateTables(second)
  const { rows } = await sql`show statement_timeout`.execute(second.db)
  expect(rows).toEqual([{ statement_timeout: '1s' }])
  await upgrade
  await second.close()
  await first.close()
  await place.remove()
})

/** Creates a counter as an older version could have, which the current version does not have. */
async function oldTrigger(engine: Engine): Promise<void> {
  const body = `update counters set value = value + 1 where name = 'drivers.former';`
  const statements =
    engine.name === 'sqlite'
      ? [`create trigger drivers_kept_former after insert on drivers begin ${body} end`]
      : [
          `create function drivers_former() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
          `create trigger drivers_kept_former after insert on drivers for each row execute function drivers_former()`,
        ]
  for (const statement of statements) await sql.raw(statement).execute(engine.db)
}
