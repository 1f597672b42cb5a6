import { getDefaultStore } from 'jotai'
import type { Suggestion } from '../api/google-places.ts'
import { hasGoogle, searchGazetteer, searchGoogle } from '../api/places.ts'
import { activityAtom } from '../state/activity.ts'

interface Suggestions {
  places: Suggestion[]
  /** Whether the gazetteer answered although a Google Maps key is configured. */
  isFallback: boolean
}

/** Places by name, best first: Google's if a key is configured and Google answers, else those of our own gazetteer. */
export async function searchPlaces(
  q: string,
  signal: AbortSignal,
  isGoogleOut = false,
): Promise<Suggestions> {
  if (hasGoogle() && !isGoogleOut)
    try {
      return { places: await searchGoogle(q), isFallback: false }
    } catch (error) {
      // Google's search cannot be aborted. If the query was aborted during it, skip the gazetteer and the note.
      signal.throwIfAborted()
      noteFailure(error)
    }
  return { places: await searchGazetteer(q, signal), isFallback: hasGoogle() }
}

/** Notes a failure of Google in the activity (R6), unless the latest entry is the same failure. */
export function noteFailure(error: unknown): void {
  const store = getDefaultStore()
  const entry = { what: 'Places from Google', outcome: 'failed', detail: String(error) } as const
  const [last] = store.get(activityAtom)
  if (last?.what !== entry.what || last.detail !== entry.detail) store.set(activityAtom, entry)
}
