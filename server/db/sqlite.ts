import fs from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { SqlBool } from 'kysely'
import { Kysely, sql } from 'kysely'
import { OperatorError } from '../operator-error.ts'
import { nouns } from '../nouns.ts'
import type { CounterParts, Derived, Engine, Word } from './engine.ts'
import { likePattern, plain } from './engine.ts'
import type { Condition, IdQuery } from './ids.ts'
import { every, ids, IndexedCondition } from './ids.ts'
import { recountStatements, triggers } from './numbers.ts'
import type { Database } from './schema.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import type { Flushes } from './sqlite-flush.ts'
import { sharedFlushes } from './sqlite-flush.ts'
import { openReader } from './sqlite-reader.ts'
import { stillAsked } from './sqlite-statements.ts'
import { whileAsked } from './still-asked.ts'
import { inRow, texts } from './texts.ts'
import { hasIndexOfParts, hasVocabulary, shortest, vocabularies } from './vocabulary.ts'

/**
 * Opens the embedded database; `file` may be ':memory:'. When the promise of a statement or a transaction resolves, all changes that it
 * made or saw are on the disk.
 */
export function openSqlite(file: string): Engine & { raw: DatabaseSync } {
  const raw = new DatabaseSync(file)
  raw.exec('pragma journal_mode = wal')
  // With `full`, SQLite would flush its log at each commit, and block all requests meanwhile. `flushedLog` does it beside them.
  raw.exec('pragma synchronous = normal')
  // In pages: 16 MB. The same pages change again and again, and are copied into the database less often than with the usual 4 MB.
  raw.exec('pragma wal_autocheckpoint = 4000')
  raw.exec('pragma foreign_keys = on')
  raw.exec('pragma busy_timeout = 5000')
  raw.exec('pragma cache_size = -32768')
  raw.exec('pragma temp_store = memory')
  raw.function(stillAsked, () => 1)
  // Another connection would open another database in memory.
  const isShared = file !== ':memory:'
  const log = isShared ? flushedLog(raw, file) : inMemory
  const db = new Kysely<Database>({ dialect: sqliteDialect(raw, log) })
  const reading = isShared ? openReader(file, { threads: 2, niceness: 0, flushed: log.flushed }) : db
  const searching = isShared ? openReader(file, { threads: 2, niceness: 10, flushed: log.flushed }) : db
  return {
    name: 'sqlite',
    db,
    reading,
    searching,
    raw,
    dialect: {
      id: 'integer primary key',
      integer: 'integer',
      real: 'real',
      table_end: 'strict',
    },
    withoutTimeout: [],
    // Only one transaction at a time can write, so rows are stored in the order of their ids; and a folder has one server.
    afterInserts: () => [],
    tryLock: () => Promise.resolve(true),
    contains: (table, column, texts) => {
      const { match, rest } = partsOf(table, column, texts)
      if (!match) return every(rest)
      const counted = countOfPart(table, column, texts)
      const found = indexed(table, `${table}_trigrams`, match, counted && { counted })
      return rest.length > 0 ? every([found, ...rest]) : found
    },
    // The index of parts reads the entries of each three characters of each part, and finds none that are shorter.
    listed: (table, parts) =>
      hasVocabulary(table) && !(hasIndexOfParts(table) && shortest(parts) === 3) ? parts : [],
    mostListed: () => 500,
    readingWords: (table) => (hasIndexOfParts(table) ? db : searching),
    hasWords: (table, lists) => {
      const words = lists.map((list) => `(${list.map(quoted).join(' OR ')})`).join(' AND ')
      const isOfSearch = texts(table).some((one) => one.table === table)
      const isSlow = lists.flat().length > quicklyFound
      return indexed(table, `${table}_words`, isOfSearch ? `words : (${words})` : words, { readsAll: isSlow })
    },
    withParts: (table, texts) => {
      const { match, rest } = partsOf(table, 'search', texts)
      return match ? inIndex(table, `${table}_trigrams`, match, rest) : ids(sql.table(table), rest)
    },
    withWords: (table, words) =>
      inIndex(
        table,
        `${table}_words`,
        words.map((some) => `(${some.map(matching).join(' OR ')})`).join(' AND '),
      ),
    // SQLite does not know how many rows a condition leaves, and would prefer an index for the further conditions.
    collected: (table, conditions) => (also, limit) =>
      sql`with found as materialized (select id from ${sql.table(table)} where ${every(conditions)})
        select id from found ${also.length > 0 ? sql`where ${exists(table, 'found.id', also)}` : sql``}
        order by id desc limit ${limit}`,
    whileAsked: (id) => [whileAsked(id)],
    newestFirst: true,
    remote: false,
    startsWith: (table, column, digits) => {
      const begins = (pattern: string) =>
        sql`select id from ${sql.table(table)} where ${sql.ref(`${table}.${column}`)} glob ${pattern}`
      // Not as alternatives in one condition, for which SQLite would read each row besides the index.
      const either = sql<{
        id: number
      }>`select id from (${begins(`${digits}*`)} union all ${begins(`+${digits}*`)})`
      return new IndexedCondition(sql.ref(`${table}.id`), either)
    },
    derived: [numbers(), trigrams(), words(), vocabulary()],
    counterParts,
    statusOf: (error) => {
      const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
      return code === 13 ? 507 : code === 5 || code === 6 || code === 10 ? 503 : null
    },
    size: async () => {
      const { rows } = await sql<{ size: number }>`
        select page_count * page_size as size from pragma_page_count(), pragma_page_size()`.execute(db)
      return rows[0]?.size ?? 0
    },
    connections: () => ({}),
    close: async () => {
      if (isShared) await Promise.all([reading.destroy(), searching.destroy()])
      await db.destroy()
      await log.close()
    },
  }
}

