import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import type { Engine } from '../db/engine.ts'
import { runAll } from '../db/engine.ts'
import { schemaVersion } from '../db/migrate.ts'
import type { Database } from '../db/schema.ts'
import { syncFolder } from '../storage/disk.ts'
import type { StoredObject } from '../storage/objects.ts'
import type { Reference } from '../storage/references.ts'
import { referenceIn } from '../storage/references.ts'
import type { Store } from '../storage/store.ts'
import type { Entry } from './archive.ts'
import { pack } from './archive.ts'
import { explainFull } from './full.ts'
import type { Manifest, Report } from './manifest.ts'
import { format, manifestName } from './manifest.ts'
import { missingOf, pictureEntries } from './pictures.ts'
import type { Table } from './tables.ts'
import { rowsOf, storedTables } from './tables.ts'
import { verifyBackup } from './verify.ts'

/** The suffix of a backup that is being written. */
export const unfinishedEnd = '.part'

/** A picture is rarely deleted while it is copied; after so many attempts, each a whole backup, something else is wrong. */
const mostAttempts = 5

interface Lacks {
  missing: string[]
  damaged: string[]
}

/**
 * Writes a backup of the database and the pictures, while both are in use, and reads it again to verify it. It replaces
 * `file` at the end. Resolves to its manifest, the addresses of pictures that records show but that are not stored, and a sentence for
 * each picture that is damaged. Throws OperatorError if the disk is full.
 */
export async function writeBackup(
  engine: Engine,
  store: Store,
  file: string,
  report: Report,
): Promise<{ manifest: Manifest } & Lacks> {
  const part = file + unfinishedEnd
  try {
    const done = await writeVerified(engine, store, part, report)
    await rename(part, file)
    await syncFolder(dirname(file))
    return done
  } catch (error) {
    await rm(part, { force: true })
    throw explainFull(error, `The backup cannot be written to ${dirname(file)}`)
  }
}

async function writeVerified(
  engine: Engine,
  store: Store,
  part: string,
  report: Report,
): Promise<{ manifest: Manifest } & Lacks> {
  let lacks: Lacks = { missing: [], damaged: [] }
  for (let attempt = 1; ; attempt++) {
    const before = lacks.missing
    lacks = await writeOnce(engine, store, part, report)
    // A picture that was deleted after the rows had been read is no longer shown by the rows of a second attempt.
    const isSettled = lacks.missing.every((address) => before.includes(address))
    if (isSettled || attempt === mostAttempts) break
  }
  return { manifest: await verifyBackup(part, report), ...lacks }
}

/** The pictures are listed after the rows have been read, so each picture that the rows show was stored by then. */
async function writeOnce(engine: Engine, store: Store, part: string, report: Report): Promise<Lacks> {
  const shown = new Map<string, Reference>()
  const tokens = new Map<string, string>()
  const damaged: string[] = []
  const manifest: Manifest = {
    product: 'Twende OMS',
    format,
    schema: '',
    engine: engine.name,
    time: '',
    tables: {},
    pictures: 0,
    hashes: {},
  }
  const entries = async function* () {
    yield* tableEntries(engine, manifest, shown, report)
    const copied = ({ name, token }: StoredObject) => {
      tokens.set(name, token)
      report(++manifest.pictures, 0, 'pictures')
    }
    yield* pictureEntries(store, copied, (sentence) => damaged.push(sentence))
  }
  const all = async function* () {
    for await (const entry of entries()) yield hashed(entry, manifest)
    const text = Buffer.from(JSON.stringify(manifest, null, 1))
    yield { name: manifestName, size: text.length, content: [text] }
  }
  await pipeline(pack(all()), createGzip({ level: 4 }), createWriteStream(part, { mode: 0o600, flush: true }))
  return { missing: missingOf(shown, tokens), damaged }
}

/** Reads all tables in one transaction, which sees the database as it was at its beginning. */
async function* tableEntries(
  engine: Engine,
  manifest: Manifest,
  shown: Map<string, Reference>,
  report: Report,
): AsyncGenerator<Entry> {
  const trx = await engine.db.startTransaction().setAccessMode('read only').execute()
  try {
    if (engine.name === 'postgres') await runAll(trx, postgresSnapshot)
    const tables = await storedTables(engine, trx)
    manifest.time = new Date().toISOString()
    manifest.schema = await schemaVersion({ ...engine, db: trx })
    const total = await countRows(trx, tables)
    let done = 0
    for (const table of tables) {
      manifest.tables[table.name] = 0
      for await (const { entry, rows } of partsOf(engine, trx, table, shown)) {
        manifest.tables[table.name] = (manifest.tables[table.name] ?? 0) + rows
        yield entry
        report((done += rows), total, table.name.replaceAll('_', ' '))
      }
    }
  } finally {
    await trx.rollback().execute()
  }
}

const postgresSnapshot = [
  'set transaction isolation level repeatable read read only',
  'set local statement_timeout = 0',
  'set local idle_in_transaction_session_timeout = 0',
]

async function countRows(trx: Transaction<Database>, tables: Table[]): Promise<number> {
  let sum = 0
  for (const { name } of tables) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`.execute(trx)
    sum += rows[0]?.n ?? 0
  }
  return sum
}

/** Characters of text in one entry, and a row more. This much is in memory. */
const partLength = 4 * 1024 ** 2

/** The rows as lines of JSON: first the names of the columns, then one array for each row. */
async function* partsOf(
  engine: Engine,
  trx: Transaction<Database>,
  table: Table,
  shown: Map<string, Reference>,
): AsyncGenerator<{ entry: Entry; rows: number }> {
  const head = JSON.stringify(table.columns)
  let lines = [head]
  let length = 0
  let number = 0
  const part = () => {
    const content = Buffer.from(lines.join('\n'))
    const name = `tables/${table.name}/${String(++number).padStart(7, '0')}.jsonl`
    const rows = lines.length - 1
    lines = [head]
    length = 0
    return { entry: { name, size: content.length, content: [content] }, rows }
  }
  for await (const row of rowsOf(engine, trx, table)) {
    for (const value of row) {
      const reference = typeof value === 'string' ? referenceIn(value) : null
      if (reference) shown.set(String(value), reference)
    }
    const line = JSON.stringify(row)
    lines.push(line)
    if ((length += line.length) > partLength) yield part()
  }
  if (lines.length > 1) yield part()
}

/** The same entry; its hash is added to the manifest when its content has been read. */
function hashed({ name, size, content }: Entry, manifest: Manifest): Entry {
  const hash = createHash('sha256')
  const counted = async function* () {
    for await (const piece of content) {
      hash.update(piece)
      yield piece
    }
    manifest.hashes[name] = hash.digest('hex')
  }
  return { name, size, content: counted() }
}
