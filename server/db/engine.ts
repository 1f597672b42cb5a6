import type { Expression, Kysely, QueryExecutorProvider, SqlBool } from 'kysely'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Dialect } from './ddl.ts'
import { domain } from './migrations/0001_domain.ts'
import { loginLimits } from './migrations/0002_login_limits.ts'
import type { Database } from './schema.ts'

/** Where the two databases differ; everything else is one query in Kysely for both. */
export interface Engine {
  name: 'sqlite' | 'postgres'
  db: Kysely<Database>
  dialect: Dialect
  /** Rows of `table` whose column contains `text`, taken literally; `text` must be folded as the column is. */
  contains(table: string, column: string, text: string): Expression<SqlBool>
  /** Rows of `table` whose column begins with these digits. */
  startsWith(table: string, column: string, digits: string): Expression<SqlBool>
  /** Statements that make, and that drop, the triggers and trigram indexes around a bulk load. */
  derived: { create: string[]; drop: string[] }
  /** A fault of the database itself, as the status to answer; null for anything else. */
  statusOf(error: unknown): 503 | 507 | null
  close(): Promise<void>
}

/** Every version of the schema, oldest first. What is derived belongs to the newest and is made anew with it. */
const versions: Record<string, (dialect: Dialect) => string[]> = {
  '0001_domain': domain,
  '0002_login_limits': loginLimits,
}

/** Brings the schema to the newest version, each step whole or not at all. Throws what the database says. */
export async function migrate(engine: Engine): Promise<void> {
  const { dialect, derived } = engine
  const newest = Object.keys(versions).at(-1)
  const migrations = Object.entries(versions).map(([name, statements]) => {
    const derivedNow = name === newest ? [...derived.drop, ...derived.create] : []
    return [
      name,
      { up: (db: Kysely<unknown>) => runAll(db, [...statements(dialect), ...derivedNow]) },
    ] as const
  })
  const migrator = new Migrator({
    db: engine.db,
    provider: { getMigrations: async () => Promise.resolve(Object.fromEntries(migrations)) },
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error instanceof Error ? error : new Error('The schema could not be brought up to date.')
}

export async function runAll(db: QueryExecutorProvider, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** `%`, `_` and `\` are ordinary characters in a search (rulings, lists). For `like … escape '\'`. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
