import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Engine } from '../../../server/db/engine.ts'
import { rowsOf } from '../../../server/queries/rows.ts'
import { engines, openTestEngine } from '../../support/engines.ts'
import { buildStaff } from '../../support/factories.ts'

describe.each(engines)('the rows of a list, on %s,', (name) => {
  let engine: Engine
  let first: number
  let second: number
  beforeEach(async () => {
    engine = await openTestEngine(name)
    first = (await buildStaff(engine, { email: 'a@twende.test' })).id
    second = (await buildStaff(engine, { email: 'b@twende.test' })).id
  })
  afterEach(() => engine.close())

  test('are read one by one with a statement that is built once, also in transactions', async () => {
    let built = 0
    const staff = rowsOf((db, ids) => {
      built++
      return db.selectFrom('staff').select(['id', 'email']).where('id', 'in', ids)
    })
    expect(await staff.one(engine.db, first)).toEqual({ id: first, email: 'a@twende.test' })
    expect(await staff.one(engine.db, second)).toEqual({ id: second, email: 'b@twende.test' })
    expect(await staff.one(engine.db, 99)).toBeUndefined()
    await engine.db.transaction().execute(async (trx) => {
      expect(await staff.one(trx, second)).toEqual({ id: second, email: 'b@twende.test' })
    })
    expect(built).toBe(1)
    expect(await staff.all(engine.db, [first, second, 99])).toHaveLength(2)
  })

  test('are read by a function if a row takes several statements', async () => {
    const staff = rowsOf({
      read: async (db, ids) => {
        const rows = await db.selectFrom('staff').select('id').where('id', 'in', ids).execute()
        return rows.map((row) => ({ ...row, sessions: 0 }))
      },
    })
    expect(await staff.one(engine.db, second)).toEqual({ id: second, sessions: 0 })
    expect(await staff.one(engine.db, 99)).toBeUndefined()
    expect(await staff.all(engine.db, [first, second])).toHaveLength(2)
  })
})
