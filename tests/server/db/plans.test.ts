import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Engine } from '../../../server/db/engine.ts'
import { runAll } from '../../../server/db/engine.ts'
import { loadDemo } from '../../../server/demo/load.ts'
import { booking } from '../../../server/nouns/booking.ts'
import { driver } from '../../../server/nouns/driver.ts'
import { invite } from '../../../server/nouns/invite.ts'
import { invoice } from '../../../server/nouns/invoice.ts'
import { sos } from '../../../server/nouns/sos.ts'
import { trip } from '../../../server/nouns/trip.ts'
import type { ListQuery } from '../../../server/queries/list.ts'
import { engines, openEnglishPostgres, openTestEngine } from '../../support/engines.ts'
import { buildDriver } from '../../support/factories.ts'
import { someTime } from '../../support/server.ts'
import { plansOnPostgres, plansOnSqlite, statementsOf } from '../../support/statements.ts'

const everything = { page: 1, page_size: 50, s: '', phone: '', ordering: '', filter: '' }
const listOf = (query: Partial<ListQuery>) => (engine: Engine) =>
  driver.list.page(engine, { ...everything, ...query }, someTime)
const tripsWith = (s: string) => (engine: Engine) => trip.list.page(engine, { ...everything, s }, someTime)

describe.each(engines)('on %s', (name) => {
  test('the first page without filters and a later one take two statements each', async () => {
    const engine = await openTestEngine(name)
    await loadDemo(engine, { drivers: 300, trips: 100, now: someTime, passwordHash: '' })
    const numberOf = async (page: number) => (await statementsOf(engine, listOf({ page }))).length
    expect([await numberOf(1), await numberOf(3)]).toEqual([2, 2])
    const { results } = await listOf({ page: 3 })(engine)
    const ids = await engine.db.selectFrom('drivers').select('id').orderBy('id', 'desc').execute()
    expect(results).toMatchObject(ids.slice(100, 150))
    await engine.close()
  })
})

test('an update runs only the triggers of stored numbers that read a column that it sets', async () => {
  const engine = await openTestEngine('postgres')
  await buildDriver(engine, { id: 7 })
  const run = (set: string) =>
    engine.db.transaction().execute(async (trx) => {
      await runAll(trx, ['set local track_functions = pl', `update drivers set ${set} where id = 7`])
      const { rows } = await sql<{ name: string }>`select funcname as name from pg_stat_xact_user_functions
        where funcname like '%kept%' order by funcname`.execute(trx)
      return rows.map(({ name }) => name)
    })
  expect(await run('version = version + 1')).toEqual([])
  const bySuspending = await run('deleted = 1')
  expect(bySuspending.length).toBeGreaterThan(0)
  expect(bySuspending).not.toEqual(await run('deleted = 0, date_joined = date_joined + 1'))
  await engine.close()
})

test('on PostgreSQL, a search reads at most 128 kB of changes that an index of words or of parts has not sorted yet', async () => {
  const engine = await openTestEngine('postgres')
  await loadDemo(engine, { drivers: 300, trips: 10, now: someTime, passwordHash: '' })
  const changed = `update drivers set wallet_balance = wallet_balance + 1`
  for (let time = 0; time < 20; time++) await runAll(engine.db, [changed])
  const { rows } = await sql<{ name: string; pages: number }>`
    select relname as name, gin_clean_pending_list(c.oid) as pages
    from pg_index join pg_class c on c.oid = indexrelid join pg_am on pg_am.oid = relam
    where indrelid in ('drivers'::regclass, 'drivers_trigrams'::regclass) and amname = 'gin'`.execute(
    engine.db,
  )
  expect(rows.map(({ name }) => name).sort()).toEqual([
    'drivers_phone_number_trigrams',
    'drivers_search_trigrams',
    'drivers_words',
  ])
  // Pages of 8 kB, and what the last change has added.
  for (const { name, pages } of rows) expect(pages, name).toBeLessThan(20)
  await engine.close()
})

