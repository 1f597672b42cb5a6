import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { OperatorError } from '../operator-error.ts'
import { root } from '../root.ts'
import { forgetDerived, isBuilt, updateDerived } from './derived.ts'
import type { Dialect, Engine } from './engine.ts'
import { runAll } from './engine.ts'

const folder = join(root, 'server', 'db', 'migrations')

/** The names of all migrations that this version of the product has, in their order. */
export const knownMigrations = readdirSync(folder)
  .filter((file) => file.endsWith('.sql'))
  .map((file) => file.slice(0, -'.sql'.length))
  .sort()

/**
 * Brings the schema to the newest version: first the migrations that the database has not had, in one transaction, then
 * what is derived from the definitions in the code. Throws OperatorError if a newer version has written the database, else
 * what the database reports. `report` receives the progress: how many of all steps are done, and the name of the next one.
 */
export async function migrate(
  engine: Engine,
  report: (done: number, total: number, what: string) => void = () => undefined,
): Promise<void> {
  const steps = 1 + engine.derived.length
  report(0, steps, 'tables')
  await migrateTables(engine)
  await updateDerived(engine, (done, what) => report(1 + done, steps, what))
}

/** Runs the migrations up to the one of this name, without triggers, indexes of texts and whatever else is derived. */
export async function migrateTables(engine: Engine, last = knownMigrations.at(-1) ?? ''): Promise<void> {
  const migrator = new Migrator({
    db: engine.db,
    provider: { getMigrations: async () => Promise.resolve(migrations(engine)) },
  })
  const { error } = await migrator.migrateTo(last)
  const [, unknown] = /previously executed migration (\S+) is missing/.exec(String(error)) ?? []
  if (unknown) throw newerSchema('This database', unknown)
  if (error) throw error instanceof Error ? error : new Error('The migrations of the database failed.')
}

/** The newest migration that a database has had. */
export async function schemaVersion({ db }: Engine): Promise<string> {
  const { rows } = await sql<{ name: string | null }>`select max(name) as name from kysely_migration`.execute(
    db,
  )
  return rows[0]?.name ?? ''
}

/** Throws OperatorError if this version of the product does not know the migration. */
export function requireKnownSchema(what: string, migration: string): void {
  if (!knownMigrations.includes(migration)) throw newerSchema(what, migration)
}

function newerSchema(what: string, migration: string): OperatorError {
  return new OperatorError(
    `${what} was written by a newer version of Twende OMS: its schema is ${migration}, and this version knows ` +
      `${knownMigrations.at(-1) ?? 'none'} and older ones.\n` +
      'Use the newer version, or restore a backup that was made before the upgrade: npm run restore -- FILE',
  )
}

/** Whether the database has had all migrations of this version. */
export async function isMigrated({ db }: Engine): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const done = new Set(rows.map(({ name }) => name))
  return knownMigrations.every((name) => done.has(name))
}

/** Whether `migrate` has nothing to do. */
export async function isUpToDate(engine: Engine): Promise<boolean> {
  if (!(await isMigrated(engine))) return false
  for (const part of engine.derived) if (!(await isBuilt(engine, part))) return false
  return true
}

/** One for each file of the folder. Kysely runs them in the order of their names. */
function migrations({ dialect, withoutTimeout }: Engine) {
  return Object.fromEntries(
    knownMigrations.map((name) => {
      const text = readFileSync(join(folder, `${name}.sql`), 'utf8')
      const more = text.startsWith('-- Replaces no table.\n') ? [] : forgetDerived
      const statements = [...withoutTimeout, ...statementsOf(text, dialect), ...more]
      const up = (db: Kysely<unknown>) => runAll(db, statements)
      return [name, { up }]
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
