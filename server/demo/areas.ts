import { fold } from '../fold.ts'
import fleet from './data/fleet-ke.json' with { type: 'json' }
import reference from '../gazetteer/places-ke.json' with { type: 'json' }
import type { Random } from './random.ts'
import { weighted } from './random.ts'

interface Place {
  name: string
  folded: string
  isAirport: boolean
  lat: number
  lng: number
}

/** A town or park with its places. A trip starts and ends in the same area. */
export interface Area {
  name: string
  isCity: boolean
  isSafari: boolean
  hasTuktuks: boolean
  fareFactor: number
  pickPlace: (random: Random) => Place
}

export interface Route {
  start: Place
  destination: Place
  /** Distance by road. */
  metres: number
}

/** Weights of the towns: more than half of all trips are in Nairobi. fleet-ke.json says which towns have tuk-tuks. */
const towns: [name: string, weight: number, more?: 'city' | 'tuktuks' | 'safari'][] = [
  ['Nairobi', 116, 'city'],
  ['Mombasa', 28, 'tuktuks'],
  ['Kisumu', 12, 'tuktuks'],
  ['Nakuru', 12, 'tuktuks'],
  ['Eldoret', 8, 'tuktuks'],
  ['Diani', 6, 'tuktuks'],
  ['Malindi', 4, 'tuktuks'],
  ['Naivasha', 4],
  ['Nanyuki', 3],
  ['Kakamega', 2],
  ['Kisii', 2],
  ['Nyeri', 2],
  ['Thika', 2],
  ['Talek', 3, 'safari'],
  ['Archers Post', 1, 'safari'],
  ['Ol Tukai', 1, 'safari'],
]

/**
 * How often a kind of place is the start or end of a trip, 1 for kinds that are not listed. 0 for places without roads.
 */
const kindWeights: Record<string, number> = {
  airport: 6,
  mall: 6,
  station: 5,
  bus_stage: 5,
  hotel: 4,
  hospital: 4,
  airstrip: 4,
  lodge: 4,
  office: 3,
  market: 3,
  university: 3,
  restaurant: 3,
  supermarket: 3,
  conference_centre: 3,
  lake: 0,
  island: 0,
  mountain: 0,
  marine_park: 0,
}

export const areas: readonly Area[] = towns.map(([name, , more]) => {
  const factors: Record<string, number> = fleet.fares.city_multipliers
  return {
    name,
    isCity: more === 'city',
    isSafari: more === 'safari',
    hasTuktuks: more === 'tuktuks',
    fareFactor: factors[name] ?? fleet.fares.city_multipliers.other,
    pickPlace: placesOf(name),
  }
})

/** Draws the index of an area, in proportion to the weight of its town. */
export function pickArea(random: Random): number {
  return pickTown(random).index
}

/** Two places of the area whose distance by road lies in the range. After 20 failed tries, any two places. */
export function pickRoute(random: Random, area: Area, [shortest, longest]: [number, number]): Route {
  let route = between(area.pickPlace(random), area.pickPlace(random))
  for (let tries = 0; tries < 20 && !(route.metres >= shortest && route.metres <= longest); tries++) {
    route = between(area.pickPlace(random), area.pickPlace(random))
  }
  return { ...route, metres: Math.max(route.metres, 300) }
}

const pickTown = weighted(
  towns.map(([, weight], index) => ({ weight, index })),
  (town) => town.weight,
)

function placesOf(town: string): (random: Random) => Place {
  const rows = reference.places.filter((place) => place.town === town)
  const places = rows.map(({ name, kind, lat, lng }) => ({
    weight: kindWeights[kind] ?? 1,
    place: { name, folded: fold(name), isAirport: kind === 'airport', lat, lng },
  }))
  const pick = weighted(places, ({ weight }) => weight)
  return (random) => pick(random).place
}

function between(start: Place, destination: Place): Route {
  return {
    start,
    destination,
    metres: Math.round(straightMetres(start, destination) * fleet.fares.road_factor),
  }
}

/** The distance in a straight line, by the haversine formula. */
function straightMetres(a: Place, b: Place): number {
  const radians = Math.PI / 180
  const half =
    Math.sin(((b.lat - a.lat) * radians) / 2) ** 2 +
    Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * Math.sin(((b.lng - a.lng) * radians) / 2) ** 2
  return 2 * 6_371_000 * Math.asin(Math.sqrt(half))
}
