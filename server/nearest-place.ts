import gazetteer from './gazetteer/places-ke.json' with { type: 'json' }

/** Beyond this many metres no place is named. */
const farthest = 50_000
/** The metres of one degree of latitude, and of one degree of longitude on the equator. */
const degree = 111_195
const compass = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW']

type Place = (typeof gazetteer.places)[number]

/** From south to north, so that a search can begin at the latitude of a point. */
const places: readonly Place[] = gazetteer.places.toSorted((a, b) => a.lat - b.lat)
const credits = new Map(gazetteer.attribution.map(({ source, url, text }) => [source, url ? text : '']))

/**
 * Where a point lies, seen from the nearest place of the gazetteer: "320 m NE of Sarit Centre"; "Near Sarit Centre" if the
 * position of the place is not known more exactly than that. `credit` names the source of the place, if its licence requires
 * it. Null if no place is within 50 km.
 */
export function nearestPlace(lat: number, lng: number): { text: string; credit: string } | null {
  const found = nearestOf(lat, lng)
  if (!found) return null
  const { place, north, east } = found
  const metres = Math.hypot(north, east)
  const rounded = Math.round(metres / 10) * 10
  const distance = rounded < 1000 ? `${rounded} m` : `${(metres / 1000).toFixed(1)} km`
  const direction = compass[(Math.round(Math.atan2(east, north) / (Math.PI / 4)) + 8) % 8] ?? ''
  const text = metres < place.accuracy_m ? `Near ${place.name}` : `${distance} ${direction} of ${place.name}`
  return { text, credit: credits.get(place.source) ?? '' }
}

interface Found {
  place: Place
  /** From the place to the point, in metres. */
  north: number
  east: number
}

/**
 * Goes north and south from the point, until the difference in latitude alone is more than the distance found. Up to 50 km
 * the earth counts as flat.
 */
function nearestOf(lat: number, lng: number): Found | null {
  const eastDegree = degree * Math.cos((lat * Math.PI) / 180)
  let best = farthest ** 2
  let found: Found | null = null
  /** False if every further place in this direction is farther away. */
  const compare = (place: Place | undefined): boolean => {
    if (!place) return false
    const north = (lat - place.lat) * degree
    if (north ** 2 > best) return false
    const east = (lng - place.lng) * eastDegree
    const square = north ** 2 + east ** 2
    if (square <= best) [best, found] = [square, { place, north, east }]
    return true
  }
  const start = firstNorthOf(lat)
  let at = start
  while (compare(places[at])) at++
  at = start - 1
  while (compare(places[at])) at--
  return found
}

/** The index of the first place that does not lie south of this latitude. */
function firstNorthOf(lat: number): number {
  let from = 0
  let to = places.length
  while (from < to) {
    const middle = (from + to) >> 1
    if ((places[middle]?.lat ?? lat) < lat) from = middle + 1
    else to = middle
  }
  return from
}
