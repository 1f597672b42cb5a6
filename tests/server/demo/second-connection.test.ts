import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isSameIndex } from '../../../server/check/full-text.ts'
import { postgresBulk } from '../../../server/db/bulk-postgres.ts'
import { sqliteBulk } from '../../../server/db/bulk-sqlite.ts'
import type { Engine } from '../../../server/db/engine.ts'
import { migrate } from '../../../server/db/migrate.ts'
import { recountRows } from '../../../server/db/numbers.ts'
import { fullTexts, openSqlite } from '../../../server/db/sqlite.ts'
import { openBuilder } from '../../../server/db/sqlite-reader.ts'
import { vocabularies } from '../../../server/db/vocabulary.ts'
import { domainTables } from '../../../server/demo/bulk.ts'
import type { DemoOptions } from '../../../server/demo/load.ts'
import { clearDemo, loadDemo } from '../../../server/demo/load.ts'
import { takeApart } from '../../../server/demo/schema-parts.ts'
import { openTestEngine } from '../../support/engines.ts'
import { buildDriver, buildInvoice } from '../../support/factories.ts'
import { keptNumbers, recount } from '../../support/recount.ts'
import { schemaOf } from '../../support/schema.ts'

const options: DemoOptions = { drivers: 60, now: Date.UTC(2026, 2, 4), passwordHash: 'a hash' }

let folder: string
let memory: Engine
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'second-'))
  memory = await openTestEngine('sqlite')
  await loadDemo(memory, options)
})
afterAll(async () => {
  await memory.close()
  rmSync(folder, { recursive: true })
})

async function openFile(name: string) {
  const engine = openSqlite(join(folder, name))
  await migrate(engine)
  return engine
}

const rowsOf = async (engine: Engine, statement: string) => (await sql.raw(statement).execute(engine.db)).rows

/** Compares what is derived from the rows with what it is in memory, where one connection computes all. */
async function expectDerived(engine: Engine): Promise<void> {
  expect(await keptNumbers(engine.db)).toEqual(await recount(engine))
  expect(await keptNumbers(engine.db)).toEqual(await keptNumbers(memory.db))
  for (const one of fullTexts()) {
    expect(await isSameIndex(engine, one), one.index).toBe(true)
    const settings = `select * from ${one.index}_config order by k`
    expect(await rowsOf(engine, settings), one.index).toEqual(await rowsOf(memory, settings))
  }
  for (const list of ['found_words', ...vocabularies().map(({ table }) => `${table}_vocabulary`)]) {
    const words = `select word from ${list} order by word`
    expect(await rowsOf(engine, words), list).toEqual(await rowsOf(memory, words))
  }
  expect(await schemaOf(engine)).toEqual(await schemaOf(memory))
}

test('the demo data in a file has the same numbers and indexes of texts as in memory, where no second thread builds them', async () => {
  const engine = await openFile('same.db')
  await loadDemo(engine, options)
  await expectDerived(engine)
  await engine.close()
})

test('the connection that loaded a file finds texts and changes them, though another one has written their index', async () => {
  const engine = await openFile('changed.db')
  await loadDemo(engine, options)
  const found = `select rowid from drivers_trigrams where drivers_trigrams match '"ama"' order by rowid`
  const before = await rowsOf(engine, found)
  expect(before.length).toBeGreaterThan(0)
  expect(before).toEqual(await rowsOf(memory, found))
  await sql`update drivers set search = 'amani ama' where id = (select min(id) from drivers where search not like '%ama%')`.execute(
    engine.db,
  )
  expect(await rowsOf(engine, found)).toHaveLength(before.length + 1)
  for (const { index } of fullTexts().filter(({ index }) => index.endsWith('_trigrams')))
    await rowsOf(engine, `insert into ${index} (${index}, rank) values ('integrity-check', 1)`)
  await engine.close()
})

test('trips are counted before the totals are written, and drivers and customers, whose rows get totals, after it', async () => {
  const steps: string[] = []
  const second = sqliteBulk.second.bind(sqliteBulk)
  const spied = vi.spyOn(sqliteBulk, 'second').mockImplementation(async (engine) => {
    const made = await second(engine)
    return {
      ...made,
      updated: () => {
        steps.push('totals')
        return made.updated()
      },
      counted: (statements) => {
        for (const table of ['trips', 'drivers', 'customers'])
          if (statements.some((one) => one.includes(` from ${table} t`))) steps.push(table)
        return made.counted(statements)
      },
    }
  })
  const engine = await openTestEngine('sqlite')
  await loadDemo(engine, options)
  spied.mockRestore()
  await engine.close()
  // Trips by area also need the areas of places, which are written with the totals.
  expect(steps).toEqual(['trips', 'totals', 'trips', 'drivers', 'customers'])
})

test.each(['drivers', 'trips', 'totals', 'indexes'])(
  'a load of a file that was interrupted during the %s leaves nothing behind, is deleted and started again',
  async (interruptedAt) => {
    const engine = await openFile(`${interruptedAt}.db`)
    const stop = (_done: number, _total: number, what: string) => {
      if (what === interruptedAt) throw new Error('interrupted')
    }
    // So many that each part reports.
    const many = { ...options, drivers: 6000, trips: 0 }
    await expect(loadDemo(engine, { ...many, onProgress: stop })).rejects.toThrow('interrupted')
    expect(readdirSync(folder).filter((name) => !/\.db(-wal|-shm)?$/.test(name))).toEqual([])
    await clearDemo(engine)
    await loadDemo(engine, options)
    await expectDerived(engine)
    await engine.close()
  },
)

