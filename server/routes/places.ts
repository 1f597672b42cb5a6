import { Type } from 'typebox'
import { Places, Problem } from '../../src/api/contract.ts'
import type { Deps, TypedApp } from '../deps.ts'
import { searchPlaces } from '../places.ts'

/**
 * S7.38: suggestions for the location input, from our own gazetteer of places in Kenya. With another API host configured it
 * is public, because this server does not know the tokens of that host.
 */
export function registerPlaces(app: TypedApp, { config }: Deps): void {
  app.get(
    '/api/v1/oms/places/',
    {
      config: { public: config.apiHost !== '' },
      schema: {
        querystring: Type.Object({ q: Type.String({ maxLength: 200, default: '' }) }),
        response: { 200: Places, '4xx': Problem },
      },
    },
    (request) => ({ results: searchPlaces(request.query.q) }),
  )
}