const inMemory = {
  written: () => undefined,
  flushed: () => Promise.resolve(),
  close: () => Promise.resolve(),
}

/** Flushes SQLite's log to the disk. SQLite writes each change to the log when it is committed. */
function flushedLog(raw: DatabaseSync, file: string): Flushes & { close: () => Promise<void> } {
  let log: number | undefined
  const flush = async () => {
    const opened = (log ??= fs.openSync(`${file}-wal`, 'r+'))
    await new Promise<void>((resolve, reject) => {
      fs.fsync(opened, (error) => (error ? reject(error) : resolve()))
    })
  }
  // After a failed flush, the system may report what it could not write as written. So SQLite copies the log into the database, and flushes that.
  const copy = () => {
    if (raw.prepare('pragma wal_checkpoint(full)').get()?.busy !== 0)
      throw Object.assign(new Error('The database is locked.'), { errcode: 5 })
  }
  const flushes = sharedFlushes(flush, copy)
  return {
    ...flushes,
    close: async () => {
      await flushes.flushed().catch(() => undefined)
      if (log !== undefined) fs.closeSync(log)
    },
  }
}

/** For texts of three characters or more, what to look for in the index of trigrams; the rest is compared row by row. */
function partsOf(table: string, column: string, texts: string[]): { match: string; rest: Condition[] } {
  const indexed = hasTrigrams(table) ? texts.filter((text) => [...text].length >= 3) : []
  const compared = sql.raw(comparedForm(`${table}.${column}`))
  const rest = texts.filter((text) => !indexed.includes(text))
  return {
    match: indexed.map((text) => `${column} : ${quoted(text)}`).join(' AND '),
    rest: [
      ...(rest.length > 0 ? [whileAsked(`${table}.id`)] : []),
      ...rest.map((text) => sql<SqlBool>`${compared} like ${likePattern(text)} escape '\\'`),
    ],
  }
}

/** Of so many words, the index finds the newest rows, and counts all, in milliseconds. */
const quicklyFound = 50

function indexed(
  table: string,
  index: string,
  match: string,
  given: Partial<Pick<IndexedCondition, 'readsAll' | 'counted'>> = {},
): IndexedCondition {
  const found = sql<{
    id: number
  }>`select rowid as id from ${sql.table(index)} where ${sql.table(index)} match ${match}`
  // To call the function for the matches would take a third of the time in which they are counted.
  const ids = sql<{ id: number }>`${found} and ${whileAsked(`${index}.rowid`)}`
  return new IndexedCondition(sql.ref(`${table}.id`), ids, { alone: given.readsAll ? ids : found, ...given })
}

