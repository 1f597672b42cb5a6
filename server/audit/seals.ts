import { createHash } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Engine } from '../db/engine.ts'
import { runAll } from '../db/engine.ts'
import type { Database } from '../db/schema.ts'

export type Seal = Selectable<Database['audit_seals']>

/** The most rows of one seal, so that changes need not wait long for it. */
const mostRows = 1_000

/** The tables whose rows are sealed, with the columns in the order in which a seal has their values. */
export const sealedColumns = {
  audit: [
    ...['id', 'at', 'staff_id', 'command', 'noun', 'record_id', 'before', 'after', 'request', 'request_id'],
  ],
  audit_events: ['id', 'at', 'event', 'staff_id', 'about', 'origin', 'n', 'request_id'],
}
type Sealed = keyof typeof sealedColumns
const sealedTables: readonly Sealed[] = ['audit', 'audit_events']

/**
 * Seals the rows of the audit that no seal covers yet: a seal is a hash of them and of the seal before. It is done hourly
 * and not with each change, because changes would wait for each other at the newest seal. Resolves to the newest new seal;
 * null if there is nothing to seal, or if another server is doing it.
 */
export async function sealAudit(engine: Engine, now: number): Promise<Seal | null> {
  const ends = await engine.db.transaction().execute(async (trx) => {
    if (!(await engine.tryLock(trx, 'seals'))) return null
    await runAll(trx, engine.afterInserts(sealedTables))
    return Promise.all(sealedTables.map((table) => lastId(trx, table)))
  })
  let newest: Seal | null = null
  for (const [nth, end] of ends?.entries() ?? []) {
    const table = sealedTables[nth]
    for (;;) {
      const seal = table && (await sealNext(engine, table, end, now))
      if (!seal) break
      newest = seal
    }
  }
  return newest
}

/** Seals the next rows of a table, up to the one with the id `end`. Each seal is stored in a transaction of its own. */
function sealNext(engine: Engine, table: Sealed, end: number, now: number): Promise<Seal | null> {
  return engine.db.transaction().execute(async (trx) => {
    if (!(await engine.tryLock(trx, 'seals'))) return null
    const [before] = await newestSeals(trx).execute()
    const [ofTable] = await newestSeals(trx).where('rows_of', '=', table).execute()
    const first_id = (ofTable?.last_id ?? 0) + 1
    const rows = await rowsBetween(trx, table, first_id, end, mostRows)
    const last = rows.at(-1)
    if (!last) return null
    const facts = {
      id: (before?.id ?? 0) + 1,
      at: now,
      rows_of: table,
      first_id,
      last_id: last.id,
      n: rows.length,
      previous: before?.hash ?? '',
    }
    const seal = { ...facts, hash: hashOf(facts, rows) }
    await trx.insertInto('audit_seals').values(seal).execute()
    return seal
  })
}

const newestSeals = (db: Kysely<Database>) =>
  db.selectFrom('audit_seals').selectAll().orderBy('id', 'desc').limit(1)

interface SealedRow {
  id: number
  /** The JSON of its values. */
  text: string
}

/** Rows of a table in the order of their ids, the first and the last id included. */
export async function rowsBetween(
  db: Kysely<Database>,
  table: string,
  first: number,
  last: number,
  most: number,
): Promise<SealedRow[]> {
  const columns = table === 'audit' ? sealedColumns.audit : sealedColumns.audit_events
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join(columns.map((name) => sql.ref(name)))} from ${sql.table(table)}
    where id >= ${first} and id <= ${last} order by id limit ${most}`.execute(db)
  return rows.map((row) => ({
    id: Number(row['id']),
    text: JSON.stringify(columns.map((name) => row[name])),
  }))
}

/** The hash of a seal over these rows. */
export function hashOf(seal: Omit<Seal, 'hash'>, rows: readonly SealedRow[]): string {
  const { id, at, rows_of, first_id, last_id, n, previous } = seal
  const hash = createHash('sha256').update(JSON.stringify([id, at, rows_of, first_id, last_id, n, previous]))
  for (const { text } of rows) hash.update(`\n${text}`)
  return hash.digest('hex')
}

async function lastId(db: Kysely<Database>, table: Sealed): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select((is) => is.fn.max('id').as('id'))
    .executeTakeFirst()
  return row?.id ?? 0
}

/** How a seal is logged, and how it can be kept elsewhere: `12:9f86d0…`. */
export const tokenOf = ({ id, hash }: Pick<Seal, 'id' | 'hash'>) => `${id}:${hash}`
