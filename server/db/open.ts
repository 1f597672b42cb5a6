import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Engine } from './engine.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** The database that the configuration names: PostgreSQL if there is an address, else a file in the data folder. */
export function openDatabase(config: Pick<Config, 'databaseUrl' | 'dataFolder'>): Engine {
  if (config.databaseUrl) return openPostgres(config.databaseUrl)
  return openSqlite(join(config.dataFolder, 'oms.db'))
}
