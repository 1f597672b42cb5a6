import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from './config.ts'
import type { Engine } from './db/engine.ts'
import { damageNotice, isDamage } from './db/damage.ts'
import { isUpToDate, migrate, requireKnownSchema, schemaVersion } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { holdFolder, lockFiles } from './db/sqlite.ts'
import { requireFinished, unfinishedTable } from './db/unfinished.ts'
import { OperatorError } from './operator-error.ts'
import { showProgress } from './progress.ts'

type Where = Pick<Config, 'dataFolder' | 'databaseUrl'>

/** A file in the data folder with the date of the first start with each kind of database. */
const markFile = 'in-use.json'

/** What the programs keep in the data folder. SQLite gives its further files the owner of `oms.db`. */
const ownFiles = ['oms.db', markFile, 'server.lock', 'server.pid', 'storage']

/**
 * Opens the configured database and migrates it, for the server and the command-line tools. `notice` receives warnings for
 * the operator. Throws OperatorError if the folder was in use before but its database is missing: a disk that is not
 * mounted must not look like a first start.
 */
export async function openInstallation(config: Where, notice: (text: string) => void): Promise<Engine> {
  const engine = config.databaseUrl ? 'postgres' : 'sqlite'
  const since = readMark(config.dataFolder)[engine]
  const file = join(config.dataFolder, 'oms.db')
  if (engine === 'sqlite' && sizeOf(file) === 0) {
    if (since !== undefined)
      throw new OperatorError(lost(config, `its database ${file} is missing or empty`, since))
    if (sizeOf(`${file}-wal`) > 0)
      throw new OperatorError(
        lost(config, `its database ${file} is missing, but its journal ${file}-wal exists`),
      )
  }
  return opened(config, async (database) => {
    const tables = await tablesOf(database)
    if (since !== undefined && !tables.includes('staff'))
      throw new OperatorError(lost(config, 'its database has no tables', since))
    requireFinished(tables, placeOf(config))
    if (tables.includes('staff')) await upgrade(database)
    else await migrate(database)
    if (since === undefined) writeMark(config.dataFolder, engine, notice)
  })
}

/** Shows its progress, because it can take minutes. */
async function upgrade(database: Engine): Promise<void> {
  requireKnownSchema('This database', await schemaVersion(database))
  if (await isUpToDate(database)) return
  const progress = showProgress('Upgrading the database')
  await migrate(database, progress.update)
  progress.done()
}

/**
 * Opens the configured database without changing it, for a backup and a check. Throws OperatorError if there is none, or if
 * a newer version has written it.
 */
export async function openExisting(config: Where): Promise<Engine> {
  const place = placeOf(config)
  // SQLite writes to its further files also for a program that only reads.
  if (!config.databaseUrl) requireAccess(config.dataFolder, ['oms.db'], constants.R_OK | constants.W_OK)
  if (!config.databaseUrl && sizeOf(join(config.dataFolder, 'oms.db')) === 0)
    throw new OperatorError(
      `There is no database in ${place}. OMS_DATA names its folder, DATABASE_URL its server.`,
    )
  return opened(config, async (database) => {
    const tables = await tablesOf(database)
    if (!tables.includes('staff')) throw new OperatorError(`There are no tables in ${place}.`)
    requireFinished(tables, place)
    requireKnownSchema('This database', await schemaVersion(database))
  })
}

/**
 * Opens a database for a restore, prepares its data folder, and with SQLite keeps servers out of it until `held` is released. Throws
 * OperatorError unless there are neither tables nor files: nothing is ever replaced.
 */
export async function openEmpty(
  config: Where,
  notice: (text: string) => void,
): Promise<{ engine: Engine; held: ReturnType<typeof holdFolder> | null }> {
  prepareFolder(config, notice)
  requireNoFiles(config)
  const held = config.databaseUrl ? null : holdFolder(config.dataFolder)
  try {
    requireNoFiles(config, lockFiles)
  } catch (error) {
    held?.release()
    throw error
  }
  // From here on, what is in the folder is from this restore.
  try {
    return { engine: await opened(config, requireNoTables), held }
  } catch (error) {
    held?.release()
    if (held) emptyFolder(config)
    throw error
  }
}

function requireNoFiles({ dataFolder, databaseUrl }: Where, except: readonly string[] = []): void {
  const found = existsSync(dataFolder) ? readdirSync(dataFolder) : []
  const inTheWay = found.filter((name) => (databaseUrl ? name === 'storage' : !except.includes(name)))
  if (inTheWay[0] !== undefined)
    throw new OperatorError(
      `${dataFolder} is not empty: it has ${inTheWay[0]}. A restore replaces nothing. Move its content away, ` +
        'or choose another folder: OMS_DATA=/some/folder npm run restore -- FILE',
    )
}

async function requireNoTables(database: Engine): Promise<void> {
  const [table] = await tablesOf(database)
  if (table !== undefined)
    throw new OperatorError(
      `The database of DATABASE_URL is not empty: it has the table ${table}. A restore replaces nothing. ` +
        'Create a new database for it.',
    )
}

/** Deletes the tables of PostgreSQL that a restore has made which failed. Without its mark they may be those of a server. */
export async function dropTables(engine: Engine): Promise<void> {
  const { db } = engine
  if (!(await tablesOf(engine)).includes(unfinishedTable)) return
  const { rows } = await sql<{ name: string }>`select oid::regclass::text as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace`.execute(db)
  if (rows.length > 0)
    await sql`drop table ${sql.raw(rows.map(({ name }) => name).join(', '))} cascade`.execute(db)
}

