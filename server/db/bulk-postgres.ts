import { sql } from 'kysely'
import { nouns } from '../nouns.ts'
import type { SecondConnection, BulkDialect, ForeignKey, PlainIndex } from './bulk-dialect.ts'
import type { Engine } from './engine.ts'
import { runAll, textParts } from './engine.ts'

export const postgresBulk: BulkDialect = {
  open: [],
  close: [],
  // Update the statistics and the visibility map now. Autovacuum would do it later.
  tidy: (tables) =>
    [0, 1].map((half) => [
      'set statement_timeout = 0',
      `vacuum analyze ${tables.filter((_, at) => at % 2 === half).join(', ')}`,
      'reset statement_timeout',
    ]),
  begin: [
    'set local statement_timeout = 0',
    'set local synchronous_commit = off',
    `set local work_mem = '128MB'`,
    `set local maintenance_work_mem = '256MB'`,
  ],
  derive: (statements) => [...statements],
  second,
  insert: async (db) => {
    const { rows: columns } = await sql<{ name: string; type: string }>`
      select table_name || '.' || column_name as name, data_type as type
      from information_schema.columns where table_schema = current_schema()`.execute(db)
    const types = new Map(columns.map(({ name, type }) => [name, type]))
    return (table, names, rows) => {
      if (rows.length === 0) return []
      const arrays = names.map((name, index) => `$${index + 1}::${types.get(`${table}.${name}`) ?? 'text'}[]`)
      const text = `insert into ${table} (${names.join(', ')}) select * from unnest(${arrays.join(', ')})`
      return [{ text, parameters: names.map((name) => arrayOf(rows.map((row) => row[name] ?? null))) }]
    }
  },
  plainIndexes: async (db, tables) => {
    const { rows } = await sql<PlainIndex>`
      select indexname as name, indexdef as definition from pg_indexes
      where schemaname = current_schema() and indexdef like 'CREATE INDEX %' and tablename in (${sql.join(tables)})`.execute(
      db,
    )
    // Of a partitioned table, PostgreSQL shows the index without those of its partitions.
    return rows.map(({ name, definition }) => ({ name, definition: definition.replace(' ON ONLY ', ' ON ') }))
  },
  foreignKeys: async (db, tables) => {
    const { rows } = await sql<ForeignKey>`
      select relname as table, conname as name, pg_get_constraintdef(c.oid) as definition
      from pg_constraint c join pg_class t on t.oid = conrelid
      where relnamespace = current_schema()::regnamespace and contype = 'f' and conparentid = 0 and relname in (${sql.join(tables)})`.execute(
      db,
    )
    return rows
  },
  // `cascade`, because sessions and other tables refer to staff.
  empty: (tables) => [`truncate ${tables.join(', ')} restart identity cascade`],
  resumeIds: (tables) =>
    tables.map(
      (table) =>
        `select setval(pg_get_serial_sequence('${table}', 'id'), (select coalesce(max(id), 0) from ${table}) + 1, false)`,
    ),
}

/** The literal of an array. That of `pg` takes three times as long, which was a tenth of a load. */
function arrayOf(values: readonly (string | number | null)[]): string {
  const texts = values.map((value) =>
    typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : (value ?? 'null'),
  )
  return `{${texts.join()}}`
}

/** Builds all indexes of texts after the last rows, on another connection of the pool, and at the end on two. */
function second(engine: Engine): Promise<SecondConnection> {
  let isClosed = false
  const runEach = async (statements: readonly string[]) => {
    for (const statement of statements) {
      if (isClosed) return
      await engine.db.transaction().execute((trx) => runAll(trx, [...postgresBulk.begin, statement]))
    }
  }
  // At first, the load updates rows of people, and waits while an index of their table is built. The last parts begin with other tables.
  const parts = textParts(engine).toReversed()
  const buildParts = async () => {
    for (let part = parts.shift(); part; part = parts.shift()) await runEach(part.create)
  }
  const work: Promise<void>[] = []
  const build = () => {
    const building = buildParts()
    // `done` has the error.
    building.catch(() => undefined)
    work.push(building)
  }
  const full = new Set<string>()
  return Promise.resolve({
    written: () => Promise.resolve(),
    filled: (tables) => {
      for (const table of tables) full.add(table)
      if (work.length === 0 && nouns.every(({ table }) => full.has(table))) build()
      return Promise.resolve()
    },
    summed: runEach,
    updated: () => Promise.resolve(),
    counted: runEach,
    done: async () => {
      build()
      await Promise.all(work)
    },
    steps: [],
    close: async () => {
      isClosed = true
      await Promise.allSettled(work)
    },
  })
}
