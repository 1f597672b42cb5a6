import { sql } from 'kysely'
import type { AttractionBody as Body } from '../../src/api/contract.ts'
import { Attraction, AttractionBody, Problem } from '../../src/api/contract.ts'
import type { EditableTable } from '../db/columns.ts'
import { HttpError } from '../http-error.ts'
import type { Columns } from '../queries/change.ts'
import { checkImage, fieldError } from '../queries/edit.ts'
import { readOne } from '../queries/list.ts'
import { containsWords } from '../queries/words.ts'
import { IdParameters, NamedListParameters, readId } from '../routes/list.ts'
import { defineNoun } from './noun.ts'

declare module '../db/schema.ts' {
  interface Database {
    attractions: EditableTable & {
      name: string
      description: string
      image: string
      place_name: string
      lat: number
      lng: number
    }
  }
}

/** S3.11; `s` and `name` both search the name. */
export const attraction = defineNoun({
  name: 'attraction',
  plural: 'attractions',
  table: 'attractions',
  list: { path: 'attractions/all/', shape: Attraction, parameters: NamedListParameters }, // S7.17
  orderings: { id: 'id' },
  search: { columns: ['name'] },
  filters: (engine, { s, name }) =>
    [s, name].flatMap((text) => (text ? [containsWords(engine, 'attractions', text)] : [])),
  found: {
    text: 'R.search',
    equals: ({ text }) => [{ rank: 'name', where: sql`search = ${text}` }],
  },
  rows: (db, ids) => db.selectFrom('attractions').selectAll().where('id', 'in', ids),
  answer: (row): Attraction => ({
    id: row.id,
    name: row.name,
    description: row.description,
    image: row.image,
    lat: row.lat.toFixed(6),
    lng: row.lng.toFixed(6),
    location: { placeName: row.place_name, lat: row.lat, lng: row.lng },
    deleted: row.deleted === 1,
    version: row.version,
  }),
  edit: {
    create: { path: 'attraction/create/oms/', body: AttractionBody }, // S7.19
    update: { path: 'attractions/all/:id/' }, // S7.20, S7.21
    columns: async (_trx, { name, description, location, lat, lng, image }: Partial<Body>, before) => {
      const columns: Columns = before ? {} : { image: '' }
      if (name !== undefined) columns['name'] = name
      if (description !== undefined) columns['description'] = description
      if (location !== undefined) {
        if (!location.placeName.trim()) throw fieldError('location', 'is required')
        columns['place_name'] = location.placeName
      }
      Object.assign(columns, degrees('lat', lat, location?.lat, 90), degrees('lng', lng, location?.lng, 180))
      if (image) columns['image'] = checkImage(image) // S7.20: an update without an image keeps the stored one.
      return Promise.resolve(columns)
    },
  },
  // S7.18
  routes: (app, { engine, now }, source) => {
    app.get(
      '/api/v1/oms/attractions/all/:id/',
      {
        preValidation: readId,
        schema: { params: IdParameters, response: { 200: Attraction, '4xx': Problem } },
      },
      async (request) => {
        const found = await readOne(engine.db, source, request.params.id, now())
        if (!found || found.deleted) throw new HttpError(404, 'There is no such attraction.')
        return found
      },
    )
  },
})

/** The coordinate that was sent, or else the coordinate in `location`. */
function degrees(
  name: string,
  own: string | number | undefined,
  ofLocation: string | number | undefined,
  most: number,
): Columns {
  const value = own ?? ofLocation
  if (value === undefined) return {}
  const number = Number(value)
  if (!Number.isFinite(number) || Math.abs(number) > most)
    throw fieldError(own === undefined ? 'location' : name, `must be from -${most} to ${most}`)
  return { [name]: number }
}
