import type { TestProject } from 'vitest/node'
import { migrate } from '../../server/db/engine.ts'
import { openPostgres } from '../../server/db/postgres.ts'
import { runOn, startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The maintenance database of the PostgreSQL of this test run. */
    postgresUrl: string
  }
}

/** A migrated, empty database; a copy of it is ready much sooner than a migration. */
export const templateDatabase = 'migrated_template'

/** Starts PostgreSQL once for the whole test run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres()
  await runOn(postgres.url('postgres'), `create database ${templateDatabase}`)
  const engine = openPostgres(postgres.url(templateDatabase))
  await migrate(engine)
  await engine.close()
  project.provide('postgresUrl', postgres.url('postgres'))
  return () => postgres.stop()
}
