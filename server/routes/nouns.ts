import type { FastifyRequest } from 'fastify'
import { MessageAnswer, Page, Problem } from '../../src/api/contract.ts'
import { staffOf } from '../auth.ts'
import { compressed } from '../compression.ts'
import type { Deps, TypedApp } from '../deps.ts'
import { nouns } from '../nouns.ts'
import type { Noun } from '../nouns/noun.ts'
import { readFor } from '../reads.ts'
import { registerFiles } from './files.ts'
import { IdParameters, listQuery, readId } from './list.ts'
import { answerMutation } from './mutation.ts'

const oms = '/api/v1/oms/'

/** The calls of every noun. */
export function registerNouns(app: TypedApp, deps: Deps): void {
  for (const noun of nouns) {
    registerList(app, deps, noun)
    registerEdit(app, deps, noun)
    registerActions(app, deps, noun)
    noun.routes(app, deps)
  }
  registerFiles(app, deps)
}

/** By noun, the fields that a list can be ordered by. */
export const orderings = (): Record<string, string[]> =>
  Object.fromEntries(nouns.map(({ plural, list }) => [plural, list.orderings]))

/** By noun, the terms of `filter`. */
export const filters = (): Record<string, string[]> =>
  Object.fromEntries(nouns.map(({ plural, list }) => [plural, list.terms]))

function registerList(app: TypedApp, deps: Deps, { list }: Noun): void {
  app.get(
    oms + list.path,
    {
      ...compressed,
      preValidation: listQuery(50),
      schema: { querystring: list.parameters, response: { 200: Page(list.shape), '4xx': Problem } },
    },
    (request) => readFor(request, deps, (engine) => list.page(engine, request.query, deps.now())),
  )
}

/** One call creates, another changes, deletes and restores (S4.7). */
function registerEdit(app: TypedApp, deps: Deps, { edit }: Noun): void {
  if (!edit) return
  const { create, update } = edit
  const response = { 200: edit.shape, '4xx': Problem }
  app.post(oms + create.path, { schema: { body: create.body, response } }, (request, reply) =>
    answerMutation(deps, request, reply, (trx) => edit.insert(trx, request.body, deps.now())),
  )
  app.post(
    oms + update.path,
    { preValidation: readId, schema: { params: IdParameters, body: update.body, response } },
    (request, reply) =>
      answerMutation(deps, request, reply, (trx) =>
        edit.change(trx, request.params.id, request.body, deps.now()),
      ),
  )
}

function registerActions(app: TypedApp, deps: Deps, { actions }: Noun): void {
  const response = { 200: MessageAnswer, '4xx': Problem }
  const given = (request: FastifyRequest) => ({ now: deps.now(), staffId: staffOf(request).id })
  for (const action of actions) {
    const { path, body } = action
    if (body)
      app.post(oms + path, { schema: { body: body.shape, response } }, (request, reply) =>
        answerMutation(deps, request, reply, (trx) =>
          action.run(trx, idIn(request.body, body.id), given(request)),
        ),
      )
    else
      app.post(
        oms + path,
        { preValidation: readId, schema: { params: IdParameters, response } },
        (request, reply) =>
          answerMutation(deps, request, reply, (trx) => action.run(trx, request.params.id, given(request))),
      )
  }
}

/** The body has been checked against its schema, so the field is a number. */
function idIn(body: unknown, field: string): number {
  return Number(new Map<string, unknown>(Object.entries(body ?? {})).get(field))
}