test('an index that is built while rows are still written has all of them, also at the borders of its parts', async () => {
  const engine = await openFile('borders.db')
  await engine.db.transaction().execute((trx) => takeApart(engine, trx))
  const add = async (...ids: number[]) => {
    for (const id of ids)
      await buildDriver(engine, { id, fullname: `Wanjiku ${id}`, phone_number: `+254700${id}` })
  }
  const second = await sqliteBulk.second(engine)
  for (const ids of [[1, 49_999], [50_000], [50_001, 99_999]]) {
    await add(...ids)
    await second.written(['drivers'])
    await second.done()
  }
  await add(100_000, 100_001)
  await second.filled(domainTables)
  await second.filled(domainTables)
  await second.done()
  for (const step of second.steps) await step()
  for (const one of fullTexts()) expect(await isSameIndex(engine, one), one.index).toBe(true)
  await second.close()
  await engine.close()
})

test('what a load computes for rows is written when the load waits for it, so that it can write until then', async () => {
  const engine = await openFile('sums.db')
  await engine.db.transaction().execute((trx) => takeApart(engine, trx))
  const { id } = await buildDriver(engine)
  await buildInvoice(engine, { driver_id: id, paid: 0 })
  const unpaid = 'select unpaid_invoices from drivers'
  const second = await sqliteBulk.second(engine)
  await second.summed(recountRows())
  await second.done()
  expect(await rowsOf(engine, unpaid)).toEqual([{ unpaid_invoices: 0 }])
  // So it has been computed already.
  await sql`delete from invoices`.execute(engine.db)
  await second.updated()
  expect(await rowsOf(engine, unpaid)).toEqual([{ unpaid_invoices: 1 }])
  await second.close()
  await engine.close()
})

test('a load is told of an error of its second connection, also when later statements succeed', async () => {
  const engine = await openFile('told.db')
  const second = await sqliteBulk.second(engine)
  await second.summed(['update drivers set busy = 1 from (select 1 as n from nowhere) s where s.n = 1'])
  await second.filled(domainTables)
  await expect(second.done()).rejects.toThrow('no such table: nowhere')
  await second.close()
  await engine.close()
})

test('the second connection runs the next script while the thread of the first one is busy', async () => {
  const file = join(folder, 'busy.db')
  const raw = new DatabaseSync(file)
  raw.exec('pragma journal_mode = wal')
  const builder = openBuilder(file)
  await builder.run(['create table one (n integer)'])
  const scripts = [
    builder.run(['create table two (n integer)']),
    builder.run(['create table three (n integer)']),
  ]
  const isRun = () =>
    raw.prepare(`select count(*) as n from sqlite_master where name = 'three'`).get()?.['n'] === 1
  const until = Date.now() + 20_000
  while (!isRun() && Date.now() < until) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
  expect(isRun()).toBe(true)
  await Promise.all(scripts)
  await builder.close()
  raw.close()
})

test('a load fails with the error of its second connection, on SQLite', async () => {
  const engine = await openFile('failed.db')
  let isBroken = false
  const breakHours = (_done: number, _total: number, what: string) => {
    // Only the second connection writes to this table.
    if (what === 'totals' && !isBroken) engine.raw.exec('alter table hourly rename column amount to other')
    isBroken ||= what === 'totals'
  }
  await expect(loadDemo(engine, { ...options, onProgress: breakHours })).rejects.toThrow(
    'has no column named amount',
  )
  await engine.close()
})

const isThere = async (engine: Engine, name: string) =>
  (await rowsOf(engine, `select 1 where to_regclass('${name}') is not null`)).length === 1

test('on PostgreSQL, a load builds the indexes of texts on two connections while it waits for them', async () => {
  const engine = await openTestEngine('postgres')
  await engine.db.transaction().execute((trx) => takeApart(engine, trx))
  const second = await postgresBulk.second(engine)
  const done: Promise<void>[] = []
  await engine.db.transaction().execute(async (trx) => {
    await sql`lock table trips`.execute(trx)
    // The second connection begins with an index of this table.
    await second.filled(domainTables)
    done.push(second.done())
    const others = () => isThere(engine, 'vehicles_search_trigrams')
    await vi.waitFor(async () => expect(await others()).toBe(true), { timeout: 20_000 })
    expect(await isThere(engine, 'trips_words')).toBe(false)
  })
  await Promise.all(done)
  await second.close()
  expect(await isThere(engine, 'trips_words')).toBe(true)
  await engine.close()
})

test('a load fails with the error of its second connection, on PostgreSQL', async () => {
  const engine = await openTestEngine('postgres')
  const broken: Promise<unknown>[] = []
  const breakWords = (_done: number, _total: number, what: string) => {
    if (what === 'trips' && broken.length === 0)
      broken.push(sql`create table found_words (other text)`.execute(engine.db))
  }
  await expect(loadDemo(engine, { ...options, onProgress: breakWords })).rejects.toThrow(
    'relation "found_words" already exists',
  )
  await Promise.all(broken)
  await engine.close()
})
