import type { Expression, Kysely, RawBuilder, SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { Engine } from '../db/engine.ts'
import type { Condition } from '../db/ids.ts'
import { IndexedCondition } from '../db/ids.ts'
import type { Database } from '../db/schema.ts'
import type { Order } from './buckets.ts'
import { bucketsOf, countListed, startOf } from './buckets.ts'
import type { Terms } from './filter.ts'
import { DayCondition, PastCondition, readFilter } from './filter.ts'
import type { KeptCount } from './kept-count.ts'
import { keptCount } from './kept-count.ts'
import type { Rows } from './rows.ts'

/** The query of a list, normalised by `listQuery` in routes/list.ts. */
export interface ListQuery {
  page: number
  page_size: number
  s: string
  phone: string
  /** Attractions only (S7.17). */
  name?: string
  ordering: string
  /** Terms with commas between them, of which all must apply; unknown ones are ignored. */
  filter: string
}

/** One kind of list: its table, filters and orderings, and the JSON of a row. */
export interface ListSource<Row extends { id: number }, Wire> {
  table: keyof Database
  /** Whether `id_buckets` counts the rows, as for every noun. Other tables are listed for one owner only. */
  listed?: boolean
  /** Whether the list omits deleted records (rulings, lists). */
  softDeleted?: boolean
  /** For each JSON field, the column to sort by. Each of these columns has an index on (column, id). */
  orderings: Record<string, string>
  filters: (engine: Engine, query: ListQuery) => Filters
  terms: Terms
  rows: Rows<Row>
  /** The JSON of a row at the time `now`, in epoch milliseconds. */
  answer: (row: Row, now: number) => Wire
}

/** Conditions that must all hold. */
export type Filters = (Condition | Promise<Condition>)[]

/** One record as its list shows it, or null. */
export async function readOne<Row extends { id: number }, Wire>(
  db: Kysely<Database>,
  source: ListSource<Row, Wire>,
  id: number,
  now: number,
): Promise<Wire | null> {
  const row = await source.rows.one(db, id)
  return row ? source.answer(row, now) : null
}

/** By id, the records with these ids as their list shows them. */
export async function readAll<Row extends { id: number }, Wire>(
  db: Kysely<Database>,
  source: ListSource<Row, Wire>,
  ids: number[],
  now: number,
): Promise<Map<number, Wire>> {
  const rows = ids.length ? await source.rows.all(db, ids) : []
  return new Map(rows.map((row) => [row.id, source.answer(row, now)]))
}

export interface ListPage<Wire> {
  results: Wire[]
  current_page_number: number
  total_pages: number
  next_page: number | null
  previous_page: number | null
  count: number
}

/**
 * One page of a list (S3.17), newest first unless `ordering` says otherwise. A page beyond the end is the last page.
 * `scope` narrows the list to one owner. Without filters the cost of a page does not grow with its depth.
 */
export async function listPage<Row extends { id: number }, Wire>(
  engine: Engine,
  source: ListSource<Row, Wire>,
  query: ListQuery,
  now: number,
  scope: Expression<SqlBool>[] = [],
): Promise<ListPage<Wire>> {
  const { conditions: terms } = readFilter(source.terms, query.filter, now)
  const asked = await Promise.all(source.filters(engine, query).map((one) => Promise.resolve(one)))
  const given = [...scope, ...asked, ...terms]
  // An index that answers the only filter does the same by itself.
  const isPlain = asked.length === 0 || (given.length === 1 && given[0] instanceof IndexedCondition)
  const filters = isPlain ? given : [...engine.whileAsked(`${source.table}.id`), ...given]
  const order = orderOf(source, query.ordering)
  const isWhole = filters.length === 0 && source.listed === true
  if (isWhole && order.column === 'id') return pageById(engine, source, query, now, order.descending)
  const index = order.column === 'id' ? indexOf(source, filters) : null
  const kept = source.listed === true ? await keptCount(engine.db, source.table, given) : null
  const elsewhere = asked.length > 0 ? engine.searching : engine.reading
  if (order.column === 'id' && isOfTimes(filters, kept)) {
    const { n, low, high } = kept ?? (await countDays(elsewhere, source, filters))
    const bounded = [sql<SqlBool>`id between ${low} and ${high}`, ...filters.map(withoutIndex)]
    return pageOf(engine, source, query, now, n, (offset) =>
      idsOf(elsewhere, source, bounded, order, query.page_size, offset),
    )
  }
  // On SQLite, the newest matches are found at once. To count all of them can take some milliseconds, so that is done on a thread.
  const isQuick = index?.readsAll === false && !engine.remote
  const db = isQuick ? engine.db : elsewhere
  const counting = isQuick ? engine.reading : elsewhere
  const read = (offset: number) => idsOf(db, source, filters, order, query.page_size, offset)
  // A first page that is not full has all matches, which then need not be counted. Without an index for all of the
  // filters, it may take longer to find no row than to count.
  const first = query.page <= 1 && index ? await read(0) : null
  const count = isWhole
    ? await countListed(engine.db, source.table)
    : first && first.length < query.page_size
      ? first.length
      : (kept?.n ?? first?.[0]?.count ?? (await countOf(counting, source, filters)))
  return pageOf(engine, source, query, now, count, (offset) => first ?? read(offset))
}

/** The page that a query asks for, of so many records; `read` gives the ids after an offset. */
async function pageOf<Row extends { id: number }, Wire>(
  engine: Engine,
  source: ListSource<Row, Wire>,
  query: ListQuery,
  now: number,
  count: number,
  read: (offset: number) => Listed[] | Promise<Listed[]>,
): Promise<ListPage<Wire>> {
  const { offset, ...numbers } = numbersOf(query, count)
  const found = count === 0 ? [] : await read(offset)
  const ids = found.map(({ id }) => id)
  const records = await readAll(engine.db, source, ids, now)
  return { results: ids.flatMap((id) => records.get(id) ?? []), ...numbers }
}

/** A page of all records in the order of their ids: one statement finds and reads them. */
async function pageById<Row extends { id: number }, Wire>(
  { db, remote }: Engine,
  source: ListSource<Row, Wire>,
  query: ListQuery,
  now: number,
  descending: boolean,
): Promise<ListPage<Wire>> {
  const order = { column: 'id', descending }
  // The first page needs only the sum of the counts.
  const buckets = query.page > 1 ? await bucketsOf(db, source.table, descending) : null
  const count = buckets?.reduce((sum, { n }) => sum + n, 0) ?? (await countListed(db, source.table))
  const { offset, ...numbers } = numbersOf(query, count)
  const from = startOf(buckets ?? [], order, query.page_size, offset)
  const ids =
    from.offset > 0 && remote
      ? skipping(source, from, query.page_size)
      : idsQuery(source, from.bound, from.order, query.page_size, from.offset)
  const rows = count > 0 ? await source.rows.all(db, sql<number>`(${ids})`) : []
  rows.sort((one, other) => (descending ? other.id - one.id : one.id - other.id))
  return { results: rows.map((row) => source.answer(row, now)), ...numbers }
}

/**
 * The ids of a page, after so many others that are skipped. PostgreSQL expects an offset to skip a tenth of the rows. For a tenth of the table it
 * would plan the statement at each call, which takes longer than to run it. So on PostgreSQL the offset applies to a subquery, limited to the rows that are
 * needed. Its limit is a literal, and a power of two so that there are few different statements.
 */
function skipping(source: Source, { bound, order, offset }: ReturnType<typeof startOf>, limit: number) {
  const needed = 2 ** Math.ceil(Math.log2(offset + limit))
  const near = idsQuery(source, bound, order, needed, 0)
  const direction = order.descending ? sql`desc` : sql`asc`
  return sql<Listed>`select id from (${near}) as near order by id ${direction} limit ${sql.lit(limit)} offset ${offset}`
}

/** The offset of the page, and what its answer says besides the records. */
function numbersOf({ page: asked, page_size: size }: ListQuery, count: number) {
  const pages = Math.ceil(count / size)
  const page = Math.min(Math.max(asked, 1), Math.max(pages, 1))
  return {
    offset: (page - 1) * size,
    current_page_number: page,
    total_pages: pages,
    next_page: page < pages ? page + 1 : null,
    previous_page: page > 1 ? page - 1 : null,
    count,
  }
}

/**
 * Whether the filters keep some days, or what is over and counted. Between the first and the last of their ids, the rows are then
 * read in the order of their ids, which is nearly that of their dates. Sorting the ids of a year would take several times as long.
 */
function isOfTimes(filters: readonly Expression<SqlBool>[], kept: KeptCount | null): boolean {
  return filters.some((one) => one instanceof DayCondition || (one instanceof PastCondition && kept !== null))
}

const withoutIndex = (filter: Expression<SqlBool>) => (filter instanceof DayCondition ? filter.plain : filter)

/** Their number, and the first and the last of their ids. */
async function countDays(
  db: Kysely<Database>,
  source: Source,
  filters: Expression<SqlBool>[],
): Promise<KeptCount> {
  const answer = await sql<KeptCount>`
    select count(*) as n, coalesce(min(id), 0) as low, coalesce(max(id), 0) as high
    from ${sql.table(source.table)} ${conditions(source, filters)}`.execute(db)
  return answer.rows[0] ?? { n: 0, low: 0, high: 0 }
}

function orderOf(source: { orderings: Record<string, string> }, ordering: string): Order {
  const descending = ordering.startsWith('-')
  const column = source.orderings[descending ? ordering.slice(1) : ordering]
  return column && Object.hasOwn(source.orderings, ordering.replace(/^-/, ''))
    ? { column, descending }
    : { column: 'id', descending: true }
}

type Source = Pick<ListSource<never, unknown>, 'table' | 'softDeleted'>

function conditions({ softDeleted }: Source, filters: Expression<SqlBool>[]) {
  const all = softDeleted ? [sql<SqlBool>`deleted = 0`, ...filters] : filters
  return all.length ? sql`where ${sql.join(all, sql` and `)}` : sql``
}

/** The condition that alone gives the ids of the list, so that the rows of the table need not be read. */
function indexOf({ softDeleted }: Source, filters: Expression<SqlBool>[]): IndexedCondition | null {
  const [only, ...others] = filters
  return only instanceof IndexedCondition && others.length === 0 && !softDeleted ? only : null
}

async function countOf(
  db: Kysely<Database>,
  source: Source,
  filters: Expression<SqlBool>[],
): Promise<number> {
  const index = indexOf(source, filters)
  const counting =
    index?.counted ??
    sql<{ n: number }>`select count(*) as n from ${sql.table(source.table)} ${conditions(source, filters)}`
  const answer = await counting.execute(db)
  return answer.rows[0]?.n ?? 0
}

/** `count` is the number of all records that the list has, where it is known without another statement. */
interface Listed {
  id: number
  count?: number
}

async function idsOf(db: Kysely<Database>, ...asked: Parameters<typeof idsQuery>): Promise<Listed[]> {
  const answer = await idsQuery(...asked).execute(db)
  return answer.rows
}

function idsQuery(
  source: Source,
  filters: Expression<SqlBool>[],
  { column, descending }: Order,
  limit: number,
  offset: number,
): RawBuilder<Listed> {
  const direction = descending ? sql`desc` : sql`asc`
  const index = column === 'id' ? indexOf(source, filters) : null
  const found = index?.readsAll
    ? sql`with found as materialized (${index.ids}) select id, (select count(*) from found) as count from found`
    : index
      ? index.alone
      : sql`select id from ${sql.table(source.table)} ${conditions(source, filters)}`
  const order = column === 'id' ? sql`id ${direction}` : sql`${sql.ref(column)} ${direction}, id ${direction}`
  // As a literal, so that PostgreSQL, which expects a tenth of all rows for a parameter, plans the statement once.
  return sql<Listed>`${found} order by ${order} limit ${sql.lit(limit)}${offset > 0 ? sql` offset ${offset}` : sql``}`
}
