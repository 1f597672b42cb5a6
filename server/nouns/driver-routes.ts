import type { Selectable, SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { TSchema } from 'typebox'
import { Driver, DriverTransaction, Page, Problem, Trip } from '../../src/api/contract.ts'
import { compressed } from '../compression.ts'
import type { Id } from '../db/columns.ts'
import type { Engine } from '../db/engine.ts'
import type { Database } from '../db/schema.ts'
import type { Deps, TypedApp } from '../deps.ts'
import { HttpError } from '../http-error.ts'
import type { ListPage, ListQuery, ListSource } from '../queries/list.ts'
import { listPage, readOne } from '../queries/list.ts'
import { rowsOf } from '../queries/rows.ts'
import { iso, ksh } from '../queries/wire.ts'
import { readFor } from '../reads.ts'
import { IdParameters, ListParameters, listQuery, readId } from '../routes/list.ts'
import { trip } from './trip.ts'

declare module '../db/schema.ts' {
  interface Database {
    driver_transactions: { id: Id; driver_id: number; amount: number; created_at: number }
  }
}

const transactions: ListSource<Selectable<Database['driver_transactions']>, DriverTransaction> = {
  table: 'driver_transactions',
  orderings: {},
  filters: () => [],
  terms: {},
  rows: rowsOf((db, ids) => db.selectFrom('driver_transactions').selectAll().where('id', 'in', ids)),
  answer: (row) => ({ transaction_id: row.id, amount: ksh(row.amount), created_at: iso(row.created_at) }),
}

/** S7.4 to S7.6 */
export function registerDriver<Row extends { id: number }>(
  app: TypedApp,
  deps: Deps,
  drivers: ListSource<Row, Driver>,
): void {
  const { engine, now } = deps
  const params = IdParameters
  app.get(
    '/api/v1/oms/drivers/:id',
    { preValidation: readId, schema: { params, response: { 200: Driver, '4xx': Problem } } },
    async (request) => {
      const found = await readOne(engine.db, drivers, request.params.id, now())
      if (!found) throw noDriver()
      return found
    },
  )

  const lists: { path: string; item: TSchema; pageOf: ReturnType<typeof pageOf> }[] = [
    { path: 'trips', item: Trip, pageOf: pageOf(trip.source) },
    { path: 'transactions', item: DriverTransaction, pageOf: pageOf(transactions) },
  ]
  for (const { path, item, pageOf } of lists)
    app.get(
      `/api/v1/oms/drivers/:id/${path}/`,
      {
        ...compressed,
        // S9.4: five rows per page by default.
        preValidation: [readId, listQuery(5)],
        schema: { params, querystring: ListParameters, response: { 200: Page(item), '4xx': Problem } },
      },
      (request) =>
        readFor(request, deps, (database) => pageOf(database, request.params.id, request.query, now())),
    )
}

/** A page of the records of one driver. Throws HttpError 404 if the driver does not exist. */
function pageOf<Row extends { id: number }, Wire>(source: ListSource<Row, Wire>) {
  return async (engine: Engine, id: number, query: ListQuery, now: number): Promise<ListPage<unknown>> => {
    const found = await engine.db.selectFrom('drivers').select('id').where('id', '=', id).executeTakeFirst()
    if (!found) throw noDriver()
    return listPage(engine, source, query, now, [sql<SqlBool>`driver_id = ${id}`])
  }
}

const noDriver = () => new HttpError(404, 'There is no such driver.')