/** Deletes the files that a restore has made which failed: `openEmpty` has found none in their place. */
export function emptyFolder({ dataFolder, databaseUrl }: Where): void {
  const found = existsSync(dataFolder) ? readdirSync(dataFolder) : []
  for (const name of found)
    if (!databaseUrl || name === 'storage') rmSync(join(dataFolder, name), { recursive: true })
}

/** Opens the database and closes it again if `prepare` fails. Damage becomes an OperatorError that says what to do. */
async function opened(config: Where, prepare: (database: Engine) => Promise<void>): Promise<Engine> {
  let database: Engine | null = null
  try {
    database = openDatabase(config)
    await prepare(database)
    return database
  } catch (error) {
    await database?.close()
    if (!isDamage(error)) throw error
    throw new OperatorError(damageNotice(config.databaseUrl ? 'postgres' : 'sqlite', config.dataFolder))
  }
}

/** The place of the database, for messages. */
export const placeOf = ({ dataFolder, databaseUrl }: Where) =>
  databaseUrl ? 'the database of DATABASE_URL' : dataFolder

function lost({ dataFolder, databaseUrl }: Where, what: string, since?: string): string {
  return [
    `${dataFolder} has been in use${since ? ` since ${since}` : ''}, but ${what}.`,
    databaseUrl
      ? 'Is DATABASE_URL the right database? Correct it, or restore a backup into it.'
      : 'Is its disk mounted? Mount it, or restore a backup of the database.',
    `To start without the earlier data, choose another folder: OMS_DATA=/some/folder`,
  ].join('\n')
}

async function tablesOf({ db }: Engine): Promise<string[]> {
  return (await db.introspection.getTables()).map(({ name }) => name)
}

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0
}

/** The dates in `in-use.json`; empty if the file is missing or invalid. */
function readMark(folder: string): { sqlite?: string; postgres?: string } {
  const file = join(folder, markFile)
  if (!existsSync(file)) return {}
  const text = readFileSync(file, 'utf8')
  const dateOf = (name: string) => new RegExp(`"${name}": *"([^"]+)"`).exec(text)?.[1]
  const [sqlite, postgres] = [dateOf('sqlite'), dateOf('postgres')]
  return { ...(sqlite && { sqlite }), ...(postgres && { postgres }) }
}

function writeMark(folder: string, engine: Engine['name'], notice: (text: string) => void): void {
  const file = join(folder, markFile)
  const mark = { ...readMark(folder), [engine]: new Date().toISOString().slice(0, 10) }
  try {
    // Write a temporary file and rename it, because command-line tools may write the same file at the same time.
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, `${JSON.stringify(mark, null, 2)}\n`, { flush: true })
    renameSync(draft, file)
  } catch (error) {
    // With PostgreSQL a server may run without a writable data folder.
    notice(`${file} cannot be written, so the next start cannot detect a missing database: ${String(error)}`)
  }
}

/**
 * Creates the data folder if it is missing. New files of this process are readable by its user only (umask), and an existing
 * folder that other users can read is made private together with its contents.
 */
export function prepareFolder({ dataFolder, databaseUrl }: Where, notice: (text: string) => void): void {
  process.umask(0o077)
  try {
    mkdirSync(dataFolder, { recursive: true })
    accessSync(dataFolder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    // With PostgreSQL a server may run without a data folder until an image is uploaded.
    if (databaseUrl) return
    throw new OperatorError(`The data folder ${dataFolder} cannot be created or written. ${String(error)}`)
  }
  requireAccess(dataFolder, ownFiles, constants.R_OK | constants.W_OK)
  const recursive = isOpen(dataFolder)
  try {
    // If the folder is private, check only its direct entries.
    const open = recursive ? [close(dataFolder)] : []
    for (const name of readdirSync(dataFolder, { recursive, encoding: 'utf8' }))
      if (isOpen(join(dataFolder, name))) open.push(close(join(dataFolder, name)))
    if (open.length === 0) return
    notice(
      `Other users of this machine could read ${open.length} files and folders in ${dataFolder}. They are private now.`,
    )
  } catch (error) {
    notice(
      `Other users of this machine may be able to read files in ${dataFolder}: the server cannot make them private. ${String(error)}`,
    )
  }
}

/** Throws OperatorError if this system user may not open one of the files, such as one that root has created. */
function requireAccess(dataFolder: string, names: readonly string[], mode: number): void {
  for (const path of names.map((name) => join(dataFolder, name)))
    try {
      accessSync(path, mode)
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code === 'ENOENT') continue
      throw new OperatorError(
        `${path} cannot be opened: ${error.message}\n` +
          'Use the system user of the server for every command. If another one, such as root, has created files in the folder: ' +
          `chown -R USER: ${dataFolder}`,
      )
    }
}

function close(path: string): string {
  chmodSync(path, statSync(path).isDirectory() ? 0o700 : 0o600)
  return path
}

/** Windows does not use these mode bits. A symbolic link has no mode of its own. */
function isOpen(path: string): boolean {
  const entry = lstatSync(path, { throwIfNoEntry: false })
  return process.platform !== 'win32' && !!entry && !entry.isSymbolicLink() && (entry.mode & 0o077) !== 0
}
