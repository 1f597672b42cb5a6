import { Socket } from 'node:net'
import pg from 'pg'

/** In milliseconds. The first two, together with the time to wait for a connection of the pool, are less than ten seconds. */
export interface Patience {
  /** How long a connection is in use before PostgreSQL is asked whether it still answers; then again after the same time. */
  use: number
  /** How long it may take to answer. */
  answer: number
  /** How long a statement of a page or a change may take before PostgreSQL ends it. */
  statement: number
}

/** The settings of a pool with which `closeWhenHanging` knows its sockets. Keep-alive finds out about lost connections. */
export function watchedSockets() {
  const sockets = new Set<Socket>()
  const stream = () => {
    const socket = new Socket()
    sockets.add(socket)
    return socket.once('close', () => sockets.delete(socket))
  }
  return { sockets, settings: { stream, keepAlive: true, keepAliveInitialDelayMillis: 10_000 } }
}

/**
 * Closes all connections of the pool when PostgreSQL hangs (its process is stopped, its packets are lost): a connection has
 * been in use for long, and a new one gets no answer. Closes one connection when only its own process hangs: it has not begun with what it
 * was sent, or has not ended a statement after `limit` milliseconds, when PostgreSQL itself would have ended it. A limit in this process
 * would not do: a statement for which PostgreSQL has none may take hours.
 */
export function closeWhenHanging(
  pool: pg.Pool,
  sockets: ReadonlySet<Socket>,
  url: string,
  patience: Patience,
  limit: number,
): void {
  let asking = false
  const ask = async (used: pg.PoolClient) => {
    if (asking) return
    asking = true
    const isUnlimited = unlimited.has(used)
    const state = await stateOf(url, patience, used, isUnlimited ? null : limit)
    if (state === 'silent') for (const socket of sockets) socket.destroy()
    if (state === 'one hangs' && timers.has(used)) used.connection.stream.destroy()
    asking = false
  }
  const timers = new WeakMap<pg.PoolClient, NodeJS.Timeout>()
  pool.on('acquire', (client) => {
    timers.set(client, setInterval(() => void ask(client), patience.use).unref())
  })
  pool.on('release', (_error, client) => {
    clearInterval(timers.get(client))
    timers.delete(client)
    unlimited.delete(client)
  })
}

const unlimited = new WeakSet<pg.PoolClient>()

/** Says that the statements of this client may take any time until it is released. */
export function allowAnyTime(client: pg.PoolClient): void {
  unlimited.add(client)
}

/** Asks on a new connection. A refusal is an answer too. */
async function stateOf(
  url: string,
  { answer, use }: Patience,
  used: pg.PoolClient,
  limit: number | null,
): Promise<'silent' | 'one hangs' | 'works'> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: answer,
    query_timeout: answer,
  })
  client.on('error', () => undefined)
  let isConnected = false
  try {
    await client.connect()
    isConnected = true
    const { rowCount } = await client.query(
      `select from pg_stat_activity where pid = $1 and state_change < now() - (case state
         when 'idle' then $2::float8 else $3::float8 end) * interval '1 millisecond'`,
      [Reflect.get(used, 'processID'), use * 0.75, limit],
    )
    return rowCount === 0 ? 'works' : 'one hangs'
  } catch (error) {
    return isConnected || error instanceof pg.DatabaseError ? 'works' : 'silent'
  } finally {
    void client.end().catch(() => undefined)
  }
}
