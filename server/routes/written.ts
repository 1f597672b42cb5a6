import { Type } from 'typebox'
import {
  Attraction,
  AttractionBody,
  Blog,
  BlogBody,
  Change,
  Coupon,
  CouponBody,
  Problem as ProblemAnswer,
  PromoCode,
  PromoCodeBody,
} from '../../src/api/contract.ts'
import type { Deps, TypedApp } from '../deps.ts'
import { Problem } from '../problem.ts'
import { attractions } from '../queries/attractions.ts'
import { blogs } from '../queries/blogs.ts'
import { coupons } from '../queries/coupons.ts'
import { readOne } from '../queries/list.ts'
import { promoCodes } from '../queries/promo-codes.ts'
import { changeWritten, createWritten } from '../queries/written.ts'
import { IdParameters, readId } from './list.ts'
import { answerMutation } from './mutation.ts'

/** What staff write: create, and one update call that also deletes and restores (S4.7). */
export function registerWritten(app: TypedApp, deps: Deps): void {
  const { engine, now } = deps
  const oms = '/api/v1/oms'

  // S7.18
  app.get(
    `${oms}/attractions/all/:id/`,
    {
      preValidation: readId,
      schema: { params: IdParameters, response: { 200: Attraction, '4xx': ProblemAnswer } },
    },
    async (request) => {
      const attraction = await readOne(engine.db, attractions.source, request.params.id)
      if (!attraction || attraction.deleted) throw new Problem(404, 'There is no such attraction.')
      return attraction
    },
  )

  // S7.19
  app.post(
    `${oms}/attraction/create/oms/`,
    { schema: { body: AttractionBody, response: { 200: Attraction, '4xx': ProblemAnswer } } },
    (request, reply) =>
      answerMutation(deps, request, reply, (trx) => createWritten(trx, attractions, request.body, now())),
  )
  // S7.20, S7.21
  app.post(
    `${oms}/attractions/all/:id/`,
    {
      preValidation: readId,
      schema: {
        params: IdParameters,
        body: Change(AttractionBody),
        response: { 200: Attraction, '4xx': ProblemAnswer },
      },
    },
    (request, reply) => {
      const { deleted, version, ...fields } = request.body
      return answerMutation(deps, request, reply, (trx) =>
        changeWritten(trx, attractions, request.params.id, fields, { deleted, version }),
      )
    },
  )

  // S7.26
  app.post(
    `${oms}/blog/create/`,
    { schema: { body: BlogBody, response: { 200: Blog, '4xx': ProblemAnswer } } },
    (request, reply) =>
      answerMutation(deps, request, reply, (trx) => createWritten(trx, blogs, request.body, now())),
  )
  // S7.27
  app.post(
    `${oms}/blogs/:id/update/`,
    {
      preValidation: readId,
      schema: { params: IdParameters, body: Change(BlogBody), response: { 200: Blog, '4xx': ProblemAnswer } },
    },
    (request, reply) => {
      const { deleted, version, ...fields } = request.body
      return answerMutation(deps, request, reply, (trx) =>
        changeWritten(trx, blogs, request.params.id, fields, { deleted, version }),
      )
    },
  )

  // S7.29
  app.post(
    `${oms}/coupons/create/`,
    { schema: { body: CouponBody, response: { 200: Coupon, '4xx': ProblemAnswer } } },
    (request, reply) =>
      answerMutation(deps, request, reply, (trx) => createWritten(trx, coupons, request.body, now())),
  )
  // S7.30
  app.post(
    `${oms}/coupons/:id/update/`,
    {
      preValidation: readId,
      schema: {
        params: IdParameters,
        body: Change(CouponBody),
        response: { 200: Coupon, '4xx': ProblemAnswer },
      },
    },
    (request, reply) => {
      const { deleted, version, ...fields } = request.body
      return answerMutation(deps, request, reply, (trx) =>
        changeWritten(trx, coupons, request.params.id, fields, { deleted, version }),
      )
    },
  )

  // S7.32
  app.post(
    `${oms}/promo-code/create/`,
    { schema: { body: PromoCodeBody, response: { 200: PromoCode, '4xx': ProblemAnswer } } },
    (request, reply) =>
      answerMutation(deps, request, reply, (trx) => createWritten(trx, promoCodes, request.body, now())),
  )
  // S7.33: whose it is never changes.
  app.post(
    `${oms}/promo-codes/:id/update/`,
    {
      preValidation: readId,
      schema: {
        params: IdParameters,
        body: Change(Type.Omit(PromoCodeBody, ['user'])),
        response: { 200: PromoCode, '4xx': ProblemAnswer },
      },
    },
    (request, reply) => {
      const { deleted, version, ...fields } = request.body
      return answerMutation(deps, request, reply, (trx) =>
        changeWritten(trx, promoCodes, request.params.id, fields, { deleted, version }),
      )
    },
  )
}
