import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { CompiledQuery, sql } from 'kysely'
import { Check } from 'typebox/schema'
import { bulkOf, inTransaction, onConnection, tidy } from '../db/bulk.ts'
import type { Insert, Rows } from '../db/bulk-dialect.ts'
import type { Engine } from '../db/engine.ts'
import { runAll } from '../db/engine.ts'
import { migrate, migrateTables } from '../db/migrate.ts'
import { markUnfinished, unmark } from '../db/unfinished.ts'
import { OperatorError } from '../operator-error.ts'
import { contentKey, recordKey, StoredObject } from '../storage/objects.ts'
import type { Store } from '../storage/store.ts'
import { collect } from './archive.ts'
import type { Manifest, Report } from './manifest.ts'
import { manifestName } from './manifest.ts'
import type { StoredValue, Table } from './tables.ts'
import { storedTables } from './tables.ts'
import { entriesOf } from './verify.ts'

/**
 * Fills an empty database and an empty folder from a verified backup, and brings them to the newest schema. Until it ends,
 * the database is marked as unfinished, and nothing opens it.
 */
export async function loadBackup(
  engine: Engine,
  store: Store,
  file: string,
  manifest: Manifest,
  report: Report,
): Promise<void> {
  const dialect = bulkOf(engine)
  await markUnfinished(engine)
  await migrateTables(engine, manifest.schema)
  const tables = await storedTables(engine)
  const names = tables.map(({ name }) => name)
  await onConnection(engine, dialect.open)
  try {
    const [indexes, keys] = [
      await dialect.plainIndexes(engine.db, names),
      await dialect.foreignKeys(engine.db, names),
    ]
    await inTransaction(engine, (trx) =>
      runAll(trx, [
        ...names.map((name) => `delete from ${name}`),
        ...indexes.map(({ name }) => `drop index ${name}`),
        ...keys.map(({ table, name }) => `alter table ${table} drop constraint ${name}`),
      ]),
    )
    await loadEntries(engine, store, file, tables, (done, total) => report(done, total, 'loading'))
    const withIds = tables.filter(({ columns }) => columns.includes('id')).map(({ name }) => name)
    const steps = [
      ...dialect.resumeIds(withIds),
      ...indexes.map(({ definition }) => definition),
      ...keys.map(
        ({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`,
      ),
    ]
    for (const [nth, step] of steps.entries()) {
      report(nth, steps.length, 'building indexes')
      await inTransaction(engine, (trx) => runAll(trx, [step]))
    }
    if (engine.name === 'sqlite') await requireReferences(engine)
    report(1, 1, 'building the search')
    await migrate(engine)
    await tidy(engine, names)
  } catch (error) {
    // If the database cannot be reached any more, this fails too. The first error says why.
    await onConnection(engine, dialect.close).catch(() => undefined)
    throw error
  }
  await onConnection(engine, dialect.close)
  await unmark(engine)
}

/** PostgreSQL checks the references when the constraints are added again. */
async function requireReferences({ db }: Engine): Promise<void> {
  const { rows } = await sql<{ table: string }>`pragma foreign_key_check`.execute(db)
  if (rows[0]) throw new Error(`Rows of ${rows[0].table} refer to rows that the backup does not have.`)
}

async function loadEntries(
  engine: Engine,
  store: Store,
  file: string,
  tables: Table[],
  report: (done: number, total: number) => void,
): Promise<void> {
  const insert = await bulkOf(engine).insert(engine.db)
  let picture: StoredObject | null = null
  for await (const { name, content } of entriesOf(file, report)) {
    const [folder, of = ''] = name.split('/')
    if (name === manifestName) {
      await collect(content)
    } else if (folder === 'tables') {
      const { columns, rows } = readRows(
        await collect(content),
        tables.find((table) => table.name === of),
      )
      await insertAll(engine, insert(of, columns, rows))
    } else if (name.endsWith('.json')) {
      picture = readRecord(await collect(content))
    } else if (picture) {
      await storePicture(store, picture, Readable.from(content))
    }
  }
}

/** Also one that is damaged: a backup has it as it was stored. */
async function storePicture(
  store: Store,
  picture: StoredObject,
  content: AsyncIterable<Buffer>,
): Promise<void> {
  const key = contentKey(picture.name, picture.content)
  const hash = createHash('sha256')
  const hashed = async function* () {
    for await (const piece of content) {
      hash.update(piece)
      yield piece
    }
  }
  await store.create(key)
  const size = await store.append(key, 0, hashed(), picture.size)
  await store.finish(key, { size, sha256: hash.digest('hex') })
  await store.writeText(recordKey(picture.name), JSON.stringify(picture))
  await store.tidy(key)
}

async function insertAll(engine: Engine, inserts: Iterable<Insert>): Promise<void> {
  await inTransaction(engine, async (trx) => {
    for (const { text, parameters } of inserts) await trx.executeQuery(CompiledQuery.raw(text, parameters))
  })
}

/** Only tables and columns of the schema are written: their names become a part of the statements. Throws OperatorError. */
function readRows(content: Buffer, table: Table | undefined): { columns: string[]; rows: Rows } {
  const [head = [], ...lines] = content.toString().split('\n').map(valuesIn)
  const columns = head.map(String)
  const unknown = columns.find((column) => !table?.columns.includes(column))
  if (!table || unknown !== undefined)
    throw new OperatorError(`The backup has rows that this version cannot store: ${unknown ?? 'a table'}.`)
  const rows = lines.map((values) =>
    Object.fromEntries(columns.map((column, nth) => [column, values[nth] ?? null])),
  )
  return { columns, rows }
}

function valuesIn(line: string): StoredValue[] {
  const values: unknown = JSON.parse(line)
  if (!Array.isArray(values)) throw new Error('A line of a backup is not an array.')
  return values.map((value: unknown) => {
    if (value === null || typeof value === 'string' || typeof value === 'number') return value
    throw new Error('A line of a backup has a value of another type.')
  })
}

/** The id of the bytes becomes a part of a path. */
function readRecord(content: Buffer): StoredObject {
  const value: unknown = JSON.parse(content.toString())
  if (!Check(StoredObject, value) || !/^[\w-]+$/.test(value.content))
    throw new Error('The record of a picture in the backup is invalid.')
  return value
}
