import type { FastifyBaseLogger } from 'fastify'
import type { CompiledQuery, Expression, Kysely, QueryExecutorProvider, SqlBool, Transaction } from 'kysely'
import { PostgresAdapter, sql } from 'kysely'
import { leftOut, readAsSpace } from '../words.ts'
import type { Condition, IdQuery } from './ids.ts'
import type { Database } from './schema.ts'

/** Where the two databases differ; everything else is one query in Kysely for both. */
export interface Engine {
  name: 'sqlite' | 'postgres'
  db: Kysely<Database>
  /** For statements that only read and take longer than a page without conditions: other requests are answered meanwhile. */
  reading: Kysely<Database>
  /** The same for searches, which may take seconds: what reads otherwise does not wait for them. */
  searching: Kysely<Database>
  /** What a migration's placeholders stand for. */
  dialect: Dialect
  /** Statements at the start of a transaction that may take minutes: a migration, a rebuild. */
  withoutTimeout: string[]
  /**
   * Statements of a transaction that waits until all rows are stored or refused that others are inserting into these tables.
   * Later rows have higher ids.
   */
  afterInserts(tables: readonly string[]): string[]
  /** Whether this transaction has the lock of this name, which only one transaction of all servers has at a time. */
  tryLock(trx: Kysely<Database>, name: string): Promise<boolean>
  /**
   * Rows of `table` whose column contains every text, taken literally; texts must be folded as the column is. The column
   * `search` is compared in its plain form.
   */
  contains(table: string, column: string, texts: string[]): Condition
  /** Of parts of words, those whose rows are best found through the words in `<table>_vocabulary` that contain them. */
  listed(table: string, parts: readonly string[]): readonly string[]
  /**
   * The most words that contain a part and are looked for in the index of words. Its time grows with the number of words and of their rows;
   * with more words, the texts are compared one by one.
   */
  mostListed(table: string, part: string): number
  /**
   * For reading `<table>_vocabulary`. Names have a few thousand words, which are read sooner than a thread is asked; notes may have any
   * number.
   */
  readingWords(table: string): Kysely<Database>
  /**
   * Rows of `table` whose `search` has, for each list, one of its words, found through the index of words; for a table with a
   * vocabulary.
   */
  hasWords(table: string, words: string[][]): Condition
  /** The records whose `search` contains every text, of which one has at least three characters. */
  withParts(table: string, texts: string[]): IdQuery
  /** The records that have, for each list, one of its words; found through the index of words. */
  withWords(table: string, words: Word[][]): IdQuery
  /** The records that fulfil conditions which have an index and hold for few of them. */
  collected(table: string, conditions: Condition[]): IdQuery
  /**
   * Conditions that hold for every row, and with which a statement of a search ends when nobody waits for its answer any more; `id` is the
   * column with the ids. Empty where a statement can be ended from outside.
   */
  whileAsked(id: string): Condition[]
  /**
   * Whether the indexes of texts answer the newest records first, so that the time does not grow with the number of matches.
   * Otherwise they collect all of them.
   */
  newestFirst: boolean
  /** Whether each statement is a message to another process and back, so that one large one is faster than several. */
  remote: boolean
  /** Rows of `table` whose column begins with these digits, with or without a plus before them. */
  startsWith(table: string, column: string, digits: string): Expression<SqlBool>
  derived: Derived[]
  counterParts: CounterParts
  /** The HTTP status for an error of the database itself (unavailable, full); null for any other error. */
  statusOf(error: unknown): 503 | 507 | null
  /** Bytes on the disk. */
  size(): Promise<number>
  /** Connections of the pool by state; empty if there is no pool. */
  connections(): Record<string, number>
  close(): Promise<void>
}

/** A copy of the database that PostgreSQL keeps, and that follows a little behind. */
export interface Replica {
  engine: Engine
  /** How many milliseconds its rows may be behind, at most; Infinity until it is known. */
  lag(): number
  /** Whether it is near enough for what people look at. */
  isNear(): boolean
  /** Whether an error of a read from it says that the main database should be asked instead. */
  hasFailed(error: unknown): boolean
  /** Begins to look at it. The log says when it begins and ceases to be near. */
  follow(log: Pick<FastifyBaseLogger, 'info' | 'warn'>): void
  close(): Promise<void>
}

/** Says that a process uses a database. It ends with the process, also after kill -9. */
export interface Held {
  /** Runs `work` while nobody else holds the database. Throws OperatorError if somebody does. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>
  release(): Promise<void>
}

/** How one engine writes the parts of a migration in which the two differ; `table_end` follows `create table (…)`. */
export type Dialect = Record<'id' | 'integer' | 'real' | 'table_end', string>

/** How many parts each counter has, of which it is the sum, and as SQL the one to which a change is added. */
export interface CounterParts {
  count: number
  own: string
}

/** Parts of the schema that are computed from definitions in the code, and that can be rebuilt from the rows. */
export interface Derived {
  /**
   * `numbers`: counters, buckets, totals and numbers by hour with their triggers. `trigrams`: the indexes for parts of texts, on PostgreSQL with the copies of the texts, and for beginnings
   * of phone numbers. `words`: those for the words of what the search finds, and for the initials of people. `vocabulary`:
   * lists of the different words of a table, with the indexes of words that the search has not.
   */
  name: 'numbers' | 'trigrams' | 'words' | 'vocabulary'
  /** Statements that create the triggers or indexes, and that drop them; one line each. */
  create: string[]
  drop: string[]
  /** Statements that compute the stored values from the rows, to be run while the triggers are dropped. */
  compute: string[]
  /** Queries for the number `n` of words of a table that a list of words lacks, or of texts that differ from those of a table. */
  missing: { list: string; table: string; of: 'words' | 'texts'; query: string }[]
}

/** The parts that are indexes of texts, or lists of their words. */
export const textParts = ({ derived }: Engine) => derived.filter(({ name }) => name !== 'numbers')

/** What a text has to have: a word that begins so, such a first word, exactly this word, or words with these initials. */
export interface Word {
  as: 'begins' | 'leads' | 'is' | 'initials'
  text: string
}

export async function runAll(db: QueryExecutorProvider, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/**
 * Sends statements of a transaction whose answers it does not need. On PostgreSQL they are on their way afterwards: the next statement
 * or the commit fails with their error.
 */
export async function send(trx: Transaction<Database>, statements: readonly CompiledQuery[]): Promise<void> {
  const executor = trx.getExecutor()
  await executor.provideConnection(async (connection) => {
    const answers = Promise.all(statements.map((one) => connection.executeQuery(one)))
    answers.catch(() => undefined)
    if (!(executor.adapter instanceof PostgresAdapter)) await answers
  })
}

/** The SQL for the form of a folded text in which its words are compared (server/words.ts). */
export function plain(text: string): string {
  const spaced = readAsSpace.reduce((sql, one) => `replace(${sql}, '${one}', ' ')`, text)
  return leftOut.reduce((sql, one) => `replace(${sql}, '${one.replace("'", "''")}', '')`, spaced)
}

/** Whether the index of parts helps: it has entries of three characters, so it needs one part that is as long. */
export const hasLongPart = (parts: readonly string[]) => parts.some((part) => [...part].length >= 3)

/** `%`, `_` and `\` are ordinary characters in a search (rulings, lists). For `like … escape '\'`. */
export function likePattern(text: string): string {
  return `%${escapeLike(text)}%`
}

export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