/**
 * Of a text of three characters, how many rows have it in the column: FTS5 counts the entries of its index in two thirds of the time that it
 * takes to go through the matches. Undefined for other texts, which are no single entry.
 */
function countOfPart(table: string, column: string, texts: string[]) {
  const [text = '', ...others] = texts
  if (others.length > 0 || [...text].length !== 3) return undefined
  return sql<{
    n: number
  }>`select doc as n from ${sql.table(`${table}_trigrams_counts`)} where term = ${text} and col = ${column}`
}

/** Goes through the matches of the index, newest first, until enough of them fulfil the conditions. */
const inIndex =
  (table: string, index: string, match: string, rest: Condition[] = []): IdQuery =>
  (also, limit) => {
    const name = sql.table(index)
    const conditions = [...rest, ...also]
    return sql`select rowid as id from ${name} where ${name} match ${match}
      ${conditions.length > 0 ? sql`and ${exists(table, `${index}.rowid`, conditions)}` : sql``}
      order by rowid desc limit ${limit}`
  }

const exists = (table: string, id: string, conditions: Condition[]) =>
  sql<SqlBool>`exists (select 1 from ${sql.table(table)}
    where ${sql.ref(`${table}.id`)} = ${sql.ref(id)} and ${every(conditions)})`

const comparedForm = (column: string) => (column.endsWith('.search') ? plain(column) : column)

const hasTrigrams = (table: string) => nouns.some((noun) => noun.table === table && noun.searched.length > 0)

/** Only one connection writes. */
const counterParts: CounterParts = { count: 1, own: '0' }

function numbers(): Derived {
  const create: string[] = []
  const drop: string[] = []
  for (const { name, table, event, statements } of triggers(counterParts)) {
    create.push(
      `create trigger ${name} after ${event} on ${table} begin ${statements.map((s) => `${s};`).join(' ')} end`,
    )
    drop.push(`drop trigger if exists ${name}`)
  }
  return { name: 'numbers', create, drop, compute: recountStatements(counterParts), missing: [] }
}

/** A full-text index that triggers maintain. */
export interface FullText {
  table: string
  index: string
  /** Its columns, and what it has of a row with this alias in each. */
  columns: string
  values: (row: string) => string
  /** Where its texts are stored, and what else its definition says. */
  content: string
  options: string
}

/** All full-text indexes. */
export const fullTexts = (): FullText[] => [...ofParts(), ...ofWords(), ...ofLists()]

/** What creates its table, after `using`. */
export const defined = ({ columns, content, options }: FullText) => `fts5(${columns}, ${content}, ${options})`

const ofParts = (): FullText[] =>
  nouns
    .filter(({ searched }) => searched.length > 0)
    .map(({ table, searched }) => ({
      table,
      index: `${table}_trigrams`,
      columns: searched.join(', '),
      values: (row) => searched.map((column) => comparedForm(`${row}.${column}`)).join(', '),
      content: `content='${table}_trigrams_text', content_rowid='id'`,
      options: `tokenize='trigram case_sensitive 1'`,
    }))

