import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { forgetDerived, updateDerived } from './derived.ts'
import type { Dialect, Engine } from './engine.ts'
import { runAll } from './engine.ts'

const folder = join(import.meta.dirname, 'migrations')

/**
 * Brings the schema to the newest version: first the migrations that the database has not had, in one transaction, then
 * what is derived from the definitions in the code. Throws what the database reports.
 */
export async function migrate(engine: Engine): Promise<void> {
  const migrator = new Migrator({
    db: engine.db,
    provider: { getMigrations: async () => Promise.resolve(migrations(engine)) },
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error instanceof Error ? error : new Error('The migrations of the database failed.')
  await updateDerived(engine)
}

/** One for each file of the folder. Kysely runs them in the order of their names. */
function migrations({ dialect, withoutTimeout }: Engine) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  return Object.fromEntries(
    files.map((file) => {
      const statements = statementsOf(readFileSync(join(folder, file), 'utf8'), dialect)
      const up = (db: Kysely<unknown>) => runAll(db, [...withoutTimeout, ...statements, ...forgetDerived])
      return [file.slice(0, -'.sql'.length), { up }]
    }),
  )
}

/**
 * Statements end with a semicolon at the end of a line. Placeholders such as `{integer}` are replaced by the engine's
 * types.
 */
function statementsOf(text: string, dialect: Dialect): string[] {
  const words = new Map(Object.entries(dialect))
  return text
    .replace(/^--.*$/gm, '')
    .replace(/\{\w+\}/g, (placeholder) => words.get(placeholder.slice(1, -1)) ?? placeholder)
    .split(/;$/m)
    .map((statement) => statement.trim())
    .filter(Boolean)
}
