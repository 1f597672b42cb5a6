import { randomUUID } from 'node:crypto'
import type { Engine, Replica } from './engine.ts'
import { hasFailed, openPostgres } from './postgres.ts'

interface Pace {
  /** Milliseconds between two looks at the replica. */
  period: number
  /** A replica that is further behind, in milliseconds, is not near. */
  most: number
}

/**
 * Opens the replica of `main`. Each second this server writes the time into its row of `heartbeats` and reads the row from the replica: what
 * it finds there says how old the rest may be, without comparing clocks of different machines. A database that is no replica of
 * `main` never has this row.
 */
export function openReplica(
  main: Engine,
  url: string,
  { period, most }: Pace = { period: 1_000, most: 5_000 },
): Replica {
  const engine = openPostgres(url)
  const server = randomUUID()
  const now = () => Math.round(performance.timeOrigin + performance.now())
  const start = now()
  let seen = -Infinity
  let told: boolean | null = null
  const lag = () => now() - seen
  const isNear = () => lag() <= most

  const look = async (log: Parameters<Replica['follow']>[0]) => {
    let problem: unknown
    try {
      const at = now()
      await main.db
        .insertInto('heartbeats')
        .values({ server, at })
        .onConflict((conflict) => conflict.column('server').doUpdateSet({ at }))
        .execute()
      const found = await engine.db
        .selectFrom('heartbeats')
        .select('at')
        .where('server', '=', server)
        .executeTakeFirst()
      seen = found?.at ?? seen
    } catch (error) {
      problem = error
    }
    const near = isNear()
    if (near === told || (told === null && !near && now() - start < most)) return
    told = near
    if (near) log.info('reads go to the replica')
    else
      log.warn(
        { lag: lag(), err: problem },
        'the replica is not used: it is too far behind, or no replica of DATABASE_URL',
      )
  }
  let looking: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined

  return {
    engine,
    lag,
    isNear,
    hasFailed,
    follow: (log) => {
      timer = setInterval(() => {
        looking ??= look(log).finally(() => {
          looking = null
        })
      }, period).unref()
    },
    close: async () => {
      clearInterval(timer)
      await looking
      await main.db
        .deleteFrom('heartbeats')
        .where('server', '=', server)
        .execute()
        .catch(() => undefined)
      await engine.close()
    },
  }
}

/** Deletes what servers have written that were killed. */
export async function forgetHeartbeats(db: Engine['db'], now: number): Promise<void> {
  await db
    .deleteFrom('heartbeats')
    .where('at', '<', now - 24 * 60 * 60_000)
    .execute()
}
