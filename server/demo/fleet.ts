import type { Area } from './areas.ts'
import fleet from './data/fleet-ke.json' with { type: 'json' }
import type { VehicleType } from './plates.ts'
import type { Random } from './random.ts'
import { weighted } from './random.ts'

export type Product = (typeof fleet.fares.products)[number]

/** A kind of vehicle with its fares and its usual distances. */
export interface Ride {
  type: VehicleType
  product: Product
  /** The shortest and the longest trip, in metres by road. */
  reach: [number, number]
}

export const rides: readonly Ride[] = [
  ...['economy', 'comfort', 'xl', 'electric'].map((id) => rideOf('vehicles', id, [900, 60_000])),
  rideOf('vehicles', 'safari', [2_000, 200_000]),
  ...['boda', 'boda_electric'].map((id) => rideOf('motorcycles', id, [600, 15_000])),
  rideOf('tuktuks', 'tuktuk', [600, 10_000]),
]

/** Draws the index of a ride for an area: 4x4s in parks, tuk-tuks mostly in the towns with `hasTuktuks`. */
export function pickRide(random: Random, area: Area): number {
  const { tuktuks, motorcycles } = fleet.type_mix
  const tuktukPart = area.hasTuktuks ? 0.15 : area.isCity ? 0 : tuktuks / 300
  const at = random.next()
  const productId = area.isSafari
    ? 'safari'
    : at < tuktukPart
      ? pickTuktuk(random)
      : at < tuktukPart + motorcycles / 100
        ? pickMotorcycle(random)
        : pickCar(random)
  return rides.findIndex((ride) => ride.product.id === productId)
}

export const pickColour = weighted(fleet.colours, (colour) => colour.weight)

const pickCar = productOf(fleet.vehicles.filter((model) => model.product !== 'safari'))
const pickMotorcycle = productOf(fleet.motorcycles)
const pickTuktuk = productOf(fleet.tuktuks)

function productOf(models: { product: string; weight: number }[]): (random: Random) => string {
  const pick = weighted(models, (model) => model.weight)
  return (random) => pick(random).product
}

function rideOf(type: VehicleType, id: string, reach: [number, number]): Ride {
  const product = fleet.fares.products.find((candidate) => candidate.id === id)
  if (!product) throw new Error(`fleet-ke.json has no product ${id}.`)
  return { type, product, reach }
}
