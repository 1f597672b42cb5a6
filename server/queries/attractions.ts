import type { Selectable } from 'kysely'
import type { Attraction, AttractionBody } from '../../src/api/contract.ts'
import type { Database } from '../db/schema.ts'
import { fold } from '../fold.ts'
import type { Columns } from './change.ts'
import type { Written } from './written.ts'
import { checkImage, fieldProblem } from './written.ts'

/** S3.11; `s` and `name` both look in the name. */
export const attractions: Written<Selectable<Database['attractions']>, Attraction, AttractionBody> = {
  noun: 'attraction',
  label: 'attraction',
  table: 'attractions',
  source: {
    table: 'attractions',
    orderings: { id: 'id' },
    filters: (engine, { s, name }) =>
      [s, name].flatMap((text) => (text ? [engine.contains('attractions', 'search', fold(text))] : [])),
    rows: (db, ids) => db.selectFrom('attractions').selectAll().where('id', 'in', ids).execute(),
    answer: (row) => ({
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
  },
  columns: async (_trx, { name, description, location, lat, lng, image }, before) => {
    const columns: Columns = before ? {} : { image: '' }
    if (name !== undefined) Object.assign(columns, { name, search: fold(name) })
    if (description !== undefined) columns['description'] = description
    if (location !== undefined) {
      if (!location.placeName.trim()) throw fieldProblem('location', 'is required')
      columns['place_name'] = location.placeName
    }
    Object.assign(columns, degrees('lat', lat, location?.lat, 90), degrees('lng', lng, location?.lng, 180))
    if (image) columns['image'] = checkImage(image) // S7.20: none uploaded keeps the existing one.
    return Promise.resolve(columns)
  },
}

/** A coordinate as it is sent, or else that of the location sent. */
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
    throw fieldProblem(own === undefined ? 'location' : name, `must be from -${most} to ${most}`)
  return { [name]: number }
}
