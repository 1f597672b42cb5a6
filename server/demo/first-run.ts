import type { Config } from '../config.ts'
import { ConfigError, wantsDemo } from '../config.ts'
import type { Engine } from '../db/engine.ts'
import { isLoopback } from '../hosts.ts'
import { hashPassword } from '../password.ts'
import { demoLogin, demoState, hasRealStaff } from './access.ts'
import { clearDemo, loadDemo } from './load.ts'
import { showProgress } from './progress.ts'

const firstRunDrivers = 1200

/**
 * Loads the demo data where the configuration asks for it: on the first run of an empty embedded database that only
 * this machine can reach, or on any empty database with OMS_DEMO=on. An interrupted load starts again. Answers
 * whether the database holds the demo data. Throws ConfigError for a demo database that others could reach.
 */
export async function prepareDemo(engine: Engine, config: Config): Promise<boolean> {
  // Another backend knows neither this data nor its login.
  if (config.apiHost) return false
  const state = await demoState(engine)
  if (state === 'loaded') {
    if (!isLoopback(config.host) && !(await hasRealStaff(engine)))
      throw new ConfigError(
        `This database holds the demo data and its well-known login, so it is only served on this machine. ` +
          `Use HOST=127.0.0.1, or an empty database with OMS_DEMO=off, or end the demo login with a real account: npm run staff -- add`,
      )
    return true
  }
  if (state === 'loading') await clearDemo(engine)
  const staff = await engine.db.selectFrom('staff').select('id').limit(1).executeTakeFirst()
  if (staff || !wantsDemo(config)) return false
  const progress = showProgress('Loading the demo data')
  await loadDemo(engine, {
    drivers: firstRunDrivers,
    now: Date.now(),
    passwordHash: await hashPassword(demoLogin.password),
    onProgress: progress.update,
  })
  progress.done()
  return true
}
