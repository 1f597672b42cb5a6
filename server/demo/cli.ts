import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { readConfig } from '../config.ts'
import type { Engine } from '../db/engine.ts'
import { hold } from '../db/hold.ts'
import { openInstallation, placeOf, prepareFolder } from '../installation.ts'
import { OperatorError, explain } from '../operator-error.ts'
import { hashPassword } from '../password.ts'
import { demoLogin, demoState } from './access.ts'
import { domainTables } from './bulk.ts'
import { clearDemo, loadDemo } from './load.ts'
import { showProgress } from '../progress.ts'

const usage = `Usage: npm run demo -- --drivers N [--trips M]
  --drivers  how many drivers, 1 to 1,000,000
  --trips    how many trips, 0 to 10,000,000; by default 3 per driver, and up to 10 per driver in a small fleet
OMS_DATA or DATABASE_URL names the database. It must be empty.`

/** Loads demo data of any size: `npm run demo`. */
try {
  await run(process.argv.slice(2))
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}

async function run(args: string[]): Promise<void> {
  const { drivers, trips } = readArguments(args)
  const config = readConfig(process.env)
  const notice = (text: string) => {
    console.error(text)
  }
  prepareFolder(config, notice)
  const held = await hold(config)
  try {
    // A server would use the tables while they have no indexes and triggers, and delete the rows if it started now.
    await held.alone(() => load(config, drivers, trips, notice))
  } finally {
    await held.release()
  }
}

async function load(
  config: Config,
  drivers: number,
  trips: number | undefined,
  notice: (text: string) => void,
): Promise<void> {
  const engine = await openInstallation(config, notice)
  try {
    await makeRoom(engine, config)
    const started = Date.now()
    const progress = showProgress('Loading the demo data')
    await loadDemo(engine, {
      drivers,
      ...(trips !== undefined && { trips }),
      now: started,
      passwordHash: await hashPassword(demoLogin.password),
      onProgress: progress.update,
    })
    progress.done()
    await report(engine, Date.now() - started)
  } finally {
    await engine.close()
  }
}

function readArguments(args: string[]): { drivers: number; trips: number | undefined } {
  const { drivers, trips } = parse(args)
  if (drivers === undefined) throw new OperatorError(usage)
  return {
    drivers: wholeNumber('--drivers', drivers, 1, 1_000_000),
    trips: trips === undefined ? undefined : wholeNumber('--trips', trips, 0, 10_000_000),
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: { drivers: { type: 'string' }, trips: { type: 'string' } } }).values
  } catch (error) {
    throw new OperatorError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
  }
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const number = Number(text.replace(/[,_]/g, ''))
  if (text.trim() && Number.isInteger(number) && number >= least && number <= most) return number
  throw new OperatorError(
    `${name} is "${text}"; it must be a whole number from ${least} to ${most.toLocaleString('en')}.`,
  )
}

/** Deletes an unfinished load of demo data. Throws OperatorError if the database has any other rows. */
async function makeRoom(engine: Engine, config: Config): Promise<void> {
  if ((await demoState(engine)) === 'loading') {
    console.error('An earlier load was interrupted. Deleting its rows.')
    await clearDemo(engine)
  }
  for (const table of ['drivers', 'staff'] as const) {
    const row = await engine.db.selectFrom(table).select('id').limit(1).executeTakeFirst()
    if (row)
      throw new OperatorError(
        `${placeOf(config)} already has ${table}. Demo data needs an empty database. Choose another one: ` +
          `${config.databaseUrl ? 'DATABASE_URL=postgres://…' : 'OMS_DATA=/some/folder'} npm run demo -- --drivers N`,
      )
  }
}

async function report(engine: Engine, milliseconds: number): Promise<void> {
  let sum = 0
  for (const table of domainTables) {
    const { n } = await engine.db
      .selectFrom(table)
      .select((is) => is.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    sum += n
    console.log(`${n.toLocaleString('en').padStart(12)} ${table.replaceAll('_', ' ')}`)
  }
  const rate = Math.round(sum / (milliseconds / 1000)).toLocaleString('en')
  const peak = Math.round(process.resourceUsage().maxRSS / 1024).toLocaleString('en')
  console.log(
    `${sum.toLocaleString('en')} rows in ${(milliseconds / 1000).toFixed(1)} s (${rate} a second), peak memory ${peak} MiB`,
  )
  console.log(`Demo login: ${demoLogin.email} / ${demoLogin.password}`)
}
