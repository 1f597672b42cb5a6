import { Problem, View, ViewBody, ViewChange, ViewCounts, Views } from '../../src/api/contract.ts'
import { staffOf } from '../auth.ts'
import type { Deps, TypedApp } from '../deps.ts'
import { nouns } from '../nouns.ts'
import { fieldError } from '../queries/edit.ts'
import { countViews } from '../queries/view-counts.ts'
import { createView, updateView, viewsOf } from '../queries/views.ts'
import { readFor } from '../reads.ts'
import { IdParameters, readId } from './list.ts'
import { answerMutation } from './mutation.ts'

const views = '/api/v1/oms/views/'

/** The saved views of the staff member who asks. */
export function registerViews(app: TypedApp, deps: Deps): void {
  const { engine, now } = deps
  app.get(views, { schema: { response: { 200: Views, '4xx': Problem } } }, async (request) => ({
    results: await viewsOf(engine.db, staffOf(request).id),
  }))

  app.get(
    `${views}counts/`,
    { schema: { response: { 200: ViewCounts, '4xx': Problem } } },
    async (request) => {
      const own = await viewsOf(engine.db, staffOf(request).id)
      const pinned = own.filter((view) => view.pinned)
      return readFor(request, deps, (database) => countViews(database, nouns, pinned, now()))
    },
  )

  const response = { 200: View, '4xx': Problem }
  app.post(`${views}create/`, { schema: { body: ViewBody, response } }, (request, reply) => {
    const { body } = request
    if (!nouns.some(({ plural }) => plural === body.list)) throw fieldError('list', 'is not a list')
    return answerMutation(deps, request, reply, (trx) => createView(trx, staffOf(request).id, body, now()))
  })

  app.post(
    `${views}:id/update/`,
    { preValidation: readId, schema: { params: IdParameters, body: ViewChange, response } },
    (request, reply) =>
      answerMutation(deps, request, reply, (trx) =>
        updateView(trx, staffOf(request).id, request.params.id, request.body, now()),
      ),
  )
}
