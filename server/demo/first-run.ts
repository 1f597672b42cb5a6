import type { Config } from '../config.ts'
import { ConfigError, isLoopback } from '../config.ts'
import type { Engine } from '../db/engine.ts'
import { hashPassword } from '../password.ts'
import { clearDemo, loadDemo } from './load.ts'
import { showProgress } from './progress.ts'

export const demoLogin = { email: 'dispatcher@twende.test', password: 'twende-demo' }

const firstRunDrivers = 1200

/**
 * Loads the demo data where the configuration asks for it: on the first run of an empty embedded database that only
 * this machine can reach, or on any empty database with OMS_DEMO=on. An interrupted load starts again. Answers
 * whether the database holds the demo data. Throws ConfigError for a demo database that others could reach.
 */
export async function prepareDemo(engine: Engine, config: Config): Promise<boolean> {
  // Another backend knows neither this data nor its login.
  if (config.apiHost) return false
  const meta = await engine.db
    .selectFrom('meta')
    .select('value')
    .where('name', '=', 'demo')
    .executeTakeFirst()
  if (meta?.value === 'loading') await clearDemo(engine)
  if (meta?.value === 'loaded') {
    if (!isLoopback(config.host))
      throw new ConfigError(
        `This database holds the demo data and its well-known login, so it is only served on this machine. ` +
          `Use HOST=127.0.0.1, or an empty database with OMS_DEMO=off.`,
      )
    return true
  }
  const staff = await engine.db.selectFrom('staff').select('id').limit(1).executeTakeFirst()
  const wanted =
    config.demo === 'on' || (config.demo === 'auto' && !config.databaseUrl && isLoopback(config.host))
  if (!wanted || staff) return false
  if (!isLoopback(config.host))
    throw new ConfigError('OMS_DEMO=on needs HOST=127.0.0.1: the demo login is well known.')
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
