import type { DatabaseSync } from 'node:sqlite'
import { mostValues } from './prepared-values.ts'

/** The name of a function of SQLite that answers 1, and fails when nobody waits for the answer of the statement any more. */
export const stillAsked = 'still_asked'

/** Adapts node:sqlite to the interface that Kysely expects, with a cache of prepared statements that leaves out those with many values. */
export function statementsOf(raw: DatabaseSync) {
  const statements = new Map<string, ReturnType<typeof prepare>>()
  const prepare = (text: string) => {
    const statement = raw.prepare(text)
    return {
      reader: statement.columns().length > 0,
      all: (parameters: readonly unknown[]) => statement.all(...parameters.map(bindable)),
      run: (parameters: readonly unknown[]) => statement.run(...parameters.map(bindable)),
      iterate: (parameters: readonly unknown[]) => statement.iterate(...parameters.map(bindable)),
    }
  }
  return {
    close: () => raw.close(),
    prepare: (text: string) => {
      const known = statements.get(text)
      if (known) return known
      const statement = prepare(text)
      if (text.split('?').length - 1 > mostValues) return statement
      if (statements.size > 500) statements.clear()
      statements.set(text, statement)
      return statement
    },
  }
}

function bindable(value: unknown): null | number | bigint | string | Uint8Array {
  if (value === null || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string')
    return value
  if (value instanceof Uint8Array) return value
  throw new TypeError(`SQLite cannot store a value of type ${typeof value}.`)
}
