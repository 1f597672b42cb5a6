import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { OperatorError } from '../operator-error.ts'
import type { Held } from './engine.ts'
import { lockNumber } from './postgres.ts'

const lock = lockNumber('in use')

/**
 * Holds a PostgreSQL database with a shared advisory lock on a connection of its own, which PostgreSQL releases when the connection ends.
 * A lost connection is replaced. The lock belongs to a transaction, because a pooler may give the next transaction another connection.
 * Throws OperatorError while another process is alone, else what the database reports.
 */
export async function holdDatabase(url: string): Promise<Held> {
  let client = await share(url)
  let isReleased = false
  const isKept = () => !isReleased
  const keep = async () => {
    while (isKept()) {
      const lost = client
      await new Promise((resolve) => lost.once('end', resolve))
      while (isKept() && client === lost) {
        await wait(1000)
        client = await share(url).catch(() => lost)
      }
    }
    await client.end().catch(() => undefined)
  }
  const kept = keep()
  return {
    alone: async (work) => {
      const holder = client
      await holder.query('savepoint shared')
      try {
        if (!(await tryLock(holder, 'pg_try_advisory_xact_lock')))
          throw new OperatorError(
            `The database of DATABASE_URL is in use by ${await others(holder)}. Demo data can be loaded only while no server and no other ` +
              'npm run demo is using it. Stop them, or choose another database: DATABASE_URL=postgres://…',
          )
        return await work()
      } finally {
        // Releases the lock. If the connection is lost, it already is.
        await holder.query('rollback to savepoint shared').catch(() => undefined)
      }
    },
    release: async () => {
      isReleased = true
      await client.end().catch(() => undefined)
      await kept
    },
  }
}

/** Opens a connection that has the shared lock until it ends. */
async function share(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 2000,
    query_timeout: 3000,
    keepAlive: true,
    application_name: `oms: process ${process.pid} on ${hostname()}`.slice(0, 63),
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('begin isolation level read committed')
    await client.query('set local idle_in_transaction_session_timeout = 0')
    // So that a machine that was lost does not hold the database for the two hours that are usual.
    await client.query('set local tcp_keepalives_idle = 30')
    await client.query('set local tcp_keepalives_interval = 10')
    await client.query('set local tcp_keepalives_count = 3')
    if (!(await tryLock(client, 'pg_try_advisory_xact_lock_shared')))
      throw new OperatorError(
        `Demo data is being loaded into the database of DATABASE_URL by ${await others(client)}. Start the server again when that has ` +
          'finished, or choose another database: DATABASE_URL=postgres://…',
      )
    return client
  } catch (error) {
    void client.end().catch(() => undefined)
    throw error
  }
}

async function tryLock(client: pg.Client, take: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(`select ${take}(${lock}) as locked`)
  return rows[0]?.locked === true
}

/** The other processes that hold the database, for a message. */
async function others(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct application_name as name from pg_locks join pg_stat_activity using (pid)
     where datname = current_database() and locktype = 'advisory' and granted and pid <> pg_backend_pid() and (classid::bigint << 32) + objid::bigint = ${lock}`,
  )
  return rows.map(({ name }) => name.replace(/^oms: /, '')).join(', ') || 'another process'
}
