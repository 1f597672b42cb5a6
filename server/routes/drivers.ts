import { Driver, DriverTransaction, MessageAnswer, Page, Problem, Trip } from '../../src/api/contract.ts'
import type { Deps, TypedApp } from '../deps.ts'
import { driverTransactions, findDriver, ofDriver, requireDriver, setSuspended } from '../queries/drivers.ts'
import { listPage } from '../queries/list.ts'
import { trips } from '../queries/trips.ts'
import { IdParameters, ListParameters, listQuery, readId } from './list.ts'
import { answerMutation } from './mutation.ts'

/** S7.4 to S7.8 */
export function registerDrivers(app: TypedApp, deps: Deps): void {
  const { engine } = deps

  app.get(
    '/api/v1/oms/drivers/:id',
    { preValidation: readId, schema: { params: IdParameters, response: { 200: Driver, '4xx': Problem } } },
    (request) => findDriver(engine, request.params.id),
  )

  // S9.4: five rows a page unless the caller asks for another size.
  app.get(
    '/api/v1/oms/drivers/:id/trips/',
    {
      preValidation: [readId, listQuery(5)],
      schema: {
        params: IdParameters,
        querystring: ListParameters,
        response: { 200: Page(Trip), '4xx': Problem },
      },
    },
    async (request) => {
      await requireDriver(engine, request.params.id)
      return listPage(engine, trips, request.query, ofDriver(request.params.id))
    },
  )

  app.get(
    '/api/v1/oms/drivers/:id/transactions/',
    {
      preValidation: [readId, listQuery(5)],
      schema: {
        params: IdParameters,
        querystring: ListParameters,
        response: { 200: Page(DriverTransaction), '4xx': Problem },
      },
    },
    async (request) => {
      await requireDriver(engine, request.params.id)
      return listPage(engine, driverTransactions, request.query, ofDriver(request.params.id))
    },
  )

  for (const [verb, suspended] of [
    ['suspend', true],
    ['unfreeze', false],
  ] as const) {
    app.post(
      `/api/v1/oms/driver/:id/${verb}/`,
      {
        preValidation: readId,
        schema: { params: IdParameters, response: { 200: MessageAnswer, '4xx': Problem } },
      },
      (request, reply) =>
        answerMutation(deps, request, reply, (trx) => setSuspended(trx, request.params.id, suspended)),
    )
  }
}
