import { numberOf, text } from '../format.ts'
import { readOwn } from './client.ts'
import type { Place, Places } from './contract.ts'
import { isRow } from './loose.ts'

/** Establishments in Kenya by name (S9.10), best first, from our own gazetteer. */
export async function searchPlaces(q: string, signal: AbortSignal): Promise<Place[]> {
  const answer = await readOwn('places/', { q }, signal)
  if (!isRow<Places>(answer) || !Array.isArray(answer.results)) throw new TypeError('The answer is no list.')
  return answer.results.flatMap((row) => placeOf(row) ?? [])
}

/** A place from whatever arrived or was kept; null where something that matters is missing. */
export function placeOf(value: unknown): Place | null {
  if (!isRow<Place>(value)) return null
  const [placeName, lat, lng] = [text(value.placeName), numberOf(value.lat), numberOf(value.lng)]
  if (!placeName || lat === null || lng === null) return null
  return { placeName, lat, lng, detail: text(value.detail), credit: text(value.credit) }
}