describe('on SQLite', () => {
  let sqlite: Engine
  const plansOf = async (query: Partial<ListQuery>) =>
    plansOnSqlite(sqlite, await statementsOf(sqlite, listOf(query)))

  beforeAll(async () => {
    sqlite = await openTestEngine('sqlite')
    await loadDemo(sqlite, { drivers: 300, trips: 100, now: someTime, passwordHash: '' })
  })
  afterAll(() => sqlite.close())

  test.each([{ s: 'wan' }, { s: 'wanj kam' }, { phone: '712' }, { s: 'wan', page: 2 }])(
    'the matches of %j are counted and paged by the index of parts alone',
    async (query) => {
      const plans = await plansOf(query)
      // The last statement reads the rows of the page, if it has any.
      expect(plans.filter((plan) => /drivers(?!_trigrams)/.test(plan)).length).toBeLessThanOrEqual(1)
      expect(plans[0]).toMatch(/drivers_trigrams(_counts)? VIRTUAL TABLE/)
    },
  )

  test('a name is found by the index of words, also one of which only the first letters are typed', async () => {
    const { fullname } = await sqlite.db.selectFrom('drivers').select('fullname').executeTakeFirstOrThrow()
    const [first = '', last = ''] = fullname.split(' ')
    for (const s of [fullname, first, `${first} ${last.slice(0, 2)}`, `${first} ${last.slice(0, 1)}`]) {
      const plans = (await plansOf({ s })).join()
      expect(plans, s).toContain('drivers_words VIRTUAL TABLE')
      expect(plans, s).not.toContain('drivers_trigrams')
      const { results } = await listOf({ s })(sqlite)
      expect(JSON.stringify(results), s).toContain(`"${fullname}"`)
    }
    const plans = await plansOf({ s: `${first} Xyzzy` })
    expect(plans.join()).not.toMatch(/drivers(?!_vocabulary)/)
  })

  test('a first page that is not full is not counted, as all of its matches are known', async () => {
    const count = async (s: string) => {
      const statements = await statementsOf(sqlite, listOf({ s }))
      return statements.filter((statement) => statement.sql.includes('count(*)')).length
    }
    const { fullname } = await sqlite.db.selectFrom('drivers').select('fullname').executeTakeFirstOrThrow()
    expect(await count(fullname)).toBe(0)
    expect(await count('an a')).toBe(1)
  })

  test.each(['westl', 'we', 'k'])(
    'the places of trips that have “%s” are found by the index of words',
    async (s) => {
      const plans = await plansOnSqlite(sqlite, await statementsOf(sqlite, tripsWith(s)))
      expect(plans.join()).toContain('trips_words VIRTUAL TABLE')
      expect(plans.join()).not.toMatch(/SCAN (trips|drivers|customers)\b/)
    },
  )

  test('the trips of a first page are found and counted in one statement', async () => {
    const statements = await statementsOf(sqlite, tripsWith('e'))
    expect(statements.filter(({ sql }) => sql.includes('trips_words'))).toHaveLength(1)
  })

  test('indexes of words are built in the order of ids, in which FTS5 takes half as long', async () => {
    const all = sqlite.derived.flatMap(({ create }) => create)
    const building = all.filter((statement) => /^insert into \w+_words \(rowid/.test(statement))
    const plans = await plansOnSqlite(
      sqlite,
      building.map((statement) => CompiledQuery.raw(statement)),
    )
    expect(plans.length).toBeGreaterThan(5)
    expect(plans.filter((plan) => /COVERING INDEX|TEMP B-TREE FOR ORDER BY/.test(plan))).toEqual([])
  })

  test('overdue invoices are read from the newest one on that is due today, not from the newest unpaid one', async () => {
    const statements = await statementsOf(sqlite, (engine) =>
      invoice.list.page(engine, { ...everything, filter: 'overdue' }, someTime),
    )
    const plans = await plansOnSqlite(sqlite, statements)
    expect(plans.join('\n')).toContain('INDEX invoices_paid (paid=? AND id>? AND id<?)')
  })

  test('a page deep in the list begins at its bucket of ids', async () => {
    const plans = await plansOf({ page: 3 })
    expect(plans.some((plan) => /SEARCH drivers USING INTEGER PRIMARY KEY \(rowid<\?\)/.test(plan))).toBe(
      true,
    )
  })
})

describe('on PostgreSQL, in a database that orders texts as English does', () => {
  let postgres: Engine
  const plansOf = async (query: Partial<ListQuery>, without: 'bitmapscan'[] = []) =>
    (await plansOnPostgres(postgres, await statementsOf(postgres, listOf(query)), without)).join()

  beforeAll(async () => {
    postgres = await openEnglishPostgres()
    await loadDemo(postgres, { drivers: 300, trips: 100, now: someTime, passwordHash: '' })
    await runAll(postgres.db, ['vacuum analyze drivers'])
    await untilIndexesServe(postgres)
  })
  afterAll(() => postgres.close())

  test('no stored number is computed by reading a table again for each row', async () => {
    const computing = postgres.derived
      .filter(({ name }) => name === 'numbers')
      .flatMap(({ compute }) => compute)
    const inserting = computing.filter((statement) => /^(insert|update)/.test(statement))
    const plans = await plansOnPostgres(
      postgres,
      inserting.map((statement) => CompiledQuery.raw(statement)),
    )
    expect(plans.length).toBeGreaterThan(10)
    expect(plans.filter((plan) => /NOT \(ANY|NOT \(hashed SubPlan/.test(plan))).toEqual([])
  })

  test('a phone number with its country code is found by the index of beginnings', async () => {
    const plans = await plansOf({ phone: '254712345678' })
    expect(plans).toMatch(/drivers_phone_number_begins.*Index Cond: \(\(phone_number ~>=~ '254712345678'/)
  })

  test('a part of a name is counted and paged by the index of parts alone, and only the rows of the page are read', async () => {
    for (const s of ['wanj', 'wanj kam', 'wanj ka']) {
      const statements = await statementsOf(postgres, listOf({ s }))
      const plans = await plansOnPostgres(postgres, statements)
      const [found = '', ...others] = plans
      expect(found, s).toContain('Bitmap Index Scan on drivers_search_trigrams')
      expect(found, s).not.toMatch(/\bdrivers\b/)
      expect(others.length, s).toBeLessThanOrEqual(1)
    }
  })

  test('a part of a phone number is not looked for by comparing every number in another index', async () => {
    expect(await plansOf({ phone: '712' })).toContain('drivers_phone_number_trigrams')
    expect(await plansOf({ phone: '712' }, ['bitmapscan'])).not.toContain('Index Only Scan')
  })

  test('one or two letters are compared in the copies of names if many words have them, and else found by the index of words', async () => {
    const { rows } = await sql<{ word: string }>`select word from drivers_vocabulary order by word`.execute(
      postgres.db,
    )
    const having = (part: string) => rows.filter(({ word }) => word.includes(part)).length
    expect(having('an')).toBeGreaterThan(20)
    const rare = rows.map(({ word }) => word.slice(0, 2)).find((part) => having(part) <= 3) ?? ''
    expect(rare).toHaveLength(2)
    for (const s of ['an', 'a']) {
      const statements = await statementsOf(postgres, listOf({ s }))
      const plans = await plansOnPostgres(postgres, statements)
      const [page = '', count = ''] = plans.filter((plan) => !plan.includes('drivers_vocabulary'))
      for (const plan of [page, count]) {
        expect(plan, s).toMatch(/ on drivers_trigrams/)
        expect(plan, s).not.toMatch(/drivers_search_trigrams|\bdrivers\b/)
      }
    }
    expect(await plansOf({ s: rare })).toContain('drivers_words')
  })

  test('a search for two letters runs on the connections of the searches, so that lists and changes do not wait for it (reliability 34)', async () => {
    const statements = await statementsOf(postgres, (engine) =>
      listOf({ s: 'an' })({ ...engine, searching: postgres.searching }),
    )
    expect(statements.map((one) => one.sql).filter((text) => text.includes('drivers_trigrams'))).toEqual([])
  })

  test('the places of trips are found by the index of words', async () => {
    for (const s of ['westl', 'we']) {
      const plans = await plansOnPostgres(postgres, await statementsOf(postgres, tripsWith(s)))
      expect(plans.join()).toContain('Bitmap Index Scan on trips_words')
    }
  })

  test.each([
    ['trips', trip, 'trips', { phone: '254712345678' }],
    ['bookings', booking, 'pre_bookings', { s: 'wanj' }],
    ['bookings', booking, 'pre_bookings', { phone: '254712345678' }],
    ['invites', invite, 'driver_invites', { s: 'wanj' }],
    ['invites', invite, 'driver_invites', { s: '254712345678' }],
    ['invites', invite, 'driver_invites', { phone: '254712345678' }],
    ['SOS logs', sos, 'trips', { s: 'wanj' }],
    ['SOS logs', sos, 'trips', { phone: '254712345678' }],
  ])(
    'the %s of a driver or a customer are found by the indexes of both',
    async (_name, { list }, table, query) => {
      const statements = await statementsOf(postgres, (engine) =>
        list.page(engine, { ...everything, ...query }, someTime),
      )
      const plans = (await plansOnPostgres(postgres, statements)).join()
      expect(plans).toContain(`${table}_driver`)
      expect(plans).toContain(`${table}_customer`)
      expect(plans).not.toContain(`Seq Scan on ${table}`)
    },
  )

  test('the statement of a first page is planned once, not for each call', async () => {
    for (let call = 0; call < 7; call++) await listOf({ page_size: 25 })(postgres)
    const { rows } = await sql<{ generic: number; custom: number }>`
      select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements
      where statement like '%from "drivers" left join%limit 25%'`.execute(postgres.db)
    expect(rows).toEqual([{ generic: 7, custom: 0 }])
  })

  test('the statement of a later page is planned for the first five calls, not for each, also in a large table', async () => {
    await runAll(postgres.db, [
      `update pg_class set relpages = 1, reltuples = 100000 where relname = 'drivers'`,
    ])
    for (let call = 0; call < 9; call++) await listOf({ page: 3, page_size: 20 })(postgres)
    await runAll(postgres.db, ['analyze drivers'])
    const { rows } = await sql<{ generic: number; custom: number }>`
      select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements
      where statement like '%from "drivers" left join%limit 20 offset%'`.execute(postgres.db)
    expect(rows).toEqual([{ generic: 4, custom: 5 }])
  })

  test('statements are prepared once for each connection, except those with patterns', async () => {
    const prepared = async () => {
      await listOf({ s: 'wanj', page_size: 20 })(postgres)
      const known = await sql<{ statement: string }>`select statement from pg_prepared_statements
        order by statement`.execute(postgres.db)
      return known.rows.map(({ statement }) => statement)
    }
    const first = await prepared()
    expect(first.filter((text) => / like /.test(text))).toEqual([])
    expect(first.join()).toContain('left join "vehicles"')
    expect(await prepared()).toEqual(first)
  })

  test('a table that another process changes makes at most one request for each connection fail, with 503', async () => {
    const read = listOf({ page_size: 20 })
    await read(postgres)
    await runAll(postgres.db, ['alter table drivers add column added_later text'])
    const error: unknown = await read(postgres).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(postgres.statusOf(error)).toBe(503)
    expect((await read(postgres)).results).toHaveLength(20)
  })
})

test('at most 500 statements of a connection to PostgreSQL are prepared', async () => {
  const engine = await openTestEngine('postgres')
  const { db } = engine
  for (let n = 0; n < 510; n++) await sql`select ${n}::int + ${sql.lit(n)} as sum`.execute(db)
  const { rows } = await sql<{ n: number }>`select count(*) as n from pg_prepared_statements`.execute(db)
  expect(rows).toEqual([{ n: 500 }])
  await engine.close()
})

/**
 * Waits until PostgreSQL uses all indexes. It leaves an index that was made after updates of its table alone while a
 * transaction is open that began before, in any database of the server, so also one of another test.
 */
async function untilIndexesServe({ db }: Engine): Promise<void> {
  const waiting = sql<{ n: number }>`select count(*)::int as n from pg_index
    where indcheckxmin and xmin::text::bigint >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint`
  await vi.waitUntil(async () => (await waiting.execute(db)).rows[0]?.n === 0, 60_000)
}
