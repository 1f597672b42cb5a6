import type { Transaction } from 'kysely'
import type { TObject, TSchema } from 'typebox'
import { Change } from '../../src/api/contract.ts'
import type { Database } from '../db/schema.ts'
import type { Engine } from '../db/engine.ts'
import type { PerHour } from '../db/hours.ts'
import type { Deps, TypedApp } from '../deps.ts'
import type { ListFile } from '../export/spreadsheet.ts'
import { fold } from '../fold.ts'
import type { Columns } from '../queries/change.ts'
import { changeRecord } from '../queries/change.ts'
import { createEditable, updateEditable } from '../queries/edit.ts'
import type { Counted, Terms } from '../queries/filter.ts'
import { countedOf, idIn, readFilter } from '../queries/filter.ts'
import type { ListPage, ListQuery, ListSource } from '../queries/list.ts'
import { listPage, readAll } from '../queries/list.ts'
import type { MutationResult } from '../queries/mutation.ts'
import type { RowsQuery } from '../queries/rows.ts'
import { rowsOf } from '../queries/rows.ts'
import type { Searchable } from '../queries/search.ts'
import type { Found } from '../queries/ways.ts'
import { ListParameters } from '../routes/list.ts'

/** A noun as listed in `server/nouns.ts`: its whole declaration, without the type of its rows. */
export interface Noun extends Searchable {
  /** The key in the capabilities: `promos`. */
  plural: string
  searched: readonly string[]
  /** The text that the column `search` has for a row; null without this column. */
  searchOf: ((row: object) => string) | null
  /** The columns that it is made from. */
  searchColumns: readonly string[]
  vocabulary: boolean
  counters: Record<string, string>
  totals: Totals[]
  perHour: PerHour | null
  counted: Counted
  list: Searchable['list'] & {
    path: string
    shape: TSchema
    parameters: Parameters
    orderings: string[]
    terms: string[]
    page(engine: Engine, query: ListQuery, now: number): Promise<ListPage<unknown>>
  }
  file: ListFile | null
  edit: {
    shape: TSchema
    create: { path: string; body: TObject }
    update: { path: string; body: TObject }
    insert(trx: Transaction<Database>, body: object, now: number): Promise<MutationResult<object>>
    change(trx: Transaction<Database>, id: number, body: object, now: number): Promise<MutationResult<object>>
  } | null
  actions: Action[]
  routes(app: TypedApp, deps: Deps): void
}

interface Action {
  path: string
  body: { shape: TSchema; id: string } | null
  run(
    trx: Transaction<Database>,
    id: number,
    given: ActionGiven,
  ): Promise<MutationResult<{ message: string }>>
}

/** The time of an action in epoch milliseconds, and the id of the staff member who does it. */
interface ActionGiven {
  now: number
  staffId: number
}

type Parameters = typeof ListParameters

/** Columns of another table that hold sums over rows of this table. */
export interface Totals {
  /** The table with the totals, and the column of this table with the id of its row. */
  of: keyof Database
  by: string
  /** For each column, an integer SQL expression over one row of this table, which has the alias `R`. */
  columns: Record<string, string>
}

/** How a noun is declared. Paths are below `/api/v1/oms/`, with `:id` in place of the record's id. */
interface Declaration<Row extends Stored, Wire extends object> extends Omit<
  ListSource<Row, Wire>,
  'table' | 'listed' | 'softDeleted' | 'terms' | 'rows'
