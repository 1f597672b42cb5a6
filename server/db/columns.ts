import type { Generated } from 'kysely'

/** Types of columns that several tables have. */
export type Id = Generated<number>
export type Flag = 0 | 1

/** A table whose records staff create and edit. `deleted` is a soft delete (S4.7), `search` the folded text for `s`. */
export interface EditableTable {
  id: Id
  created_at: number
  search: string
  deleted: Generated<Flag>
  version: Generated<number>
}
