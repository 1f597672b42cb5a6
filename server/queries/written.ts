import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { Problem } from '../problem.ts'
import { withoutHost } from '../storage/names.ts'
import type { Columns, Mutable, Versioned } from './change.ts'
import { changeRecord, insertRecord } from './change.ts'
import type { MutationResult } from './mutation.ts'

/** What an update says beside the fields: delete or restore, and which version was edited. */
interface Meta {
  deleted: boolean | undefined
  version: number | undefined
}

type Row = Versioned & { deleted: number }

/** One kind of record that staff write: attractions, blogs, coupons, promo codes. */
export interface Written<R extends Row, Wire extends object, Body> extends Mutable<R, Wire> {
  /** The columns that these fields set; `before` is the record as it was. Throws Problem 400 for an invalid value. */
  columns(trx: Transaction<Database>, body: Partial<Body>, before: R | null): Promise<Columns>
}

/** Stores a new record and answers it. */
export async function createWritten<R extends Row, Wire extends object, Body>(
  trx: Transaction<Database>,
  kind: Written<R, Wire, Body>,
  body: Body,
  now: number,
): Promise<MutationResult<Wire>> {
  const columns = { ...(await kind.columns(trx, body, null)), created_at: now }
  const { wire, audit } = await insertRecord(trx, kind, columns)
  return { body: wire, audit }
}

/**
 * Changes the named fields of a record, deletes or restores it, and answers it. Throws Problem 404, and 409 where
 * `version` is not the stored one.
 */
export async function changeWritten<R extends Row, Wire extends object, Body>(
  trx: Transaction<Database>,
  kind: Written<R, Wire, Body>,
  id: number,
  fields: Partial<Body>,
  { deleted, version }: Meta,
): Promise<MutationResult<Wire>> {
  const columns = async (before: R): Promise<Columns> => {
    if (version !== undefined && version !== before.version)
      throw new Problem(409, `Somebody changed this ${kind.label} meanwhile.`)
    const edited = Object.keys(fields).length ? await kind.columns(trx, fields, before) : {}
    return deleted === undefined ? edited : { ...edited, deleted: deleted ? 1 : 0 }
  }
  const { wire, audit } = await changeRecord(trx, kind, id, columns, commandOf)
  return { body: wire, audit }
}

/** An update that restores a record and edits it is an update. */
function commandOf({ deleted, ...edited }: Columns): string {
  if (deleted === 1) return 'delete'
  return deleted === 0 && Object.keys(edited).length === 0 ? 'restore' : 'update'
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
