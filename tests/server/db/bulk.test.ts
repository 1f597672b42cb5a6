import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bulkOf, inTransaction, tidy } from '../../../server/db/bulk.ts'
import type { Engine } from '../../../server/db/engine.ts'
import { runAll, send } from '../../../server/db/engine.ts'
import { engines, openTestEngine } from '../../support/engines.ts'

let engine: Engine
describe.each(engines)('many rows at once on %s', (name) => {
  beforeAll(async () => {
    engine = await openTestEngine(name)
    await runAll(engine.db, ['create table odd (id integer primary key, text text, amount double precision)'])
  })
  afterAll(() => engine.close())

  test('keep every text and number as it is', async () => {
    const texts = [
      '',
      ' ',
      'null',
      'NULL',
      '"',
      '\\',
      '\\"',
      '\\n',
      '\n',
      '\t\r',
      ',',
      '{}',
      "it's",
      '$&',
      'ü😀',
      null,
    ]
    const amounts = [0, 0.1, -1.5, 1e21, 5e-324, Number.MAX_SAFE_INTEGER, 123_456_789.01, null]
    const rows = texts.map((text, at) => ({ id: at, text, amount: amounts[at % amounts.length] ?? null }))
    const insert = await bulkOf(engine).insert(engine.db)
    await inTransaction(engine, async (trx) => {
      for (const { text, parameters } of insert('odd', ['id', 'text', 'amount'], rows))
        await send(trx, [CompiledQuery.raw(text, parameters)])
    })
    expect((await sql`select id, text, amount from odd order by id`.execute(engine.db)).rows).toEqual(rows)
  })
})

test('PostgreSQL has statistics of each table after a load', async () => {
  const engine = await openTestEngine('postgres')
  const names = ['first', 'second', 'third']
  for (const name of names)
    await runAll(engine.db, [`create table ${name} (id integer)`, `insert into ${name} values (1), (2)`])
  await tidy(engine, names)
  const { rows } = await sql`
    select relname as name, reltuples as rows from pg_class
    where relnamespace = current_schema()::regnamespace and relname in (${sql.join(names)}) order by relname`.execute(
    engine.db,
  )
  expect(rows).toEqual(names.map((name) => ({ name, rows: 2 })))
  await engine.close()
})
