import type { Dialect } from 'kysely'
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type pg from 'pg'
import { HttpError } from '../http-error.ts'
import { whenGone } from '../waiting.ts'
import { askingDriver } from './asking-driver.ts'
import { lanes } from './lanes.ts'
import type { Database } from './schema.ts'

/** How long each search may take at first, in milliseconds. */
export const quickTime = 300
/** How many searches are tried for so long at the same time, and how many of those that need longer run at the same time. */
export const quickLanes = 3
export const slowLanes = 2
/** How long it is remembered that a search needed longer, in milliseconds, and of how many searches. */
const memory = 10_000
const mostRemembered = 1000

/** The connections of `quick` end a statement after `quickTime`. Those of `main` cancel others. */
type Pools = Record<'main' | 'quick' | 'slow', pg.Pool>
type Recognised = Record<'isTooSlow' | 'isUnavailable', (error: unknown) => boolean>

/**
 * Runs searches on connections of their own, so that those of lists and changes are free. Every statement is first tried for a
 * short time; one that needs longer then waits for its turn among the others that do. So searches of seconds wait for each
 * other, and nothing else waits for them. One that has just needed longer is not tried first: the tries of many
 * people who search for the same text would take the time that the searches need. Searches are cancelled when the client of
 * their request goes away (HttpError 408).
 */
export function searcher(pools: Pools, { isTooSlow, isUnavailable }: Recognised): Kysely<Database> {
  const quickly = lanes(quickLanes, isUnavailable)
  const slowly = lanes(slowLanes, isUnavailable)
  const slow = recently()
  const ask = async (text: string, values: readonly unknown[]) => {
    const search = JSON.stringify([text, values])
    const tried = async () => {
      if (slow.has(search)) return null
      try {
        return await pools.quick.query<never>(text, [...values])
      } catch (error) {
        if (!isTooSlow(error)) throw error
        slow.add(search)
        return null
      }
    }
    const answer = slow.has(search) ? null : await quickly(tried)
    return answer ?? slowly(() => unlessGone(pools, text, values))
  }
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createDriver: () =>
      askingDriver(
        ({ sql, parameters }) => ask(sql, parameters),
        () => Promise.resolve(),
      ),
  }
  return new Kysely<Database>({ dialect })
}

/** A set that forgets each text `memory` milliseconds after it was added, and the oldest one if there are too many. */
function recently() {
  const until = new Map<string, number>()
  return {
    has: (text: string) => (until.get(text) ?? 0) > performance.now(),
    add: (text: string) => {
      until.delete(text)
      until.set(text, performance.now() + memory)
      const [oldest] = until.keys()
      if (until.size > mostRemembered && oldest !== undefined) until.delete(oldest)
    },
  }
}

async function unlessGone({ main, slow }: Pools, text: string, values: readonly unknown[]) {
  const client = await slow.connect()
  const leaving: { cancelled?: Promise<unknown> } = {}
  let failure: Error | undefined
  let stop = () => {}
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    stop = whenGone(() => {
      leaving.cancelled = main.query('select pg_cancel_backend($1)', [rows[0]?.pid]).catch(() => undefined)
    })
    if (leaving.cancelled) throw new HttpError(408, 'The client closed the connection.')
    return await client.query<never>(text, [...values])
  } catch (error) {
    if (leaving.cancelled) throw new HttpError(408, 'The client closed the connection.')
    if (error instanceof Error) failure = error
    throw error
  } finally {
    stop()
    // Otherwise the next statement of this connection could be cancelled.
    await leaving.cancelled
    client.release(failure)
  }
}
