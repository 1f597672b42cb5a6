import { extname } from 'node:path'
import type { CompiledQuery, Dialect } from 'kysely'
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { Tinypool } from 'tinypool'
import { HttpError } from '../http-error.ts'
import { whenGone } from '../waiting.ts'
import { askingDriver } from './asking-driver.ts'
import type { Database } from './schema.ts'
import type { Answer, Question } from './sqlite-thread.ts'

/** After this time without a question a thread ends. In milliseconds. */
const idleTimeout = 600_000

/**
 * Runs statements on up to so many threads, each with a connection of its own and a cache of up to 16 MB. They can only read the
 * file, and see every change that was committed before they are asked. The promise of a statement resolves after `flushed` has, so that
 * nobody is told of a change that is not on the disk. SQLite runs a statement on the thread that asks, which answers nothing else
 * meanwhile. Once the client of their request has gone, statements that wait for a thread are not run, and those of searches that are
 * under way are ended (still-asked.ts).
 * On Linux, threads of a higher niceness run when the others leave a processor free.
 */
export function openReader(
  file: string,
  { threads, niceness, flushed }: { threads: number; niceness: number; flushed: () => Promise<void> },
): Kysely<Database> {
  const { ask, close } = onThreads([file, String(niceness)], { minThreads: 0, maxThreads: threads })
  const dialect: Dialect = {
    createAdapter: () => new ThreadsAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () =>
      askingDriver(async (query) => {
        const answer = await ask(query)
        await flushed()
        return answer
      }, close),
  }
  return new Kysely<Database>({ dialect })
}

/** How many scripts wait on the thread that runs them. The one that sends them is often busy for seconds, with a statement of its own. */
const scriptsAhead = 100

/** Runs scripts of SQL, one after the other. Rejects with the error of SQLite. */
interface Builder {
  run(script: readonly string[]): Promise<void>
  close(): Promise<void>
}

/**
 * A connection on a thread of its own that also writes: to the file, and to a temporary database with the name `scratch`, which SQLite deletes when the
 * connection is closed. What is written to `scratch` is neither flushed nor rolled back. Unlike the others, this connection may write to the tables in
 * which FTS5 keeps an index.
 */
export function openBuilder(file: string): Builder {
  const { ask, close } = onThreads([file, '0', 'builds'], {
    minThreads: 1,
    maxThreads: 1,
    concurrentTasksPerWorker: scriptsAhead,
  })
  return {
    run: async (script) => {
      await ask({ sql: script.join(';\n'), parameters: [] })
    },
    close,
  }
}

/** Beside this file, in the folder of the sources or of the built server. */
const threadFile = new URL(`sqlite-thread${extname(import.meta.url)}`, import.meta.url).href

function onThreads(argv: string[], threads: Threads) {
  const pool: Pool = new Tinypool({
    filename: threadFile,
    argv,
    ...threads,
    idleTimeout,
  })
  // Without a listener, a thread that cannot start would end the process. The statements that wait for a thread would wait for ever.
  let failure: unknown
  pool.on('error', (error) => {
    failure = error
    pool.cancelPendingTasks()
  })
  return {
    ask: (query: Asked) =>
      ask(pool, query).catch((error: unknown) => {
        throw isCancelled(error) ? failure : error
      }),
    close: () => pool.destroy(),
  }
}

/** For one connection to SQLite, Kysely would run one statement after the other. */
class ThreadsAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

interface Threads {
  minThreads: number
  maxThreads: number
  concurrentTasksPerWorker?: number
}

interface Pool {
  run(question: Question): Promise<Answer>
  on(event: 'error', listener: (error: unknown) => void): unknown
  cancelPendingTasks(): void
  destroy(): Promise<void>
}

const isCancelled = (error: unknown) => error instanceof Error && error.name === 'CancelError'

type Asked = Pick<CompiledQuery, 'sql' | 'parameters'>

async function ask(pool: Pool, { sql: text, parameters }: Asked): Promise<{ rows: never[] }> {
  const gone = new Int32Array(new SharedArrayBuffer(4))
  const stopWaiting = whenGone(() => Atomics.store(gone, 0, 1))
  const answer = await pool.run({ text, parameters, gone }).finally(stopWaiting)
  if (answer === 'gone') throw new HttpError(408, 'The client closed the connection.')
  if ('rows' in answer) return answer
  const { message, errcode } = answer.error
  throw Object.assign(new Error(message), { errcode })
}
