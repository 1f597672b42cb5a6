import type { TestProject } from 'vitest/node'
import { migrate } from '../../server/db/migrate.ts'
import { openPostgres } from '../../server/db/postgres.ts'
import type { FoundBrowser } from './browser.ts'
import { findBrowser } from './browser.ts'
import { fastFolder, runOn, startPostgres } from './postgres.ts'
import { openRunFolder } from './run-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the maintenance database of the PostgreSQL that this test run has started. */
    postgresUrl: string
    browser: FoundBrowser
  }
}

/** The name of a migrated, empty database. Copying it is much faster than migrating a new one. */
export const templateDatabase = 'migrated_template'

/** Starts PostgreSQL and finds a browser once for the whole test run, before any worker starts. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Before `openRunFolder`, which sets TMPDIR: `fastFolder` uses memory only while TMPDIR is not set.
  const folder = fastFolder()
  const run = openRunFolder()
  project.provide('browser', await findBrowser())
  const postgres = await startPostgres(folder)
  await runOn(postgres.url('postgres'), `create database ${templateDatabase}`)
  const engine = openPostgres(postgres.url(templateDatabase))
  await migrate(engine)
  await engine.close()
  project.provide('postgresUrl', postgres.url('postgres'))
  return async () => {
    await postgres.stop()
    await run.close()
  }
}
