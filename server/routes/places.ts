import { Type } from 'typebox'
import type { Place } from '../../src/api/contract.ts'
import { Places, Problem as ProblemAnswer } from '../../src/api/contract.ts'
import gazetteer from '../demo/data/places-ke.json' with { type: 'json' }
import type { Deps, TypedApp } from '../deps.ts'
import { fold } from '../fold.ts'

const most = 8

const credits = new Map(gazetteer.attribution.map(({ source, url, text }) => [source, url ? text : '']))

const places = gazetteer.places.map(({ name, aliases = [], town, county, lat, lng, source }) => ({
  names: [name, ...aliases].map(fold),
  place: {
    placeName: name,
    detail: town === county ? town : `${town}, ${county}`,
    lat,
    lng,
    credit: credits.get(source) ?? '',
  } satisfies Place,
}))

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
        response: { 200: Places, '4xx': ProblemAnswer },
      },
    },
    (request) => ({ results: search(fold(request.query.q.trim())) }),
  )
}

/** Beginnings of names before beginnings of words before the rest. */
function search(query: string): Place[] {
  if (!query) return []
  const fits = [
    (name: string) => name.startsWith(query),
    (name: string) => name.includes(` ${query}`),
    (name: string) => name.includes(query),
  ]
  const ranked = fits.flatMap((fit) => places.filter(({ names }) => names.some(fit)))
  return [...new Set(ranked)].slice(0, most).map(({ place }) => place)
}
