import gazetteer from '../gazetteer/places-ke.json' with { type: 'json' }

/** The town of each place by its name. A town is also the name of a place in it. */
const areas = new Map([
  ...gazetteer.places.map(({ town }) => [town, town] as const),
  ...gazetteer.places.map(({ name, town }) => [name, town] as const),
])

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/** Statements that store the towns of the gazetteer where triggers can read them. */
export const fillAreas: readonly string[] = [
  'delete from place_areas',
  `insert into place_areas (place, area) values ${[...areas].map(([place, area]) => `(${literal(place)}, ${literal(area)})`).join(', ')}`,
]

/** The area of a place, as SQL; '' if the gazetteer does not know the name of the place. */
export const areaOf = (place: string) => `coalesce((select area from place_areas where place = ${place}), '')`
