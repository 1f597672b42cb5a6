import type { DatabaseSync } from 'node:sqlite'
import { mostValues } from './prepared-values.ts'

/** The name of a function of SQLite that answers 1, and fails when nobody waits for the answer of the statement any more. */
export const stillAsked = 'still_asked'

/** Adapts node:sqlite to the interface that Kysely expects, with a cache of prepared statements that leaves out those with many values. */
export function statementsOf(raw: DatabaseSync) {
  const statements = new Map<string, ReturnType<typeof prepare>>()
  const prepare = (text: string) => {
    const statement = raw.prepare(text)
    const columns = statement.columns().map(({ name }) => name)
    const reader = columns.length > 0
    if (reader) statement.setReturnArrays(true)
    const rowOf = (values: unknown) => rowWith(columns, values)
    return {
      reader,
      all: (parameters: readonly unknown[]) => statement.all(...parameters.map(bindable)).map(rowOf),
      run: (parameters: readonly unknown[]) => statement.run(...parameters.map(bindable)),
      *iterate(parameters: readonly unknown[]) {
        for (const values of statement.iterate(...parameters.map(bindable))) yield rowOf(values)
      },
    }
  }
  return {
    close: () => raw.close(),
    prepare: (text: string) => {
      const known = statements.get(text)
      if (known) return known
      // `select *` then has other columns than when it was prepared.
      if (changesTables.test(text)) statements.clear()
      const statement = prepare(text)
      if (text.split('?').length - 1 > mostValues) return statement
      if (statements.size > 500) statements.clear()
      statements.set(text, statement)
      return statement
    },
  }
}

const changesTables = /^\s*(alter|create|drop)\b/i

/**
 * A row as an object. The objects that node:sqlite makes are dictionaries for V8: to make the answer of a list from them takes three times
 * as long (docs/decisions/0040).
 */
function rowWith(columns: readonly string[], values: unknown): Record<string, unknown> {
  if (!Array.isArray(values)) throw new TypeError('node:sqlite answers rows as arrays here.')
  const row: Record<string, unknown> = {}
  for (const [at, name] of columns.entries()) row[name] = values[at]
  return row
}

function bindable(value: unknown): null | number | bigint | string | Uint8Array {
  if (value === null || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string')
    return value
  if (value instanceof Uint8Array) return value
  throw new TypeError(`SQLite cannot store a value of type ${typeof value}.`)
}
