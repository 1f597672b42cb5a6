import { parseArgs } from 'node:util'
import { statSync } from 'node:fs'
import { explainFull } from './backup/full.ts'
import type { Report } from './backup/manifest.ts'
import { targetOf, tidyFolder } from './backup/target.ts'
import { writeBackup } from './backup/write.ts'
import { readConfig } from './config.ts'
import { demoState } from './demo/access.ts'
import { openExisting, placeOf } from './installation.ts'
import { OperatorError, explain } from './operator-error.ts'
import { showProgress } from './progress.ts'
import { openStore } from './storage/open.ts'

const usage = `Usage: npm run backup -- FILE
       npm run backup -- FOLDER [--keep N]
  FILE    the file to write, such as oms.tar.gz; it is replaced only by a complete backup
  FOLDER  a folder that exists; the file gets the time as its name
  --keep  how many backups to keep in the folder; the oldest are deleted after a new one is complete`

/** Makes a backup of the database and the pictures: `npm run backup`. The server can be running. */
try {
  await run(process.argv.slice(2))
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}

async function run(args: string[]): Promise<void> {
  const { given, keep } = readArguments(args)
  const now = Date.now()
  const { file, folder } = targetOf(given, now)
  if (keep !== null && !folder)
    throw new OperatorError(`--keep needs a folder that exists, not ${file}.\n\n${usage}`)
  const config = readConfig(process.env)
  process.umask(0o077)
  const engine = await openExisting(config).catch((error: unknown) => {
    throw explainFull(error, `No backup can be made of ${placeOf(config)}`)
  })
  try {
    if ((await demoState(engine)) === 'loading')
      throw new OperatorError('The demo data is still being loaded. Make the backup when it is complete.')
    const progress = process.stderr.isTTY ? showProgress('Backup') : null
    const report: Report = (done, total, what) => progress?.update(done, total, what)
    const { manifest, missing, damaged } = await writeBackup(engine, openStore(config), file, report)
    progress?.done()
    const rows = Object.values(manifest.tables).reduce((sum, n) => sum + n, 0)
    const megabytes = (statSync(file).size / 1e6).toFixed(1)
    console.log(
      `${file}: ${rows.toLocaleString('en')} rows and ${manifest.pictures.toLocaleString('en')} pictures, ` +
        `${megabytes} MB, verified. The state of ${manifest.time}.`,
    )
    for (const sentence of damaged) console.error(sentence)
    if (missing.length > 0)
      console.error(`Records show ${missing.length} pictures that are not stored. Which ones: npm run check`)
    if (damaged.length > 0) console.error('What to do about damaged pictures: npm run check')
    if (folder && keep !== null)
      for (const name of tidyFolder(folder, keep, now)) console.log(`Deleted ${name}.`)
  } finally {
    await engine.close()
  }
}

function readArguments(args: string[]): { given: string; keep: number | null } {
  const { positionals, values } = parse(args)
  const [given, ...others] = positionals
  if (!given || others.length > 0) throw new OperatorError(usage)
  const keep = values.keep === undefined ? null : Number(values.keep)
  if (keep !== null && !(Number.isSafeInteger(keep) && keep >= 1))
    throw new OperatorError(`--keep is "${values.keep ?? ''}"; it must be a whole number of at least 1.`)
  return { given, keep }
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: { keep: { type: 'string' } }, allowPositionals: true })
  } catch (error) {
    throw new OperatorError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
  }
}
