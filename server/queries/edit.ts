import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { HttpError } from '../http-error.ts'
import { withoutHost } from '../storage/names.ts'
import type { Columns, Mutable } from './change.ts'
import { changeRecord, insertRecord } from './change.ts'
import type { MutationResult } from './mutation.ts'

/** One kind of record that staff create, update, delete and restore. */
interface Editable<Row extends { id: number; version?: number }, Wire extends object> extends Mutable<
  Row,
  Wire
> {
  /** The columns that these fields set; `before` is the stored record. Throws HttpError 400 for an invalid value. */
  columns(trx: Transaction<Database>, body: object, before: Row | null): Promise<Columns>
}

/** Stores a new record and returns it. */
export async function createEditable<Row extends { id: number; version?: number }, Wire extends object>(
  trx: Transaction<Database>,
  kind: Editable<Row, Wire>,
  body: object,
  now: number,
): Promise<MutationResult<Wire>> {
  const columns = { ...(await kind.columns(trx, body, null)), created_at: now }
  const { wire, audit } = await insertRecord(trx, kind, columns, now)
  return { body: wire, audit }
}

/**
 * Changes the fields in the body, deletes or restores the record if `deleted` is in it, and returns the record. Throws
 * HttpError 404, and 409 if `version` is not the stored version.
 */
export async function updateEditable<Row extends { id: number; version?: number }, Wire extends object>(
  trx: Transaction<Database>,
  kind: Editable<Row, Wire>,
  id: number,
  body: { deleted?: boolean; version?: number },
  now: number,
): Promise<MutationResult<Wire>> {
  const { deleted, version, ...fields } = body
  const columns = async (before: Row): Promise<Columns> => {
    if (version !== undefined && version !== before.version)
      throw new HttpError(409, `This ${kind.label} was changed after you opened it.`)
    const edited = Object.keys(fields).length ? await kind.columns(trx, fields, before) : {}
    return deleted === undefined ? edited : { ...edited, deleted: deleted ? 1 : 0 }
  }
  const { wire, audit } = await changeRecord(trx, kind, id, { columns, command: commandOf, now })
  return { body: wire, audit }
}

/** An update that restores a record and edits it is an update. */
function commandOf({ deleted, ...edited }: Columns): string {
  if (deleted === 1) return 'delete'
  return deleted === 0 && Object.keys(edited).length === 0 ? 'restore' : 'update'
}

/** A 400 error that names the invalid field. */
export function fieldError(field: string, message: string): HttpError {
  return new HttpError(400, 'Some values are invalid.', { errors: { [field]: [message] } })
}

/**
 * An image is a path on this server or an http(s) URL; other schemes (javascript:, data:) are rejected. Throws
 * HttpError 400.
 */
export function checkImage(image: string): string {
  if (image === '' || /^\/[^/\\]/.test(image)) return image
  if (/^https?:\/\//i.test(image)) return withoutHost(image)
  throw fieldError('image', 'must be an http or https address')
}

/** A calendar date that exists, after 1 January 1970, or null for none. Throws HttpError 400. */
export function checkDate(field: string, date: string | null): string | null {
  if (!date) return null
  const parsed = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(parsed.getTime()) || parsed.toISOString().slice(0, 10) !== date)
    throw fieldError(field, 'is not a date')
  // The console would show it as none (S9.3). A year typed with two digits, 0026, is one.
  if (date <= '1970-01-01') throw fieldError(field, 'is not after 1970-01-01')
  return date
}
