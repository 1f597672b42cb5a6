import { sql } from 'kysely'
import type { SecondConnection, BulkDialect, Insert, PlainIndex, Rows } from './bulk-dialect.ts'
import type { Engine } from './engine.ts'
import { runAll, textParts } from './engine.ts'
import { mostValues } from './prepared-values.ts'
import { openBuilder } from './sqlite-reader.ts'
import type { FullText } from './sqlite.ts'
import { defined, fullTexts } from './sqlite.ts'

export const sqliteBulk: BulkDialect = {
  // No foreign key checks: the generator refers only to rows that it wrote, and a restore checks all rows at its end.
  // `temp_store = file`: sorting a million rows takes too much memory. A sort takes as much memory as the cache, 16 MiB instead of 32.
  // Two threads help to sort what goes into an index.
  open: [
    'pragma foreign_keys = off',
    'pragma temp_store = file',
    'pragma cache_size = -16384',
    'pragma threads = 2',
  ],
  close: [
    'pragma threads = 0',
    'pragma cache_size = -32768',
    'pragma temp_store = memory',
    'pragma foreign_keys = on',
  ],
  tidy: () => [['pragma wal_checkpoint(truncate)']],
  begin: [],
  derive,
  second,
  insert: async () => Promise.resolve(inserts),
  plainIndexes: async (db, tables) => {
    const { rows } = await sql<PlainIndex>`
      select name, sql as definition from sqlite_master
      where type = 'index' and sql like 'create index %' and tbl_name in (${sql.join(tables)})`.execute(db)
    return rows
  },
  foreignKeys: () => Promise.resolve([]),
  empty: (tables) => tables.map((table) => `delete from ${table}`),
  resumeIds: () => [],
}

function derive(statements: readonly string[]): string[] {
  return statements.flatMap((statement) => [statement, ...withLargerHash(statement)])
}

/**
 * Only one connection can write to a database at a time. So the full-text indexes and the numbers, which take half of the time of a load, are
 * built in a temporary one on another thread, and its tables are copied. What updates rows reads other tables for longer than it writes: that
 * is read into the temporary database too.
 */
async function second(engine: Engine): Promise<SecondConnection> {
  const create = derive(textParts(engine).flatMap((part) => part.create))
  const file = await fileOf(engine)
  // Another connection would not find a database that is in memory.
  if (file === '')
    return {
      written: () => Promise.resolve(),
      filled: () => Promise.resolve(),
      summed: (statements) => runAll(engine.db, statements),
      updated: () => Promise.resolve(),
      counted: (statements) => runAll(engine.db, statements),
      done: () => Promise.resolve(),
      steps: create.map((statement) => () => runAll(engine.db, [statement])),
      close: () => Promise.resolve(),
    }
  const builder = openBuilder(file)
  // The builder's thread is the second one. A third would need memory and save no time.
  await runAll(engine.db, ['pragma threads = 0'])
  const indexes = fullTexts().map((one) => ({ ...one, upTo: 0, isFilled: false }))
  const updates: string[] = []
  const copies: string[] = []
  let work = Promise.resolve()
  const begin = (script: string[]) => {
    work = Promise.all([work, builder.run(script)]).then(() => undefined)
    // `done` has the error.
    work.catch(() => undefined)
  }
  begin(indexes.flatMap(empty))
  const build = async (tables: readonly string[], areFilled: boolean) => {
    for (const one of indexes) {
      if (one.isFilled || !tables.includes(one.table)) continue
      const last = await lastId(engine, one.table)
      for (; one.upTo + (areFilled ? 0 : span - 1) < last; one.upTo += span) begin([part(one, one.upTo)])
      if (areFilled) begin(merged(one))
      one.isFilled = areFilled
    }
  }
  return {
    written: (tables) => build(tables, false),
    filled: (tables) => build(tables, true),
    summed: (statements) => {
      for (const [nth, statement] of statements.entries()) {
        const [, update = '', query, name = '', rest = ''] = fromQuery.exec(statement) ?? []
        if (query === undefined) {
          updates.push(statement)
          continue
        }
        const sums = `scratch.sums_${nth}`
        begin([`create table ${sums} as ${query}`])
        updates.push(`${update} from ${sums} ${name} ${rest}`, `drop table ${sums}`)
      }
      return Promise.resolve()
    },
    updated: () => {
      begin(updates)
      return work
    },
    counted: (statements) => {
      const tables = statements.flatMap((statement) => emptied.exec(statement)?.[1] ?? [])
      begin([
        ...tables.map((table) => `create table scratch.${table} as select * from main.${table} where false`),
        ...statements.flatMap((statement) =>
          emptied.test(statement) ? [] : [statement.replace('insert into ', 'insert into scratch.')],
        ),
      ])
      copies.push(...tables.flatMap(copying))
      return Promise.resolve()
    },
    done: () => work,
    steps: [
      () => builder.run(['begin immediate', ...copies, 'commit']),
      ...create.flatMap((statement) => {
        const index = indexes.find((one) => statement.startsWith(`insert into ${one.index} `))?.index
        if (!index) return [() => runAll(engine.db, [statement])]
        const tables = shadows.map((shadow) => `${index}_${shadow}`)
        return statement.includes('hashsize')
          ? [() => builder.run(['begin immediate', ...tables.flatMap(copying), 'commit'])]
          : []
      }),
    ],
    close: () => builder.close(),
  }
}

