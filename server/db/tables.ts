import type { TableMetadata } from 'kysely'
import { sql } from 'kysely'
import type { Engine } from './engine.ts'

/** The tables of a database without the partitions of others. */
export async function tablesOf({ name, db }: Pick<Engine, 'name' | 'db'>): Promise<TableMetadata[]> {
  const tables = await db.introspection.getTables()
  if (name === 'sqlite') return tables
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relispartition and relnamespace = current_schema()::regnamespace`.execute(db)
  const partitions = new Set(rows.map((row) => row.name))
  return tables.filter((table) => !partitions.has(table.name))
}
