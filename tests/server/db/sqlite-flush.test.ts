import fs, { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openSqlite } from '../../../server/db/sqlite.ts'

/** The flushes that have been asked for and are not done yet. */
const waiting: ((error: Error | null) => void)[] = []

let folder: string
let engine: ReturnType<typeof openSqlite>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'oms-flush-'))
  engine = openSqlite(join(folder, 'oms.db'))
  await sql`create table numbers (n integer) strict`.execute(engine.db)
  vi.spyOn(fs, 'fsync').mockImplementation((_file, done) => void waiting.push(done))
})
afterEach(async () => {
  vi.restoreAllMocks()
  endFlush(null)
  await engine.close()
  rmSync(folder, { recursive: true })
})

function endFlush(error: Error | null) {
  for (const done of waiting.splice(0)) done(error)
}

const add = (n: number) =>
  engine.db.transaction().execute((trx) => sql`insert into numbers values (${n})`.execute(trx))

const numbers = async (db = engine.db) => {
  const { rows } = await sql<{ n: number }>`select n from numbers order by n`.execute(db)
  return rows.map(({ n }) => n)
}

/** What is answered, in this order. */
function answersOf(questions: Record<string, Promise<unknown>>): string[] {
  const answered: string[] = []
  for (const [name, question] of Object.entries(questions)) void question.then(() => answered.push(name))
  return answered
}

test('a change on SQLite is answered when it is on the disk (reliability 19)', async () => {
  const answered = answersOf({ change: add(1) })
  await wait(50)
  expect(answered).toEqual([])
  endFlush(null)
  await vi.waitFor(() => expect(answered).toEqual(['change']))
})

test('so is a change without a transaction, and one whose statement has an answer (reliability 19)', async () => {
  const answered = answersOf({ change: sql`insert into numbers values (1)`.execute(engine.db) })
  await vi.waitFor(() => expect(waiting).toHaveLength(1))
  endFlush(null)
  await vi.waitFor(() => expect(answered).toEqual(['change']))
  const returning = answersOf({ change: sql`insert into numbers values (2) returning n`.execute(engine.db) })
  await vi.waitFor(() => expect(waiting).toHaveLength(1))
  expect(returning).toEqual([])
})

test('what others read of a change is answered when it is on the disk (reliability 19)', async () => {
  const answered = answersOf({ change: add(1) })
  await vi.waitFor(() => expect(waiting).toHaveLength(1))
  const read = [numbers(), numbers(engine.reading), numbers(engine.searching)]
  const early = answersOf(Object.fromEntries(read.map((one, nth) => [`read ${nth}`, one])))
  await wait(500)
  expect([...answered, ...early]).toEqual([])
  endFlush(null)
  expect(await Promise.all(read)).toEqual([[1], [1], [1]])
})

test('changes that are made during a flush share the next one', async () => {
  const first = answersOf({ 1: add(1) })
  await vi.waitFor(() => expect(waiting).toHaveLength(1))
  const others = answersOf(Object.fromEntries([2, 3, 4].map((n) => [n, add(n)])))
  await wait(50)
  expect(waiting).toHaveLength(1)
  endFlush(null)
  await vi.waitFor(() => expect(first).toEqual(['1']))
  await vi.waitFor(() => expect(waiting).toHaveLength(1))
  expect(others).toEqual([])
  endFlush(null)
  await vi.waitFor(() => expect(others).toEqual(['2', '3', '4']))
  expect(waiting).toEqual([])
})

test('reads wait for nothing if there was no change', async () => {
  expect(await numbers()).toEqual([])
  const { rows } = await sql<{ n: number }>`with two as (select 2 as n) select n from two`.execute(engine.db)
  expect(rows).toEqual([{ n: 2 }])
  expect(waiting).toEqual([])
})

test('a change that the disk does not take with the log is stored in the database instead (reliability 21)', async () => {
  const answered = answersOf({ change: add(1) })
  await vi.waitFor(() => expect(waiting).toHaveLength(1))
  endFlush(new Error('EIO'))
  await vi.waitFor(() => expect(answered).toEqual(['change']))
  const copied = engine.raw.prepare('pragma wal_checkpoint(passive)').get()
  expect(copied?.['log']).toBe(copied?.['checkpointed'])
})

test('while the disk takes a change neither way, calls fail as for a database that is not available, and then work again (reliability 21)', async () => {
  engine.raw.exec('pragma busy_timeout = 0')
  const other = openSqlite(join(folder, 'oms.db'))
  const failed = add(1)
  await vi.waitFor(() => expect(waiting).toHaveLength(1))
  other.raw.exec('begin immediate')
  endFlush(new Error('EIO'))
  const error: unknown = await failed.catch((error: unknown) => error)
  expect(engine.statusOf(error)).toBe(503)
  expect(engine.statusOf(await numbers().catch((error: unknown) => error))).toBe(503)
  other.raw.exec('rollback')
  expect(await numbers()).toEqual([1])
  await other.close()
})
