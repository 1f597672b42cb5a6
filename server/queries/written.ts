import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import { Problem } from '../problem.ts'
import { withoutHost } from '../storage/names.ts'
import type { ListSource } from './list.ts'
import { readOne } from './list.ts'
import type { Outcome } from './mutation.ts'

/** What staff write and edit: attractions, blogs, coupons, promo codes. */
type WrittenTable = 'attractions' | 'blogs' | 'coupons' | 'promo_codes'
export type Columns = Record<string, string | number | null>

/** What an update says beside the fields: delete or restore, and which version was edited. */
interface Meta {
  deleted: boolean | undefined
  version: number | undefined
}

/** One kind of record that staff write. */
export interface Written<Row extends { id: number; version: number; deleted: number }, Wire, Body> {
  /** For audit and messages: "attraction". */
  noun: string
  table: WrittenTable
  source: ListSource<Row, Wire>
  /** The columns that these fields set; `before` is the record as it was. Throws Problem 400 for a value of no use. */
  columns(trx: Transaction<Database>, body: Partial<Body>, before: Row | null): Promise<Columns>
}

/** Stores a new record and answers it. */
export async function createWritten<Row extends { id: number; version: number; deleted: number }, Wire, Body>(
  trx: Transaction<Database>,
  kind: Written<Row, Wire, Body>,
  body: Body,
  now: number,
): Promise<Outcome<Wire>> {
  const columns = { ...(await kind.columns(trx, body, null)), created_at: now }
  const names = Object.keys(columns).map((name) => sql.ref(name))
  const values = Object.values(columns).map((value) => sql`${value}`)
  const { rows } = await sql<{ id: number }>`insert into ${sql.table(kind.table)} (${sql.join(names)})
    values (${sql.join(values)}) returning id`.execute(trx)
  return stored(trx, kind, rows[0]?.id ?? 0, 'create')
}

/**
 * Changes the named fields of a record, deletes or restores it, and answers it. Throws Problem 404, and 409 where
 * `version` names an older one than is stored.
 */
export async function changeWritten<Row extends { id: number; version: number; deleted: number }, Wire, Body>(
  trx: Transaction<Database>,
  kind: Written<Row, Wire, Body>,
  id: number,
  fields: Partial<Body>,
  { deleted, version }: Meta,
): Promise<Outcome<Wire>> {
  // Edits of one record queue up here, so that none works on a state that another is just changing.
  await sql`update ${sql.table(kind.table)} set version = version where id = ${id}`.execute(trx)
  const [before] = await kind.source.rows(trx, [id])
  if (!before) throw new Problem(404, `There is no such ${kind.noun}.`)
  if (version !== undefined && version !== before.version)
    throw new Problem(409, `Somebody changed this ${kind.noun} meanwhile.`)
  const wasDeleted = before.deleted === 1
  const isDeleted = deleted ?? wasDeleted
  if (isDeleted === wasDeleted && Object.keys(fields).length === 0)
    return { body: kind.source.answer(before) }
  const columns = { ...(await kind.columns(trx, fields, before)), deleted: isDeleted ? 1 : 0 }
  const sets = Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  await sql`update ${sql.table(kind.table)} set ${sql.join([...sets, sql`version = version + 1`])}
    where id = ${id}`.execute(trx)
  return stored(trx, kind, id, isDeleted === wasDeleted ? 'update' : isDeleted ? 'delete' : 'restore')
}

async function stored<Row extends { id: number; version: number; deleted: number }, Wire, Body>(
  trx: Transaction<Database>,
  kind: Written<Row, Wire, Body>,
  id: number,
  action: string,
): Promise<Outcome<Wire>> {
  const body = await readOne(trx, kind.source, id)
  if (!body) throw new Error(`The ${kind.noun} was not stored.`)
  return { body, audit: { action, entity: kind.noun, entityId: id } }
}

/** A 400 that names the field at fault. */
export function fieldProblem(field: string, message: string): Problem {
  return new Problem(400, 'Some values cannot be used.', { errors: { [field]: [message] } })
}

/** A picture is a file of ours, then without its host, or on the web, never a script. Throws Problem 400. */
export function checkImage(image: string): string {
  if (image === '' || /^\/[^/\\]/.test(image)) return image
  if (/^https?:\/\//i.test(image)) return withoutHost(image)
  throw fieldProblem('image', 'must be a web address')
}

/** A calendar date that exists, or null for none. Throws Problem 400. */
export function checkDate(field: string, date: string | null): string | null {
  if (!date) return null
  const parsed = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(parsed.getTime()) || parsed.toISOString().slice(0, 10) !== date)
    throw fieldProblem(field, 'is no date')
  return date
}
