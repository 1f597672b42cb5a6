import type { Engine } from '../db/engine.ts'
import type { Finding } from './finding.ts'
import { ask, mostListed, restoreOrRepair } from './finding.ts'

/**
 * The pages, indexes and references of the database, as the engine itself can check them. Throws what the database reports if it is not
 * available.
 */
export async function* checkDatabase(engine: Engine): AsyncGenerator<Finding> {
  const steps = engine.name === 'sqlite' ? sqliteSteps : await postgresSteps(engine)
  const denied = new Map<string, unknown>()
  for (const step of steps) {
    try {
      for (const { problem } of await ask<{ problem: string }>(engine, step))
        yield { what: problem, todo: restoreOrRepair }
    } catch (error) {
      if (engine.statusOf(error) === 503 && !isUnreadable(error)) throw error
      if (isDenied(error)) denied.set(privilegeFor(step), error)
      else yield { what: `"${step}" failed: ${String(error)}`, todo: restoreOrRepair }
    }
  }
  for (const [privilege, error] of denied)
    yield {
      what: `Not everything could be checked: ${String(error)}`,
      todo: `This is no damage. As a superuser, for the role of DATABASE_URL: grant ${privilege} to ROLE`,
    }
}

/** SQLite's error for a disk that cannot be read, which is one of damage. */
const isUnreadable = (error: unknown) =>
  error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 10

const isDenied = (error: unknown) => error instanceof Error && 'code' in error && error.code === '42501'

const privilegeFor = (step: string) =>
  step.includes('bt_index_check')
    ? 'execute on function bt_index_check(regclass, boolean)'
    : 'select on all tables in schema public'

const sqliteSteps = [
  `select integrity_check as problem from pragma_integrity_check where integrity_check <> 'ok' limit ${mostListed}`,
  `select "table" || ' ' || rowid || ' refers to a row of ' || parent || ' that is missing' as problem
   from pragma_foreign_key_check limit ${mostListed}`,
]

/** Reads every value. With the extension amcheck, also compares every index with the rows of its table. */
async function postgresSteps(engine: Engine): Promise<string[]> {
  const tables = await ask<{ name: string }>(
    engine,
    `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`,
  )
  const indexes = await ask<{ name: string }>(
    engine,
    `select c.oid::regclass::text as name from pg_class c join pg_am a on a.oid = c.relam
     where relkind = 'i' and amname = 'btree' and relnamespace = current_schema()::regnamespace
     and exists (select from pg_extension where extname = 'amcheck')`,
  )
  return [
    ...tables.map(({ name }) => `select '' as problem where (select count(t::text) from ${name} t) < 0`),
    // Without a condition on its result, which is always blank, PostgreSQL would not call the function.
    ...indexes.map(
      ({ name }) =>
        `select '' as problem from bt_index_check('${name}'::regclass, true) as checked where checked::text <> ''`,
    ),
  ]
}
