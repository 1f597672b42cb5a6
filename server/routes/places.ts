import { Type } from 'typebox'
import { Places, Problem } from '../../src/api/contract.ts'
import type { Deps, TypedApp } from '../deps.ts'
import { searchPlaces } from '../places.ts'

/**
 * S7.38: the location input's suggestions from our own gazetteer of Kenyan establishments. It is there for consoles of
 * another API host too, whose tokens this server does not know.
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
