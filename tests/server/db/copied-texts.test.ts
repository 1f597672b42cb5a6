import { sql } from 'kysely'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Engine } from '../../../server/db/engine.ts'
import { runAll } from '../../../server/db/engine.ts'
import { driver } from '../../../server/nouns/driver.ts'
import { Driver } from '../../../src/api/contract.ts'
import { openTestEngine } from '../../support/engines.ts'
import { buildDriver } from '../../support/factories.ts'
import { someTime } from '../../support/server.ts'

let engine: Engine
beforeAll(async () => {
  engine = await openTestEngine('postgres')
})
beforeEach(async () => {
  await runAll(engine.db, ['truncate drivers cascade'])
  for (const id of [1, 2, 3]) await buildDriver(engine, { id, fullname: `O'Wanjiku ${'ABC'.charAt(id - 1)}` })
})
afterAll(() => engine.close())

const copies = async () => {
  const { rows } = await sql<{ id: number; search: string; place: string }>`
    select id, search, ctid::text as place from drivers_trigrams order by id`.execute(engine.db)
  return rows
}
const find = async (s: string) => {
  const query = { page: 1, page_size: 50, s, phone: '', ordering: '', filter: '' }
  const { count, results } = await driver.list.page(engine, query, someTime)
  expect(results).toHaveLength(count)
  return results.map((row) => Value.Parse(Driver, row).id)
}

test('the texts of searches are copied in the form in which they are compared, and only when they change', async () => {
  const before = await copies()
  expect(before.map(({ id, search }) => [id, search])).toEqual([
    [1, 'owanjiku a'],
    [2, 'owanjiku b'],
    [3, 'owanjiku c'],
  ])
  await runAll(engine.db, [`update drivers set deleted = 1, search = search where id = 2`])
  expect(await copies()).toEqual(before)
  await runAll(engine.db, [`update drivers set search = 'njeri' where id = 2`])
  const after = await copies()
  expect(after.filter(({ id }) => id !== 2)).toEqual(before.filter(({ id }) => id !== 2))
  expect(after[1]?.search).toBe('njeri')
})

test('drivers whose ids were changed, and all that are added after the table was emptied, are found once', async () => {
  await runAll(engine.db, ['update drivers set id = id + 10 where id = 3'])
  expect(await find('anji')).toEqual([13, 2, 1])
  await runAll(engine.db, ['truncate drivers cascade'])
  expect(await copies()).toEqual([])
  expect(await find('anji')).toEqual([])
  await buildDriver(engine, { id: 1, fullname: 'Wanjiru' })
  expect(await find('anji')).toEqual([1])
})

test('a driver is stored also if a copy of another one with the same id was left behind', async () => {
  await runAll(engine.db, [`insert into drivers_trigrams values (77, 'nobody')`])
  await buildDriver(engine, { id: 77, fullname: 'Muthoni' })
  expect(await find('nobody')).toEqual([])
  expect(await find('uthon')).toEqual([77])
})
