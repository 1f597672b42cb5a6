import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { CompiledQuery, Kysely } from 'kysely'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { send } from '../../../server/db/engine.ts'
import type { Database } from '../../../server/db/schema.ts'
import { openSqlite } from '../../../server/db/sqlite.ts'
import { isReference } from '../../../server/queries/change.ts'
import { engines, openTestEngine } from '../../support/engines.ts'
import { buildDriver } from '../../support/factories.ts'
import { useServer } from '../../support/server.ts'

/** Stores a value; a name that is there already is an error. */
const insert = (db: Kysely<Database>, name: string): CompiledQuery =>
  db.insertInto('meta').values({ name, value: 'x' }).compile()

describe.each(engines)('statements whose answers a transaction does not need, on %s', (name) => {
  const stored = async (run: (trx: Parameters<typeof send>[0]) => Promise<unknown>) => {
    const engine = await openTestEngine(name)
    onTestFinished(() => engine.close())
    const error = await engine.db
      .transaction()
      .execute(run)
      .then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : 'no error'),
      )
    const { rows } = await sql<{ name: string }>`
      select name from meta where name like 'test%' order by name`.execute(engine.db)
    return { error, names: rows.map((row) => row.name) }
  }

  test('are stored in their order', async () => {
    const { error, names } = await stored((trx) => send(trx, [insert(trx, 'test 1'), insert(trx, 'test 2')]))
    expect({ error, names }).toEqual({ error: null, names: ['test 1', 'test 2'] })
  })

  test('undo the transaction if one of them fails, with its error', async () => {
    const { error, names } = await stored(async (trx) => {
      await trx.executeQuery(insert(trx, 'test 1'))
      await send(trx, [insert(trx, 'test 1'), insert(trx, 'test 2')])
    })
    expect(error).toMatch(/unique/i)
    expect(names).toEqual([])
  })

  test('let the next statement fail with their error', async () => {
    const { error, names } = await stored(async (trx) => {
      await send(trx, [insert(trx, 'test 1'), insert(trx, 'test 1')])
      await trx.executeQuery(insert(trx, 'test 2'))
    })
    expect(error).toMatch(/unique/i)
    expect(names).toEqual([])
  })

  test('undo the transaction also if one of them has failed long before its commit', async () => {
    const { error, names } = await stored(async (trx) => {
      await send(trx, [insert(trx, 'test 1'), insert(trx, 'test 1')])
      await wait(300)
    })
    expect(error).toMatch(/unique/i)
    expect(names).toEqual([])
  })
})

describe('messages to PostgreSQL', () => {
  const server = useServer('postgres')

  test('a change sends four: for the session, the key, the record, and all that it stores', async () => {
    const { engine, post } = server()
    await buildDriver(engine, { id: 7 })
    const pool: unknown = Reflect.get(engine, 'pool')
    if (!(pool instanceof pg.Pool)) throw new Error('There is no pool.')
    let messages = 0
    const counted = new Set<pg.PoolClient>()
    pool.on('acquire', (client) => {
      if (counted.has(client)) return
      counted.add(client)
      const { stream } = client.connection
      const uncork = stream.uncork.bind(stream)
      stream.uncork = () => {
        const waiting = stream.writableLength
        uncork()
        if (stream.writableLength < waiting) messages++
      }
    })
    // Statements are prepared by the first call.
    for (const verb of ['suspend', 'unfreeze']) {
      messages = 0
      await post(`/api/v1/oms/driver/7/${verb}/`, { 'idempotency-key': verb })
    }
    expect(messages).toBe(4)
  })
})

test('another process cannot write between what a transaction on SQLite reads and what it writes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'oms-transactions-'))
  const engine = openSqlite(join(folder, 'test.sqlite'))
  const other = openSqlite(join(folder, 'test.sqlite'))
  onTestFinished(async () => {
    await engine.close()
    await other.close()
    rmSync(folder, { recursive: true })
  })
  other.raw.exec('pragma busy_timeout = 0')
  engine.raw.exec('create table numbers (n integer) strict; insert into numbers values (1)')
  const write = () => other.raw.exec('update numbers set n = 2')
  await engine.db.transaction().execute(async (trx) => {
    await sql`select n from numbers`.execute(trx)
    expect(write).toThrow('database is locked')
    await sql`update numbers set n = n + 10`.execute(trx)
  })
  await engine.db
    .transaction()
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`select n from numbers`.execute(trx)
      expect(write).not.toThrow()
    })
})

test('every column that refers to another record is recognised by its name', async () => {
  const engine = await openTestEngine('postgres')
  onTestFinished(() => engine.close())
  const { rows } = await sql<{ name: string }>`
    select distinct a.attname as name from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey) where c.contype = 'f'`.execute(
    engine.db,
  )
  const names = rows.map(({ name }) => name)
  expect(names).toContain('handled_by')
  expect(names.filter((name) => !isReference.test(name))).toEqual([])
})
