import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isSameIndex } from '../../../server/check/full-text.ts'
import { sqliteBulk } from '../../../server/db/bulk-sqlite.ts'
import type { Engine } from '../../../server/db/engine.ts'
import { migrate } from '../../../server/db/migrate.ts'
import { fullTexts, openSqlite } from '../../../server/db/sqlite.ts'
import { vocabularies } from '../../../server/db/vocabulary.ts'
import { domainTables } from '../../../server/demo/bulk.ts'
import type { DemoOptions } from '../../../server/demo/load.ts'
import { clearDemo, loadDemo } from '../../../server/demo/load.ts'
import { takeApart } from '../../../server/demo/schema-parts.ts'
import { openTestEngine } from '../../support/engines.ts'
import { buildDriver } from '../../support/factories.ts'
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
  for (const one of fullTexts()) expect(await isSameIndex(engine, one), one.index).toBe(true)
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

test('an index that is built in several parts has the rows at their borders', async () => {
  const engine = await openFile('borders.db')
  await engine.db.transaction().execute((trx) => takeApart(engine, trx))
  for (const id of [1, 49_999, 50_000, 50_001, 100_000, 100_001])
    await buildDriver(engine, { id, fullname: `Wanjiku ${id}`, phone_number: `+254700${id}` })
  const second = await sqliteBulk.second(engine)
  await second.filled(domainTables)
  await second.done()
  for (const step of second.steps) await step()
  for (const one of fullTexts()) expect(await isSameIndex(engine, one), one.index).toBe(true)
  await second.close()
  await engine.close()
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
