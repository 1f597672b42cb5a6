import type { Compilable, CompiledQuery, DialectAdapter, Expression, Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from './schema.ts'

/** The place in a query of the value with this name. */
export type Place<Name> = (name: Name) => Expression<never>

/**
 * A query that is built and compiled once, for calls that do little else: to build it takes longer than what SQLite does for a
 * lookup. Its values are given by name each time.
 */
export function compiledOnce<Name extends string, Row>(
  build: (db: Kysely<Database>, place: Place<Name>) => Compilable<Row>,
): (db: Kysely<Database>, values: Record<Name, string | number | null>) => CompiledQuery<Row> {
  const compile = (db: Kysely<Database>) => {
    const names = new Map<unknown, Name>()
    const place = (name: Name) => {
      const mark = {}
      names.set(mark, name)
      return sql<never>`${mark}`
    }
    return { query: build(db, place).compile(), names }
  }
  // A database and its transactions have the same adapter.
  const compiled = new WeakMap<DialectAdapter, ReturnType<typeof compile>>()
  return (db, values) => {
    const { adapter } = db.getExecutor()
    const known = compiled.get(adapter) ?? compile(db)
    compiled.set(adapter, known)
    const parameters = known.query.parameters.map((one) => {
      const name = known.names.get(one)
      return name === undefined ? one : values[name]
    })
    return { ...known.query, parameters }
  }
}
