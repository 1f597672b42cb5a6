import { readConfig } from './config.ts'
import { partitionsOf, partitionTrips } from './db/partitions.ts'
import { openExisting } from './installation.ts'
import { OperatorError, explain } from './operator-error.ts'

/**
 * Keeps trips in a partition of PostgreSQL for each month from now on: `npm run partition`. The servers can be running; they begin the
 * later months.
 */
try {
  await run()
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}

async function run(): Promise<void> {
  const config = readConfig(process.env)
  if (!config.databaseUrl)
    throw new OperatorError('Only PostgreSQL has partitions. DATABASE_URL names its database.')
  const engine = await openExisting(config)
  try {
    const isNew = (await partitionsOf(engine)).length === 0
    if (isNew) await partitionTrips(engine, Date.now())
    const names = (await partitionsOf(engine)).map(({ name }) => name)
    console.log(`The partitions of trips${isNew ? '' : ' were there already'}: ${names.join(', ')}.`)
  } finally {
    await engine.close()
  }
}
