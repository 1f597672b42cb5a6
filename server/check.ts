import type { Finding } from './check/finding.ts'
import { checkAudit } from './check/audit.ts'
import { checkDatabase } from './check/database.ts'
import { checkNumbers } from './check/numbers.ts'
import { checkPictures } from './check/pictures.ts'
import { checkTexts } from './check/texts.ts'
import type { Config } from './config.ts'
import { readConfig } from './config.ts'
import { damageNotice, isDamage } from './db/damage.ts'
import type { Engine } from './db/engine.ts'
import { isUpToDate } from './db/migrate.ts'
import { openExisting, placeOf } from './installation.ts'
import { explain, OperatorError } from './operator-error.ts'
import { openStore } from './storage/open.ts'
import type { Store } from './storage/store.ts'

/** What is checked, in this order. */
const parts: [name: string, check: (engine: Engine, store: Store) => AsyncGenerator<Finding>][] = [
  ['database', checkDatabase],
  ['numbers', checkNumbers],
  ['texts', checkTexts],
  ['pictures', checkPictures],
  ['audit', checkAudit],
]

/** Checks the data without changing it: `npm run check`. The server can be running. */
try {
  await run()
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}

async function run(): Promise<void> {
  if (process.argv.length > 2)
    throw new OperatorError(
      'Usage: npm run check. OMS_DATA names the folder of the database, DATABASE_URL its server.',
    )
  const config = readConfig(process.env)
  process.umask(0o077)
  const engine = await openExisting(config)
  try {
    for (const [name, check] of parts) {
      let count = 0
      try {
        // The first part reads no table by its name.
        if (name !== 'database' && !(await isUpToDate(engine))) throw olderVersion(config)
        for await (const { what, todo } of check(engine, openStore(config))) {
          count++
          console.log(`${name}: ${what}.\n  ${todo}`)
        }
      } catch (error) {
        if (!isDamage(error)) throw error
        count++
        console.log(`${name}: ${damageNotice(engine.name, config.dataFolder)}`)
      }
      if (count === 0) console.log(`${name}: nothing is wrong`)
      else process.exitCode = 1
    }
  } finally {
    await engine.close()
  }
}

function olderVersion(config: Config): OperatorError {
  return new OperatorError(
    `Nothing else was checked, because an older version of Twende OMS has written ${placeOf(config)}. Start the server, which ` +
      'upgrades the database, and then check it again; or check it with the older version.',
  )
}