function trigrams(): Derived {
  const create: string[] = []
  const drop: string[] = []
  for (const one of ofParts()) {
    const { table, index, columns, values } = one
    const searched = columns.split(', ')
    const texts = searched.map((column) => `${comparedForm(`t.${column}`)} as ${column}`).join(', ')
    const add = `insert into ${index} (rowid, ${columns}) values (new.id, ${values('new')});`
    const remove = `insert into ${index} (${index}, rowid, ${columns}) values ('delete', old.id, ${values('old')});`
    const changed = searched.map((column) => `old.${column} <> new.${column}`).join(' or ')
    create.push(
      `create view ${index}_text as select t.id, ${texts} from ${table} t`,
      `create virtual table ${index} using ${defined(one)}`,
      `insert into ${index} (${index}) values ('rebuild')`,
      `create virtual table ${index}_counts using fts5vocab(${index}, col)`,
      `create trigger ${index}_insert after insert on ${table} begin ${add} end`,
      `create trigger ${index}_delete after delete on ${table} begin ${remove} end`,
      `create trigger ${index}_update after update on ${table} when ${changed} begin ${remove} ${add} end`,
    )
    drop.push(
      ...['insert', 'delete', 'update'].map((event) => `drop trigger if exists ${index}_${event}`),
      `drop table if exists ${index}_counts`,
      `drop table if exists ${index}`,
      `drop view if exists ${index}_text`,
    )
  }
  return { name: 'trigrams', create, drop, compute: [], missing: [] }
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

function matching({ as, text }: Word): string {
  const word = quoted(text)
  if (as === 'is') return `words : ${word}`
  return as === 'initials' ? `initials : ${word} *` : `words : ${as === 'leads' ? '^ ' : ''}${word} *`
}

/** Only a space separates words; everything else is part of one, as it is for PostgreSQL. */
const tokenizer = `unicode61 remove_diacritics 0 categories ''L* M* N* P* S* Z* C*'' separators '' ''`

const ofWords = () =>
  texts('R').map(({ table, text, person }) => ({
    table,
    text,
    index: `${table}_words`,
    columns: 'words, initials',
    values: (row: string) => {
      const words = plain(inRow(text, row))
      return `${words}, ${person ? initialsOf(words) : `''`}`
    },
    content: `content='', contentless_delete=1`,
    options: `prefix='1 2 3', tokenize='${tokenizer}'`,
  }))

function words(): Derived {
  const create = ['create table found_words (word text primary key) strict, without rowid']
  const drop = ['drop table if exists found_words']
  for (const one of ofWords()) {
    const { table, text, index, values } = one
    const add =
      `insert into ${index} (rowid, words, initials) values (new.id, ${values('new')}); ` +
      `insert or ignore into found_words select value from ${listOf(plain(inRow(text, 'new')))} where value not glob '*[0-9]*';`
    const remove = `delete from ${index} where rowid = old.id;`
    const changed = `${inRow(text, 'old')} <> ${inRow(text, 'new')}`
    create.push(
      `create virtual table ${index} using ${defined(one)}`,
      // In the order of ids: an id that is lower than the one before makes FTS5 write out what it has collected.
      `insert into ${index} (rowid, words, initials) select t.id, ${values('t')} from ${table} t order by t.id`,
      `insert into ${index} (${index}) values ('optimize')`,
      ...readWords(index, (term) => `insert or ignore into found_words ${term} and term not glob '*[0-9]*'`),
      `create trigger ${index}_insert after insert on ${table} begin ${add} end`,
      `create trigger ${index}_delete after delete on ${table} begin ${remove} end`,
      `create trigger ${index}_update after update on ${table} when ${changed} begin ${remove} ${add} end`,
    )
    drop.push(
      ...['insert', 'delete', 'update'].map((event) => `drop trigger if exists ${index}_${event}`),
      `drop table if exists ${index}`,
    )
  }
  const missing = ofWords().map(({ table, text }) => ({
    list: 'found_words',
    table,
    of: 'words' as const,
    query: lacking('found_words', table, plain(inRow(text, 't')), `value not glob '*[0-9]*'`),
  }))
  return { name: 'words', create, drop, compute: [], missing }
}

/** The lists of words that the search over everything has no index for. */
const ofLists = (): FullText[] =>
  vocabularies()
    .filter(({ indexed }) => !indexed)
    .map(({ table }) => ({
      table,
      index: `${table}_words`,
      columns: 'words',
      values: (row) => plain(`${row}.search`),
      content: `content='', contentless_delete=1`,
      options: `detail=none, tokenize='${tokenizer}'`,
    }))

/** Writes the words of an index into a list. To split the text of every row takes much longer. */
const readWords = (index: string, write: (words: string) => string) => [
  `create virtual table ${index}_read using fts5vocab(${index}, col)`,
  write(`select term from ${index}_read where col is not 'initials'`),
  `drop table ${index}_read`,
]

/** The list of words also has some that no text has any more. */
function vocabulary(): Derived {
  const create: string[] = []
  const drop: string[] = []
  const changed = `when old.search <> new.search`
  for (const { table } of vocabularies()) {
    const index = `${table}_words`
    const list = `${table}_vocabulary`
    const add = `insert or ignore into ${list} select value from ${listOf(plain('new.search'))} where value <> '';`
    const own = ofLists().find((one) => one.table === table)
    if (own) {
      const insert = `insert into ${index} (rowid, words) values (new.id, ${own.values('new')});`
      const remove = `delete from ${index} where rowid = old.id;`
      create.push(
        `create virtual table ${index} using ${defined(own)}`,
        `insert into ${index} (rowid, words) select id, ${own.values('t')} from ${table} t order by id`,
        `insert into ${index} (${index}) values ('optimize')`,
        `create trigger ${index}_insert after insert on ${table} begin ${insert} end`,
        `create trigger ${index}_delete after delete on ${table} begin ${remove} end`,
        `create trigger ${index}_update after update on ${table} ${changed} begin ${remove} ${insert} end`,
      )
      drop.push(
        ...['insert', 'delete', 'update'].map((event) => `drop trigger if exists ${index}_${event}`),
        `drop table if exists ${index}`,
      )
    }
    create.push(
      `create table ${list} (word text primary key) strict, without rowid`,
      ...readWords(index, (term) => `insert into ${list} ${term}`),
      `create trigger ${list}_insert after insert on ${table} begin ${add} end`,
      `create trigger ${list}_update after update on ${table} ${changed} begin ${add} end`,
    )
    drop.push(
      ...['insert', 'update'].map((event) => `drop trigger if exists ${list}_${event}`),
      `drop table if exists ${list}`,
    )
  }
  const missing = vocabularies().map(({ table }) => ({
    list: `${table}_vocabulary`,
    table,
    of: 'words' as const,
    query: lacking(`${table}_vocabulary`, table, plain('t.search'), 'true'),
  }))
  return { name: 'vocabulary', create, drop, compute: [], missing }
}

const lacking = (list: string, table: string, text: string, condition: string) =>
  `select count(distinct value) as n from ${table} t, ${listOf(text)}
   where value <> '' and ${condition} and value not in (select word from ${list})`

/** The words of a text as rows. */
const listOf = (text: string) => `json_each('[' || replace(json_quote(${text}), ' ', '","') || ']')`

/**
 * Of `ian tajeu tumanka`: `itt tt t`, so that the initials of words in the middle are found by their beginning too. For a short name
 * they are cut out one by one, because a second list of its words would take most of the time in which a database is filled.
 */
function initialsOf(text: string): string {
  const list = listOf(text)
  const letters = `select group_concat(substr(value, 1, 1), '') as letters from ${list}`
  const cut = Array.from({ length: few }, (_, at) => `substr(letters, ${at + 1}, 6)`).join(` || ' ' || `)
  const all = `(select group_concat(substr(letters, key + 1, 6), ' ') from ${list})`
  return `(select case when length(letters) <= ${few} then ${cut} else ${all} end from (${letters}))`
}

const few = 8

/** The files in the data folder that `holdFolder` makes. */
export const lockFiles = ['server.lock', 'server.lock-journal', 'server.pid']

/**
 * Locks the data folder until this process ends. The lock is a file lock of the operating system, so it disappears even
 * after kill -9. Of the command-line tools only `npm run demo` and `npm run restore` take the lock. Throws OperatorError if
 * another process has it.
 */
export function holdFolder(folder: string): { release: () => void } {
  const pidFile = join(folder, 'server.pid')
  const lock = new DatabaseSync(join(folder, 'server.lock'))
  try {
    lock.exec('pragma journal_mode = delete')
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (!isBusy(error)) throw error
    throw new OperatorError(
      `Another server (process ${readPid(pidFile)}) is using ${folder}. Stop it, or choose another folder for this one: OMS_DATA=/some/folder`,
    )
  }
  fs.writeFileSync(pidFile, String(process.pid))
  return { release: () => lock.close() }
}

/** Whether another process has a lock. A full disk, for example, is another error. */
const isBusy = (error: unknown) =>
  error instanceof Error && 'errcode' in error && [5, 6].includes(Number(error.errcode) & 0xff)

function readPid(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8').trim()
  } catch {
    return 'unknown'
  }
}
