import { explainFull } from './backup/full.ts'
import type { Manifest, Report } from './backup/manifest.ts'
import { loadBackup } from './backup/load.ts'
import { verifyBackup } from './backup/verify.ts'
import type { Config } from './config.ts'
import { readConfig } from './config.ts'
import { dropTables, emptyFolder, openEmpty, placeOf } from './installation.ts'
import { OperatorError, explain } from './operator-error.ts'
import { showProgress } from './progress.ts'
import { openStore } from './storage/open.ts'

const usage = `Usage: npm run restore -- FILE
  FILE  a backup of either database: npm run backup
OMS_DATA or DATABASE_URL names where it goes. There must be neither files nor tables yet.`

/** Restores a backup into an empty place: `npm run restore`. */
try {
  await run(process.argv.slice(2))
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}

async function run([file, ...others]: string[]): Promise<void> {
  if (!file || file.startsWith('-') || others.length > 0) throw new OperatorError(usage)
  const config = readConfig(process.env)
  const progress = process.stderr.isTTY ? showProgress('Restore') : null
  const report: Report = (done, total, what) => progress?.update(done, total, what)
  const manifest = await verifyBackup(file, report)
  try {
    await restoreInto(config, file, manifest, report)
  } catch (error) {
    throw explainFull(error, `The backup cannot be restored into ${placeOf(config)}`)
  }
  progress?.done()
  const rows = Object.values(manifest.tables).reduce((sum, n) => sum + n, 0)
  console.log(
    `${rows.toLocaleString('en')} rows and ${manifest.pictures.toLocaleString('en')} pictures are restored, ` +
      `the state of ${manifest.time}. Everybody has to sign in again.`,
  )
}

/** If it fails, the place is empty again. */
async function restoreInto(config: Config, file: string, manifest: Manifest, report: Report): Promise<void> {
  const { engine, held } = await openEmpty(config, (text) => {
    console.error(text)
  })
  let isDone = false
  try {
    await loadBackup(engine, openStore(config), file, manifest, report)
    isDone = true
  } finally {
    if (!isDone && config.databaseUrl) await dropTables(engine)
    await engine.close()
    if (!isDone) emptyFolder(config)
    held?.release()
  }
}
