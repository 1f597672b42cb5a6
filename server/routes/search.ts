import { Type } from 'typebox'
import { Problem, SearchAnswer } from '../../src/api/contract.ts'
import { compressed } from '../compression.ts'
import type { Deps, TypedApp } from '../deps.ts'
import { nouns } from '../nouns.ts'
import { search } from '../queries/search.ts'
import { readFor } from '../reads.ts'
import { clamp, readQuery } from './list.ts'

const SearchParameters = Type.Object({
  q: Type.String({ maxLength: 200, default: '' }),
  nouns: Type.String({ maxLength: 200, default: '' }),
  filter: Type.String({ maxLength: 200, default: '' }),
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 5 }),
})

/** One search over all nouns, or over those whose names `nouns` lists with commas between them. */
export function registerSearch(app: TypedApp, deps: Deps): void {
  app.get(
    '/api/v1/oms/search/',
    {
      ...compressed,
      preValidation: async (request) => {
        const value = readQuery(request, ['q', 'nouns', 'filter'])
        request.query = {
          q: value('q').trim(),
          nouns: value('nouns'),
          filter: value('filter'),
          limit: clamp(value('limit'), 5, 1, 50),
        }
        return Promise.resolve()
      },
      schema: { querystring: SearchParameters, response: { 200: SearchAnswer, '4xx': Problem } },
    },
    (request) => {
      const { q, filter, limit } = request.query
      const named = request.query.nouns.split(',').flatMap((name) => name.trim() || [])
      return readFor(request, deps, (engine) =>
        search(engine, nouns, { q, nouns: named, filter, limit }, deps.now()),
      )
    },
  )
}
