import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import { send } from '../db/engine.ts'
import type { Database } from '../db/schema.ts'
import { HttpError } from '../http-error.ts'
import type { ListSource } from './list.ts'
import type { AuditEntry } from './mutation.ts'

export type Columns = Record<string, string | number | null>
interface Versioned {
  id: number
  version?: number
}

/** A kind of record that calls can change. Each change increases `version` by one. */
export interface Mutable<Row extends Versioned, Wire extends object> {
  /** The name in the audit: "promo". */
  noun: string
  /** The name in messages: "promo code". */
  label: string
  table: keyof Database
  source: ListSource<Row, Wire>
}

interface RecordChange<Row> {
  columns: (before: Row) => Columns | Promise<Columns>
  command: (changed: Columns) => string
  now: number
}

interface Changed<Row, Wire> {
  row: Row
  wire: Wire
  /** Absent if no column changed. */
  audit?: AuditEntry
}

/** Stores a new record. */
export async function insertRecord<Row extends Versioned, Wire extends object>(
  trx: Transaction<Database>,
  kind: Mutable<Row, Wire>,
  columns: Columns,
  now: number,
): Promise<Changed<Row, Wire>> {
  const names = Object.keys(columns).map((name) => sql.ref(name))
  const values = Object.values(columns).map((value) => sql`${value}`)
  const { rows } = await sql<{ id: number }>`insert into ${sql.table(kind.table)} (${sql.join(names)})
    values (${sql.join(values)}) returning id`.execute(trx)
  const row = await readRow(trx, kind, rows[0]?.id ?? 0)
  const wire = kind.source.answer(row, now)
  return { row, wire, audit: auditOf(kind, row.id, 'create', null, wire) }
}

/**
 * Sets the columns that `columns` returns for the stored record. If they all have these values already, nothing is
 * written and the version stays the same. `command` names the change by its changed columns. Throws HttpError 404.
 */
export async function changeRecord<Row extends Versioned, Wire extends object>(
  trx: Transaction<Database>,
  kind: Mutable<Row, Wire>,
  id: number,
  { columns, command, now }: RecordChange<Row>,
): Promise<Changed<Row, Wire>> {
  if (!Number.isSafeInteger(id)) throw notFound(kind)
  const { table, source } = kind
  // Locks the row: a second change of the same record waits here and then reads what the first one wrote.
  const lock = trx.selectFrom(sql<{ id: number }>`${sql.table(table)}`.as('locked')).select('id')
  await send(trx, [lock.where('id', '=', id).forNoKeyUpdate().compile()])
  const before = await readRow(trx, kind, id)
  const changed = differing(before, await columns(before))
  const wireBefore = source.answer(before, now)
  if (Object.keys(changed).length === 0) return { row: before, wire: wireBefore }
  const version = (before.version ?? 0) + 1
  const sets = Object.entries({ ...changed, version }).map(
    ([name, value]) => sql`${sql.ref(name)} = ${value}`,
  )
  const store = sql`update ${sql.table(table)} set ${sql.join(sets)} where id = ${id}`.compile(trx)
  // The row may have columns of the record that it refers to.
  const isWhole = !Object.keys(changed).some((name) => isReference.test(name))
  if (isWhole) await send(trx, [store])
  else await trx.executeQuery(store)
  const row = isWhole ? { ...before, ...changed, version } : await readRow(trx, kind, id)
  const wire = source.answer(row, now)
  return { row, wire, audit: auditOf(kind, id, command(changed), wireBefore, wire) }
}

/** The names of the columns with ids of other tables' records. */
export const isReference = /_(id|by)$/

async function readRow<Row extends Versioned, Wire extends object>(
  trx: Transaction<Database>,
  kind: Mutable<Row, Wire>,
  id: number,
): Promise<Row> {
  const row = await kind.source.rows.one(trx, id)
  if (!row) throw notFound(kind)
  return row
}

const notFound = ({ label }: { label: string }) => new HttpError(404, `There is no such ${label}.`)

function differing(row: object, columns: Columns): Columns {
  const stored = new Map<string, unknown>(Object.entries(row))
  return Object.fromEntries(Object.entries(columns).filter(([name, value]) => stored.get(name) !== value))
}

/** `before` and `after` hold exactly the wire fields that differ; a new record has no `before` and all of its fields. */
function auditOf(
  { noun }: { noun: string },
  recordId: number,
  verb: string,
  before: object | null,
  after: object,
): AuditEntry {
  const old = new Map<string, unknown>(Object.entries(before ?? {}))
  const names = Object.entries(after).flatMap(([name, value]) =>
    JSON.stringify(value) === JSON.stringify(old.get(name)) ? [] : [name],
  )
  const pick = (record: object) =>
    JSON.stringify(Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name))))
  return { command: `${noun}.${verb}`, noun, recordId, before: before && pick(before), after: pick(after) }
}
