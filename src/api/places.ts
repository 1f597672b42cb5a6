import { getDefaultStore } from 'jotai'
import { readOwn } from './client.ts'
import { configAtom } from './config.ts'
import type { Place, Places } from './contract.ts'
import type { Suggestion } from './google-places.ts'
import { isRow } from './loose.ts'
import { placeOf } from './place.ts'

/** Whether a Google Maps key is configured. */
export const hasGoogle = () => getDefaultStore().get(configAtom).mapsKey !== ''

/** Google's establishments in Kenya by name (S9.10), best first. Throws on any failure. */
export async function searchGoogle(q: string): Promise<Suggestion[]> {
  const { mapsKey } = getDefaultStore().get(configAtom)
  return import('./google-places.ts').then(({ askGoogle }) => askGoogle(mapsKey, q))
}

/** Places of our own gazetteer by name. Throws on any failure. */
export async function searchGazetteer(q: string, signal: AbortSignal): Promise<Suggestion[]> {
  const answer = await readOwn('places/', { q }, signal)
  if (!isRow<Places>(answer) || !Array.isArray(answer.results))
    throw new TypeError('The answer is not a list.')
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
