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
import type { Store } from './storage/store.ts'

const usage = `Usage: npm run restore -- FILE
  FILE  a backup of either database: npm run backup
OMS_DATA or DATABASE_URL names where it goes. There must be neither files nor tables yet, and no pictures in the bucket of OMS_S3_URL.`

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

/** If it fails, the place is empty again, except a bucket, and except a database that cannot be reached any more. */
async function restoreInto(config: Config, file: string, manifest: Manifest, report: Report): Promise<void> {
  const store = openStore(config)
  if (config.s3) await requireEmptyBucket(store, config.s3.url)
  const { engine, held } = await openEmpty(config, (text) => {
    console.error(text)
  })
  let isDone = false
  try {
    await loadBackup(engine, store, file, manifest, report)
    isDone = true
  } finally {
    if (!isDone && config.databaseUrl) await dropTables(engine).catch(tellOfTables)
    await engine.close()
    if (!isDone) emptyFolder(config)
    held?.release()
  }
}

async function requireEmptyBucket(store: Store, url: string): Promise<void> {
  const [object] = await store.list('objects')
  if (object)
    throw new OperatorError(
      `The bucket ${url} (OMS_S3_URL) is not empty: it has objects/${object.name}. A restore replaces nothing. ` +
        'Choose another bucket. If a restore that failed has left these pictures, delete the folder objects of the bucket.',
    )
}

function tellOfTables(error: unknown): void {
  console.error(
    `The tables that this restore has made could not be deleted. Create a new database for the next attempt. ${String(error)}`,
  )
}
