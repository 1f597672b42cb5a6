import { sql } from 'kysely'
import type { Engine } from '../../server/db/engine.ts'

/** The whole schema as text: tables, indexes, triggers and the code of the triggers. */
export async function schemaOf({ name, db }: Engine): Promise<string[]> {
  const query =
    name === 'sqlite'
      ? sql<{
          line: string
        }>`select type || ' ' || name || ' ' || coalesce(sql, '') as line from sqlite_master`
      : sql<{ line: string }>`
          select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') as line
            from information_schema.columns where table_schema = current_schema()
          union all select indexdef from pg_indexes where schemaname = current_schema()
          union all select pg_get_constraintdef(oid) || ' ' || conrelid::regclass from pg_constraint where connamespace = current_schema()::regnamespace
          union all select pg_get_triggerdef(t.oid) || ' ' || p.prosrc from pg_trigger t join pg_proc p on p.oid = tgfoid where not tgisinternal
          union all select proname from pg_proc where pronamespace = current_schema()::regnamespace and prosrc like '%counters%'`
  const { rows } = await query.execute(db)
  return rows.map(({ line }) => line.replace(/\s+/g, ' ').replace(/ ?([(),]) ?/g, '$1')).toSorted()
}

/** Changes whenever a trigger, an index or a table is created or dropped, even if it is the same again. */
export async function schemaVersion({ name, db }: Engine): Promise<unknown> {
  const query =
    name === 'sqlite'
      ? sql`pragma schema_version`
      : sql`select oid, relfilenode from pg_class where relkind in ('i', 'r') and relnamespace = current_schema()::regnamespace
          union all select oid, tgfoid from pg_trigger where not tgisinternal order by 1`
  return (await query.execute(db)).rows
}