> {
  rows: RowsQuery<Row>
  name: string
  plural: string
  /** The name in messages, if it differs: "promo code". */
  label?: string
  table: keyof Database
  list: { path: string; shape: TSchema; parameters?: Parameters }
  /** Terms of `filter`, besides `id:`. */
  terms?: Terms
  /** What the search over all nouns finds its records by, besides the id. */
  found?: Found
  /** The columns whose texts are joined in the column `search`, in the form in which they are compared: `fold` if not given. */
  search?: { columns: readonly string[]; form?: (text: string) => string }
  /** Columns with a trigram index, because they are searched often or have many rows. */
  searched?: readonly string[]
  /** The different words of `search` are listed, because they are few beside the rows. Parts of them are found there. */
  vocabulary?: boolean
  /** Counters that triggers maintain. For each name, an integer SQL expression over one row, which has the alias `R`. */
  counters?: Record<string, string>
  totals?: Totals[]
  /** What triggers count for each hour. */
  perHour?: PerHour
  /** The list as a spreadsheet. */
  file?: ListFile
  /** For a noun that staff create, update, delete and restore. `columns` are the columns that some fields set. */
  edit?: {
    create: { path: string; body: TObject }
    /** `body` is given if some fields can be set only on creation. */
    update: { path: string; body?: TObject }
    columns(trx: Transaction<Database>, body: object, before: Row | null): Promise<Columns>
  }
  actions?: {
    command: string
    path: string
    /** If the id is not in the path: the body, and the name of its field with the id. */
    body?: { shape: TSchema; id: string }
    columns: (row: Row, given: ActionGiven) => Columns
    message: (row: Row) => string
  }[]
  /** Further calls of the noun. */
  routes?: (app: TypedApp, deps: Deps, source: ListSource<Row, Wire>) => void
}

interface Stored {
  id: number
  version?: number
  deleted?: number
}

/** Adds the defaults to a declaration. `source` is also used outside the noun's list. */
export function defineNoun<Row extends Stored, Wire extends object>(
  declaration: Declaration<Row, Wire>,
): Noun & { source: ListSource<Row, Wire> } {
  const { name, plural, label = name, table, list, file = null, edit, actions = [] } = declaration
  const { filters, orderings, answer } = declaration
  const rows = rowsOf(declaration.rows)
  const terms: Terms = { ...declaration.terms, 'id:': idIn('id') }
  const shown = { listed: true, softDeleted: edit !== undefined }
  const source = { table, filters, terms, orderings, rows, answer, ...shown }
  const kind = { noun: name, label, table, source }
  const searchColumns = declaration.search?.columns ?? []
  const searchOf = (row: object): string => {
    const texts = new Map(Object.entries(row))
    return (declaration.search?.form ?? fold)(
      searchColumns.map((column) => String(texts.get(column) ?? '')).join(' '),
    )
  }
  const editable = {
    ...kind,
    columns: async (trx: Transaction<Database>, body: object, before: Row | null) => {
      const columns = (await edit?.columns(trx, body, before)) ?? {}
      return { ...columns, search: searchOf({ ...before, ...columns }) }
    },
  }
  return {
    name,
    plural,
    table,
    source,
    softDeleted: source.softDeleted,
    searched: declaration.searched ?? [],
    searchOf: declaration.search ? searchOf : null,
    searchColumns,
    vocabulary: declaration.vocabulary ?? false,
    found: declaration.found ?? {},
    counters: declaration.counters ?? {},
    totals: declaration.totals ?? [],
    perHour: declaration.perHour ?? null,
    counted: countedOf(terms),
    list: {
      parameters: ListParameters,
      ...list,
      orderings: Object.keys(orderings),
      terms: Object.keys(terms),
      filter: (filter, now) => readFilter(terms, filter, now),
      records: (engine, ids, now) => readAll(engine.db, source, ids, now),
      page: (engine, query, now) => listPage(engine, source, query, now),
    },
    file,
    edit: edit
      ? {
          shape: list.shape,
          create: edit.create,
          update: { path: edit.update.path, body: Change(edit.update.body ?? edit.create.body) },
          insert: (trx, body, now) => createEditable(trx, editable, body, now),
          change: (trx, id, body, now) => updateEditable(trx, editable, id, body, now),
        }
      : null,
    actions: actions.map(({ command, path, body = null, columns, message }) => ({
      path,
      body,
      run: async (trx, id, given) => {
        const change = { columns: (row: Row) => columns(row, given), command: () => command, now: given.now }
        const { row, audit } = await changeRecord(trx, kind, id, change)
        return { body: { message: message(row) }, audit }
      },
    })),
    routes: (app, deps) => declaration.routes?.(app, deps, source),
  }
}
