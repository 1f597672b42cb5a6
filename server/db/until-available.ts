import { setTimeout as wait } from 'node:timers/promises'
import { isUnavailable } from './postgres.ts'

/**
 * Opens a PostgreSQL database, and while it cannot be reached tries again each second and says so each minute. Any other
 * error (a wrong password, a missing database) is thrown.
 */
export async function untilAvailable<Result>(open: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      return await open()
    } catch (error) {
      if (!isUnavailable(error)) throw error
      if (tries % 60 === 0) console.log(`Waiting for PostgreSQL, which cannot be reached. ${String(error)}`)
      await wait(1000)
    }
  }
}
