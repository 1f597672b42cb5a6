import type { Config } from '../config.ts'
import type { Held } from './engine.ts'
import { holdDatabase } from './postgres-hold.ts'
import { holdFolder } from './sqlite.ts'

/**
 * Holds the configured database, as servers and `npm run demo` do: SQLite for one process, PostgreSQL for any number of which none loads
 * demo data. Throws OperatorError if another process does not allow it.
 */
export async function hold({
  databaseUrl,
  dataFolder,
}: Pick<Config, 'databaseUrl' | 'dataFolder'>): Promise<Held> {
  if (databaseUrl) return holdDatabase(databaseUrl)
  const { release } = holdFolder(dataFolder)
  return {
    alone: (work) => work(),
    release: async () => {
      release()
      return Promise.resolve()
    },
  }
}
