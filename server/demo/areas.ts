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

/** A town or park with its places; people ride within one area. */
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
  /** By road. */
  metres: number
}

/** Cities first: about three in five rides are in Nairobi. Tuk-tuks run where fleet-ke.json says. */
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

/** Nobody is picked up from a lake; people are from an airport, most of all. */
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

/** Draws the index of an area as people live there. */
export function pickArea(random: Random): number {
  return pickTown(random).index
}

/** Two places of the area whose distance by road lies in the range, if that can be had in a few tries. */
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

/** The haversine formula on a sphere. */
function straightMetres(a: Place, b: Place): number {
  const radians = Math.PI / 180
  const half =
    Math.sin(((b.lat - a.lat) * radians) / 2) ** 2 +
    Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * Math.sin(((b.lng - a.lng) * radians) / 2) ** 2
  return 2 * 6_371_000 * Math.asin(Math.sqrt(half))
}
