import type { CompiledQuery, DatabaseConnection, Dialect, Driver } from 'kysely'
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { Tinypool } from 'tinypool'
import type { Database } from './schema.ts'
import type { Answer, Question } from './sqlite-thread.ts'

/** Threads that read at the same time; each has its own connection, with a cache of up to 16 MB. */
const threads = 2
/** After this time without a question a thread ends. In milliseconds. */
const idleTimeout = 600_000

/**
 * Runs statements on threads that can only read the file, and see every change that was committed before they are asked.
 * SQLite runs a statement on the thread that asks, which answers nothing else meanwhile.
 */
export function openReader(file: string): Kysely<Database> {
  const pool: Pool = new Tinypool({
    filename: new URL('sqlite-thread.ts', import.meta.url),
    workerData: file,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout,
  })
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => driverOf(pool),
  }
  return new Kysely<Database>({ dialect })
}

interface Pool {
  run(question: Question): Promise<Answer>
  destroy(): Promise<void>
}

function driverOf(pool: Pool): Driver {
  const connection: DatabaseConnection = {
    executeQuery: (query) => ask(pool, query),
    streamQuery: refuse,
  }
  return {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    releaseConnection: () => Promise.resolve(),
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: () => pool.destroy(),
  }
}

async function ask(pool: Pool, { sql: text, parameters }: CompiledQuery): Promise<{ rows: never[] }> {
  const answer = await pool.run({ text, parameters })
  if ('rows' in answer) return answer
  const { message, errcode } = answer.error
  throw Object.assign(new Error(message), { errcode })
}

function refuse(): never {
  throw new Error('The threads that read the database have neither transactions nor streams.')
}