async function fileOf({ db }: Engine): Promise<string> {
  const list = sql<{ file: string }>`select file from pragma_database_list where name = 'main'`
  const { rows } = await list.execute(db)
  return rows[0]?.file ?? ''
}

async function lastId({ db }: Engine, table: string): Promise<number> {
  const { rows } = await sql<{
    last: number | null
  }>`select max(id) as last from ${sql.table(table)}`.execute(db)
  return rows[0]?.last ?? 0
}

/** An update from a query: what it sets, the query, its name, and the condition. */
const fromQuery = /^(update .*?) from \((select .*)\) (\w+)\s+(where .*)$/s

/** `recountTables` begins with this for each of its tables. */
const emptied = /^delete from (\w+)$/

const copying = (table: string) => [
  `delete from main.${table}`,
  `insert into main.${table} select * from scratch.${table}`,
]

/** FTS5 keeps an index in these tables. */
const shadows = ['data', 'idx', 'docsize', 'config']

/** How many rows a statement reads. While one reads, what others write stays in SQLite's log. */
const span = 50_000

/** Creates an index in the temporary database. FTS5 is not to merge what it writes before all is there. */
const empty = (one: FullText): string[] => [
  `create virtual table scratch.${one.index} using ${defined(one)}`,
  ...Object.entries({ hashsize: hashSize, automerge: 0, crisismerge: 1000 }).map(
    ([name, value]) => `insert into scratch.${one.index} (${one.index}, rank) values ('${name}', ${value})`,
  ),
]

/** Merges it into one piece. Without these entries, FTS5 merges later changes as it does by default. */
const merged = ({ index }: FullText): string[] => [
  `insert into scratch.${index} (${index}) values ('optimize')`,
  `delete from scratch.${index}_config where k in ('automerge', 'crisismerge')`,
]

/** Adds the next rows to it. In the order of ids: a lower id than the one before makes FTS5 write out what it has collected. */
const part = ({ index, table, columns, values }: FullText, after: number): string =>
  `insert into scratch.${index} (rowid, ${columns}) select t.id, ${values('t')} from main.${table} t not indexed ` +
  `where t.id > ${after} and t.id <= ${after + span} order by t.id`

const hashSize = 4 * 1024 ** 2

/**
 * FTS5 collects terms in memory before it writes them: by default 1 MiB of them, so that it merges what it wrote four times
 * as often. The setting stays in the index, where it only concerns transactions with as many terms.
 */
function withLargerHash(statement: string): string[] {
  const [, index] = /^create virtual table (\w+) using fts5\(/.exec(statement) ?? []
  return index ? [`insert into ${index} (${index}, rank) values ('hashsize', ${hashSize})`] : []
}

/** As many rows in each statement as one that is kept prepared may have. */
function* inserts(table: string, columns: string[], rows: Rows): Generator<Insert> {
  if (rows.length === 0) return
  const batch = Math.max(1, Math.floor(mostValues / columns.length))
  const whole = rows.length - (rows.length % batch)
  const many = insertText(table, columns, batch)
  const one = insertText(table, columns, 1)
  for (let from = 0; from < rows.length;) {
    const to = from < whole ? from + batch : from + 1
    const parameters: unknown[] = []
    for (; from < to; from++) for (const column of columns) parameters.push(rows[from]?.[column] ?? null)
    yield { text: parameters.length > columns.length ? many : one, parameters }
  }
}

function insertText(table: string, columns: string[], count: number): string {
  const row = `(${columns.map(() => '?').join(', ')})`
  return `insert into ${table} (${columns.join(', ')}) values ${Array.from({ length: count }, () => row).join(', ')}`
}
