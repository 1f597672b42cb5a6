import { Socket } from 'node:net'
import pg from 'pg'

/** In milliseconds. Together with the time to wait for a connection of the pool, they are less than ten seconds. */
export interface Patience {
  /** How long a connection is in use before PostgreSQL is asked whether it still answers; then again after the same time. */
  use: number
  /** How long it may take to answer. */
  answer: number
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
 * been in use for long, and a new one gets no answer. A limit for statements would not do: PostgreSQL itself enforces its
 * limit, and a slow search is no failure.
 */
export function closeWhenHanging(
  pool: pg.Pool,
  sockets: ReadonlySet<Socket>,
  url: string,
  patience: Patience,
): void {
  let asking = false
  const ask = async () => {
    if (asking) return
    asking = true
    if (!(await isAnswering(url, patience.answer))) for (const socket of sockets) socket.destroy()
    asking = false
  }
  const timers = new WeakMap<pg.PoolClient, NodeJS.Timeout>()
  pool.on('acquire', (client) => {
    timers.set(client, setInterval(() => void ask(), patience.use).unref())
  })
  pool.on('release', (_error, client) => {
    clearInterval(timers.get(client))
  })
}

/** A refusal is an answer too. */
async function isAnswering(url: string, patience: number): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: patience })
  client.on('error', () => undefined)
  try {
    await client.connect()
    void client.end()
    return true
  } catch (error) {
    return error instanceof pg.DatabaseError
  }
}
