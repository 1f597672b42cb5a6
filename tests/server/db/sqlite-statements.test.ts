import { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { statementsOf } from '../../../server/db/sqlite-statements.ts'

test('a statement on SQLite is prepared once if it has at most 60 values, and for each call if it has more', () => {
  const raw = new DatabaseSync(':memory:')
  const prepared = vi.spyOn(raw, 'prepare')
  const { close, prepare } = statementsOf(raw)
  const timesPrepared = (values: number) => {
    const list = Array.from({ length: values }, (_, nth) => nth)
    prepared.mockClear()
    for (let call = 0; call < 3; call++) {
      const { all } = prepare(`select 7 as seven where 7 in (${list.map(() => '?').join()})`)
      expect(all(list)).toEqual([{ seven: 7 }])
    }
    return prepared.mock.calls.length
  }
  expect([timesPrepared(60), timesPrepared(61)]).toEqual([1, 3])
  close()
})

test('rows from SQLite are plain objects with the columns that a table has now', () => {
  const { close, prepare } = statementsOf(new DatabaseSync(':memory:'))
  prepare('create table t (a integer, b text) strict').run([])
  prepare('insert into t values (?, ?)').run([1, 'one'])
  expect(prepare('select * from t').all([])).toStrictEqual([{ a: 1, b: 'one' }])
  expect([...prepare('select * from t').iterate([])]).toStrictEqual([{ a: 1, b: 'one' }])
  prepare('alter table t rename column b to c').run([])
  expect(prepare('select * from t').all([])).toStrictEqual([{ a: 1, c: 'one' }])
  close()
})
