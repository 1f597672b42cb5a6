import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Place } from '../../../server/db/compiled-once.ts'
import { compiledOnce } from '../../../server/db/compiled-once.ts'
import type { Engine } from '../../../server/db/engine.ts'
import { engines, openTestEngine } from '../../support/engines.ts'
import { buildStaff } from '../../support/factories.ts'

describe.each(engines)('a query that is compiled once, on %s,', (name) => {
  let engine: Engine
  beforeEach(async () => {
    engine = await openTestEngine(name)
  })
  afterEach(() => engine.close())

  test('runs with the values of each call, and is built once for a database and its transactions', async () => {
    let built = 0
    const staffOf = compiledOnce((db, place: Place<'email' | 'disabled'>) => {
      built++
      return db
        .selectFrom('staff')
        .select('email')
        .where('disabled', '=', place('disabled'))
        .where('email', '=', place('email'))
    })
    await buildStaff(engine, { email: 'a@twende.test' })
    await buildStaff(engine, { email: 'b@twende.test' })
    const find = async (db: Engine['db'], email: string, disabled = 0) =>
      (await db.executeQuery(staffOf(db, { email, disabled }))).rows
    expect(await find(engine.db, 'a@twende.test')).toEqual([{ email: 'a@twende.test' }])
    expect(await find(engine.db, 'a@twende.test', 1)).toEqual([])
    await engine.db.transaction().execute(async (trx) => {
      expect(await find(trx, 'b@twende.test')).toEqual([{ email: 'b@twende.test' }])
    })
    expect(built).toBe(1)
  })
})
