import { Type } from 'typebox'
import { Analytics, Problem, TermCounts, Trends } from '../../src/api/contract.ts'
import type { Deps, TypedApp } from '../deps.ts'
import { nouns } from '../nouns.ts'
import { readAnalytics } from '../queries/analytics.ts'
import { countTerms } from '../queries/term-counts.ts'
import { periods, readTrends } from '../queries/trends.ts'
import { readFor } from '../reads.ts'
import { readQuery } from './list.ts'

/** S7.2, the course of some of its figures over the last days, and how many records the terms of filters keep. */
export function registerAnalytics(app: TypedApp, deps: Deps): void {
  const { config, now } = deps
  app.get('/api/v1/oms/analytics/', { schema: { response: { 200: Analytics, '4xx': Problem } } }, (request) =>
    readFor(request, deps, (engine) => readAnalytics(engine, config.product)),
  )
  app.get('/api/v1/oms/counts/', { schema: { response: { 200: TermCounts, '4xx': Problem } } }, (request) =>
    readFor(request, deps, (engine) => countTerms(engine, nouns, now())),
  )
  app.get(
    '/api/v1/oms/trends/',
    {
      preValidation: async (request) => {
        const days = Number(readQuery(request, ['days'])('days'))
        request.query = { days: periods.find((one) => one === days) ?? 14 }
        return Promise.resolve()
      },
      schema: {
        querystring: Type.Object({ days: Type.Enum([...periods], { default: 14 }) }),
        response: { 200: Trends, '4xx': Problem },
      },
    },
    (request) => readFor(request, deps, (engine) => readTrends(engine, request.query.days, now())),
  )
}
