import { getDefaultStore } from 'jotai'
import { numberOf, text } from '../format.ts'
import { activityAtom } from '../state/activity.ts'
import { readOwn } from './client.ts'
import { configAtom } from './config.ts'
import type { Place, Places } from './contract.ts'
import type { Suggestion } from './google-places.ts'
import { isRow } from './loose.ts'

interface Suggestions {
  places: Suggestion[]
  /** The gazetteer stood in for Google. */
  isFallback: boolean
}

const store = getDefaultStore()

/**
 * Establishments in Kenya by name (S9.10), best first: Google's where a key is configured and Google answers, or those
 * of our own gazetteer.
 */
export async function searchPlaces(
  q: string,
  signal: AbortSignal,
  isGoogleOut = false,
): Promise<Suggestions> {
  const { mapsKey } = store.get(configAtom)
  if (mapsKey && !isGoogleOut)
    try {
      const places = await import('./google-places.ts').then(({ askGoogle }) => askGoogle(mapsKey, q))
      return { places, isFallback: false }
    } catch (error) {
      // Google knows no abort: for what nobody waits for any more nothing stands in.
      signal.throwIfAborted()
      noteFailure(error)
    }
  return { places: await searchGazetteer(q, signal), isFallback: mapsKey !== '' }
}

/** R6, once for each reason in a row. */
export function noteFailure(error: unknown): void {
  const entry = { what: 'Places from Google', outcome: 'failed', detail: String(error) } as const
  const [last] = store.get(activityAtom)
  if (last?.what !== entry.what || last.detail !== entry.detail) store.set(activityAtom, entry)
}

async function searchGazetteer(q: string, signal: AbortSignal): Promise<Suggestion[]> {
  const answer = await readOwn('places/', { q }, signal)
  if (!isRow<Places>(answer) || !Array.isArray(answer.results)) throw new TypeError('The answer is no list.')
  return answer.results.flatMap((row) => {
    const place = placeOf(row)
    return place ? [suggestionOf(place)] : []
  })
}

function suggestionOf(place: Place): Suggestion {
  const { placeName, detail, credit, lat, lng } = place
  const locate = () => Promise.resolve(place)
  return { id: `${placeName} ${lat} ${lng}`, placeName, detail, credit, locate }
}

/** A place from whatever arrived or was kept; null where something that matters is missing. */
export function placeOf(value: unknown): Place | null {
  if (!isRow<Place>(value)) return null
  const [placeName, lat, lng] = [text(value.placeName), numberOf(value.lat), numberOf(value.lng)]
  if (!placeName || lat === null || lng === null) return null
  return { placeName, lat, lng, detail: text(value.detail), credit: text(value.credit) }
}
