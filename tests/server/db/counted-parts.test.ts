import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../../server/db/engine.ts'
import { runAll } from '../../../server/db/engine.ts'
import { driver } from '../../../server/nouns/driver.ts'
import { openTestEngine } from '../../support/engines.ts'
import { statementsOf } from '../../support/statements.ts'
import { buildDriver } from '../../support/factories.ts'
import { someTime } from '../../support/server.ts'

let engine: Engine
beforeAll(async () => {
  engine = await openTestEngine('sqlite')
  // Two have the part in two words, or twice in one, and count once. The part `712` is in all phone numbers, and in most names.
  for (let id = 1; id <= 70; id++)
    await buildDriver(engine, {
      id,
      fullname: id === 1 ? 'Wanjiku Mwangi' : id === 2 ? 'Wanwan' : `Wanjiru 712 ${id}`,
      phone_number: `254712000${id + 100}`,
    })
})
afterAll(() => engine.close())

const asked = (given: { s?: string; phone?: string }) => ({
  ...{ page: 1, page_size: 50, s: '', phone: '', ordering: '', filter: '' },
  ...given,
})
const count = async (given: { s?: string; phone?: string }) =>
  (await driver.list.page(engine, asked(given), someTime)).count

test('a part of three characters is counted by the entries of the index, longer texts and two parts by their matches', async () => {
  const counting = async (s: string) => {
    const statements = await statementsOf(engine, (db) => driver.list.page(db, asked({ s }), someTime))
    return statements.map((one) => one.sql).filter((text) => / as n\b/.test(text))
  }
  expect(await counting('wan')).toEqual([expect.stringContaining('drivers_trigrams_counts')])
  expect(await counting('wanj')).toEqual([expect.stringContaining('count(*)')])
  expect(await counting('wan jir')).toEqual([expect.stringContaining('count(*)')])
})

test('drivers that are renamed, removed and added are counted as they are then, by name and by phone number', async () => {
  expect(await count({ s: 'wan' })).toBe(70)
  expect(await count({ s: 'WÁN' })).toBe(70)
  expect(await count({ phone: '712' })).toBe(70)
  // Longer than an entry of the index.
  expect(await count({ phone: '71200' })).toBe(70)
  expect(await count({ s: '712' })).toBe(68)
  await runAll(engine.db, [
    `update drivers set search = 'otieno' where id in (1, 2, 3)`,
    `update drivers set search = 'wanjiru kamau' where id in (4, 5)`,
    'delete from drivers where id in (6, 7)',
    `update drivers set phone_number = '254733000000' where id in (8, 9)`,
  ])
  await buildDriver(engine, { id: 90, fullname: 'Awang', phone_number: '254733000001' })
  expect(await count({ s: 'wan' })).toBe(66)
  expect(await count({ phone: '712' })).toBe(66)
  expect(await count({ s: '712' })).toBe(63)
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from drivers where search like '%wan%'`.execute(engine.db)
  expect(rows).toEqual([{ n: 66 }])
})
