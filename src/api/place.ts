import { numberOf, text } from '../format.ts'
import type { Place } from './contract.ts'
import { isRow } from './loose.ts'

/** Checks a received or stored value; null if the name or a coordinate is missing. */
export function placeOf(value: unknown): Place | null {
  if (!isRow<Place>(value)) return null
  const [placeName, lat, lng] = [text(value.placeName), numberOf(value.lat), numberOf(value.lng)]
  if (!placeName || lat === null || lng === null) return null
  return { placeName, lat, lng, detail: text(value.detail), credit: text(value.credit) }
}
