import type { Area } from './areas.ts'
import { hourInNairobi } from './clock.ts'
import fleet from './data/fleet-ke.json' with { type: 'json' }
import type { Product } from './fleet.ts'
import type { Random } from './random.ts'
import { weighted } from './random.ts'

const { surge, average_speed_kmh: speed, commission_percent } = fleet.fares

/** S9.1: the commission on an amount, both in cents. */
export function commissionOf(cents: number): number {
  return Math.round((cents * commission_percent) / 100)
}

/** The driving time in minutes, depending on the time of day. */
export function drivingMinutes(metres: number, area: Area, at: number): number {
  const hour = hourInNairobi(at)
  const isPeak = (hour >= 6 && hour < 10) || (hour >= 16 && hour < 20)
  const inTown = area.isCity ? (isPeak ? speed.city_peak : speed.city_off_peak) : speed.town
  return (metres / 1000 / (metres > 30_000 || area.isSafari ? speed.highway : inTown)) * 60
}

/** The fare in cents, by the formula in fleet-ke.json, rounded to 10 Ksh. */
export function fareOf(
  random: Random,
  product: Product,
  area: Area,
  metres: number,
  minutes: number,
): number {
  const { base, per_km, per_min, minimum } = product
  const meter =
    (base + (metres / 1000) * per_km + minutes * per_min) * pickSurge(random).factor * area.fareFactor
  return Math.round(Math.max(minimum, meter) / 10) * 1000
}

const pickSurge = weighted(surge, (step) => step.weight)
