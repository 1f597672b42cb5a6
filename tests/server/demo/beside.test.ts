import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isSameIndex } from '../../../server/check/full-text.ts'
import { sqliteBulk } from '../../../server/db/bulk-sqlite.ts'
import type { Engine } from '../../../server/db/engine.ts'
import { migrate } from '../../../server/db/migrate.ts'
import { recountTables } from '../../../server/db/numbers.ts'
import { fullTexts, openSqlite } from '../../../server/db/sqlite.ts'
import { vocabularies } from '../../../server/db/vocabulary.ts'
import type { DemoOptions } from '../../../server/demo/load.ts'
import { clearDemo, loadDemo } from '../../../server/demo/load.ts'
import { openTestEngine } from '../../support/engines.ts'
import { keptNumbers, recount } from '../../support/recount.ts'
import { schemaOf } from '../../support/schema.ts'

const options: DemoOptions = { drivers: 60, now: Date.UTC(2026, 2, 4), passwordHash: 'a hash' }

let folder: string
let memory: Engine
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beside-'))
  memory = await openTestEngine('sqlite')
  await loadDemo(memory, options)
})
afterAll(async () => {
  await memory.close()
  rmSync(folder, { recursive: true })
})

async function openFile(name: string): Promise<Engine> {
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

test('an error of the second connection is the error of the load', async () => {
  const engine = await openFile('failed.db')
  const beside = await sqliteBulk.beside(engine)
  await sql`alter table trips rename column status to other`.execute(engine.db)
  await beside.counted(recountTables(engine.counterParts))
  await expect(beside.done()).rejects.toThrow('no such column: t.status')
  await beside.close()
  await engine.close()
})
