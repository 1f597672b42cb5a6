import type { Expression, Kysely, SqlBool } from 'kysely'
import { sql } from 'kysely'
import { bucketBits } from '../db/buckets.ts'
import type { Engine } from '../db/engine.ts'
import type { Database } from '../db/schema.ts'
import type { Terms } from './filter.ts'
import { readFilter } from './filter.ts'

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
  /** Counted and paged through `id_buckets`, as every noun is. Other tables are listed for one owner only. */
  listed?: boolean
  /** Deleted records leave the list (rulings, lists). */
  softDeleted?: boolean
  /** Field of the JSON to the column that it sorts by; each column has an index on (column, id). */
  orderings: Record<string, string>
  filters: (engine: Engine, query: ListQuery) => Expression<SqlBool>[]
  terms: Terms
  /** Reads the rows with these ids and what is joined to them, in any order. */
  rows: (db: Kysely<Database>, ids: Ids) => Promise<Row[]>
  /** The JSON of a row at the time `now`, in epoch milliseconds. */
  answer: (row: Row, now: number) => Wire
}

/** A list of ids, or a subquery that selects them. */
type Ids = number[] | Expression<number>

/** One record as its list shows it, or null. */
export async function readOne<Row extends { id: number }, Wire>(
  db: Kysely<Database>,
  source: ListSource<Row, Wire>,
  id: number,
  now: number,
): Promise<Wire | null> {
  const [row] = await source.rows(db, [id])
  return row ? source.answer(row, now) : null
}

/** By id, the records with these ids as their list shows them. */
export async function readAll<Row extends { id: number }, Wire>(
  db: Kysely<Database>,
  source: ListSource<Row, Wire>,
  ids: number[],
  now: number,
): Promise<Map<number, Wire>> {
  const rows = ids.length ? await source.rows(db, ids) : []
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
  const filters = [...scope, ...source.filters(engine, query), ...terms]
  const order = orderOf(source, query.ordering)
  const buckets = filters.length === 0 && source.listed ? await bucketsOf(engine, source.table) : null
  const count = buckets ? buckets.reduce((sum, { n }) => sum + n, 0) : await countOf(engine, source, filters)
  const totalPages = Math.ceil(count / query.page_size)
  const page = Math.min(Math.max(query.page, 1), Math.max(totalPages, 1))
  const offset = (page - 1) * query.page_size
  const ids =
    count === 0
      ? []
      : buckets && order.column === 'id'
        ? await idsByBucket(engine, source, buckets, order.descending, query.page_size, offset)
        : await idsOf(engine, source, filters, order, query.page_size, offset)
  const records = await readAll(engine.db, source, ids, now)
  return {
    results: ids.flatMap((id) => records.get(id) ?? []),
    current_page_number: page,
    total_pages: totalPages,
    next_page: page < totalPages ? page + 1 : null,
    previous_page: page > 1 ? page - 1 : null,
    count,
  }
}

interface Order {
  column: string
  descending: boolean
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

async function countOf(engine: Engine, source: Source, filters: Expression<SqlBool>[]): Promise<number> {
  const answer = await sql<{
    n: number
  }>`select count(*) as n from ${sql.table(source.table)} ${conditions(source, filters)}`.execute(engine.db)
  return answer.rows[0]?.n ?? 0
}

async function idsOf(
  engine: Engine,
  source: Source,
  filters: Expression<SqlBool>[],
  { column, descending }: Order,
  limit: number,
  offset: number,
): Promise<number[]> {
  const direction = descending ? sql`desc` : sql`asc`
  const order = column === 'id' ? sql`id ${direction}` : sql`${sql.ref(column)} ${direction}, id ${direction}`
  const answer = await sql<{
    id: number
  }>`select id from ${sql.table(source.table)} ${conditions(source, filters)}
    order by ${order} limit ${limit} offset ${offset}`.execute(engine.db)
  return answer.rows.map(({ id }) => id)
}

interface Bucket {
  bucket: number
  n: number
}

function bucketsOf(engine: Engine, entity: keyof Database): Promise<Bucket[]> {
  return engine.db
    .selectFrom('id_buckets')
    .select(['bucket', 'n'])
    .where('entity', '=', entity)
    .where('n', '>', 0)
    .orderBy('bucket')
    .execute()
}

/** Skips whole buckets up to the one that has the first id of the page, then reads from there. */
async function idsByBucket(
  engine: Engine,
  source: Source,
  buckets: Bucket[],
  descending: boolean,
  limit: number,
  offset: number,
): Promise<number[]> {
  let rest = offset
  for (const { bucket, n } of descending ? buckets.toReversed() : buckets) {
    if (rest < n) {
      const from = descending
        ? sql<SqlBool>`id < ${(bucket + 1) * 2 ** bucketBits}`
        : sql<SqlBool>`id >= ${bucket * 2 ** bucketBits}`
      return idsOf(engine, source, [from], { column: 'id', descending }, limit, rest)
    }
    rest -= n
  }
  return []
}
