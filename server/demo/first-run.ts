import type { Config } from '../config.ts'
import { ConfigError, wantsDemo } from '../config.ts'
import type { Engine, Held } from '../db/engine.ts'
import { isLoopback } from '../hosts.ts'
import { hashPassword } from '../password.ts'
import { demoLogin, demoState, hasRealStaff } from './access.ts'
import { clearDemo, loadDemo } from './load.ts'
import { showProgress } from '../progress.ts'

const firstRunDrivers = 1200

/**
 * Loads the demo data into an empty database if the configuration allows it (`wantsDemo`). An interrupted load starts again
 * from the beginning. Resolves to whether the database has the demo data. Throws ConfigError if other machines could use the
 * demo login.
 */
export async function prepareDemo(engine: Engine, config: Config, held: Held): Promise<boolean> {
  // With another API host, the console does not use this database.
  if (config.apiHost) return false
  const state = await demoState(engine)
  if (state === 'loaded') {
    if (!isLoopback(config.host) && !(await hasRealStaff(engine)))
      throw new ConfigError(
        `This database has the demo data and its publicly known login, so it can only be served on this machine. ` +
          `Use HOST=127.0.0.1, or an empty database with OMS_DEMO=off, or disable the demo login by adding a real account: npm run staff -- add`,
      )
    return true
  }
  if (state === 'loading') await held.alone(() => clearDemo(engine))
  const staff = await engine.db.selectFrom('staff').select('id').limit(1).executeTakeFirst()
  if (staff || !wantsDemo(config)) return false
  const progress = showProgress('Loading the demo data')
  const passwordHash = await hashPassword(demoLogin.password)
  const { update: onProgress } = progress
  await held.alone(() =>
    loadDemo(engine, { drivers: firstRunDrivers, now: Date.now(), passwordHash, onProgress }),
  )
  progress.done()
  return true
}
