import type { Kysely, Selectable, Transaction } from 'kysely'
import type { View, ViewBody, ViewChange } from '../../src/api/contract.ts'
import type { Database } from '../db/schema.ts'
import { HttpError } from '../http-error.ts'
import type { Columns } from './change.ts'
import { createEditable, fieldError, updateEditable } from './edit.ts'
import type { ListSource } from './list.ts'
import type { MutationResult } from './mutation.ts'
import { rowsOf } from './rows.ts'

/** The most views of one staff member, and the most of them that are pinned. */
const most = 200
const mostPinned = 20
/** The most characters of a search text, as in a list (routes/list.ts). */
const longestText = 200

type Row = Selectable<Database['views']>

/** The views of a staff member, each list's in their order. */
export async function viewsOf(db: Kysely<Database>, staffId: number): Promise<View[]> {
  const rows = await db
    .selectFrom('views')
    .selectAll()
    .where('staff_id', '=', staffId)
    .where('deleted', '=', 0)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(answer)
}

/** Throws HttpError 400 for an invalid field, for a name that is in use, and for one view too many. */
export async function createView(
  trx: Transaction<Database>,
  staffId: number,
  body: ViewBody,
  now: number,
): Promise<MutationResult<View>> {
  await lock(trx, staffId)
  const result = await createEditable(trx, kindOf(staffId), body, now)
  await check(trx, staffId)
  await forgetDeleted(trx, staffId)
  return result
}

/** Throws as `createView` does, HttpError 404 for a view of somebody else, and 409 if `version` is not the stored version. */
export async function updateView(
  trx: Transaction<Database>,
  staffId: number,
  id: number,
  body: ViewChange,
  now: number,
): Promise<MutationResult<View>> {
  await lock(trx, staffId)
  const result = await updateEditable(trx, kindOf(staffId), id, body, now)
  await check(trx, staffId)
  return result
}

const kindOf = (staffId: number) => ({
  noun: 'view',
  label: 'view',
  table: 'views' as const,
  source: sourceOf(staffId),
  columns: (trx: Transaction<Database>, body: ViewBody | ViewChange, before: Row | null) =>
    columnsOf(trx, staffId, body, before),
})

/** Views of other staff members do not exist here. */
const sourceOf = (staffId: number): ListSource<Row, View> => ({
  table: 'views',
  orderings: {},
  terms: {},
  filters: () => [],
  rows: rowsOf((db, ids) =>
    db.selectFrom('views').selectAll().where('id', 'in', ids).where('staff_id', '=', staffId),
  ),
  answer,
})

const answer = ({
  id,
  list,
  name,
  query,
  hidden,
  column_order,
  pinned,
  position,
  deleted,
  version,
}: Row): View => ({
  ...{ id, list, name, query, hidden, position, version },
  ...(column_order !== null && { column_order }),
  pinned: pinned === 1,
  deleted: deleted === 1,
})

async function columnsOf(
  trx: Transaction<Database>,
  staffId: number,
  body: ViewBody | ViewChange,
  before: Row | null,
): Promise<Columns> {
  const { name, query, hidden, column_order, pinned } = body
  const columns: Columns = before ? {} : { staff_id: staffId, hidden: '', pinned: 0 }
  if ('list' in body) Object.assign(columns, { list: body.list, position: await lastPosition(trx, staffId) })
  if (name !== undefined) columns['name'] = checkName(name)
  if (query !== undefined) columns['query'] = checkQuery(query)
  if (hidden !== undefined) columns['hidden'] = hidden
  if (column_order !== undefined) columns['column_order'] = column_order
  if (pinned !== undefined) columns['pinned'] = pinned ? 1 : 0
  if (before && 'position' in body) {
    columns['position'] = body.position
    await makeRoom(trx, before, body.position)
  }
  return columns
}

function checkName(name: string): string {
  if (name.trim() === '') throw fieldError('name', 'is required')
  return name.trim()
}

/** Only texts that its list accepts, so that the view can be opened and counted. */
function checkQuery(query: string): string {
  const texts = [...new URLSearchParams(query).values()]
  if (texts.some((text) => text.includes('\0') || text.length > longestText))
    throw fieldError('query', `has a text that is no search: at most ${longestText} characters without NUL`)
  return query
}

async function lastPosition(trx: Transaction<Database>, staffId: number): Promise<number> {
  const last = await trx
    .selectFrom('views')
    .select((is) => is.fn.max('position').as('position'))
    .where('staff_id', '=', staffId)
    .executeTakeFirst()
  return (last?.position ?? 0) + 1
}

/** The views of the same list from this place on move down by one. */
async function makeRoom(
  trx: Transaction<Database>,
  { id, staff_id, list }: Row,
  from: number,
): Promise<void> {
  await trx
    .updateTable('views')
    .set((is) => ({ position: is('position', '+', 1) }))
    .where('staff_id', '=', staff_id)
    .where('list', '=', list)
    .where('position', '>=', from)
    .where('id', '!=', id)
    .execute()
}

/** Changes of one person's views wait for each other here, so that `check` sees all of them. */
async function lock(trx: Transaction<Database>, staffId: number): Promise<void> {
  await trx
    .updateTable('staff')
    .set((is) => ({ disabled: is.ref('disabled') }))
    .where('id', '=', staffId)
    .execute()
}

/** Throws HttpError 400, which takes the change back, if the views of a staff member are not as they may be. */
async function check(trx: Transaction<Database>, staffId: number): Promise<void> {
  const views = await viewsOf(trx, staffId)
  const names = views.map(({ list, name }) => `${list} ${name}`)
  if (new Set(names).size < names.length) throw refusal('name', 'Another view of this list has this name.')
  if (views.length > most) throw refusal('name', `You have ${most} views. Delete one first.`)
  if (views.filter(({ pinned }) => pinned).length > mostPinned)
    throw refusal('pinned', `At most ${mostPinned} views can be pinned. Unpin one first.`)
}

const refusal = (field: string, text: string) => new HttpError(400, text, { errors: { [field]: [text] } })

/** The latest deleted views stay, as deleting can be undone. */
async function forgetDeleted(trx: Transaction<Database>, staffId: number): Promise<void> {
  const deleted = trx
    .selectFrom('views')
    .select('id')
    .where('staff_id', '=', staffId)
    .where('deleted', '=', 1)
    .orderBy('id', 'desc')
  const old = await deleted.offset(most).limit(most).execute()
  if (old.length === 0) return
  const ids = old.map(({ id }) => id)
  await trx.deleteFrom('views').where('id', 'in', ids).execute()
}
