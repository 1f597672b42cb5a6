/// <reference types="google.maps" />
import { importLibrary, setOptions } from '@googlemaps/js-api-loader'
import type { Place } from './contract.ts'

declare global {
  interface Window {
    /** Google's way to say that it refuses the key. */
    gm_authFailure?: () => void
  }
}

/** A place that can be chosen. */
export interface Suggestion {
  id: string
  placeName: string
  detail: string
  /** Whom it comes from, in the words that they ask for. */
  credit: string
  /** Where it is, asked for when it is chosen. */
  locate: () => Promise<Place>
}

const credit = 'Powered by Google'
/** In milliseconds; Google's loader itself waits for ever. */
const patience = 4000

let refused: Promise<never> | undefined
/** What a person types until a place is chosen is one session, billed as one. */
let session: google.maps.places.AutocompleteSessionToken | undefined

/** S7.38, S9.10: establishments in Kenya as Google knows them. Rejects where Google cannot be asked. */
export async function askGoogle(key: string, input: string): Promise<Suggestion[]> {
  refused ??= begin(key)
  const library = await inTime(importLibrary('places'))
  session ??= new library.AutocompleteSessionToken()
  const { suggestions } = await inTime(
    library.AutocompleteSuggestion.fetchAutocompleteSuggestions({
      input,
      includedRegionCodes: ['ke'],
      includedPrimaryTypes: ['establishment'],
      sessionToken: session,
      language: 'en',
      region: 'ke',
    }),
  )
  return suggestions.flatMap(({ placePrediction }) =>
    placePrediction ? [suggestionOf(placePrediction)] : [],
  )
}

function begin(key: string): Promise<never> {
  setOptions({ key, v: 'weekly', language: 'en', region: 'KE' })
  const { promise, reject } = Promise.withResolvers<never>()
  window.gm_authFailure = () => reject(new Error('Google refuses the key.'))
  // Whoever waits meanwhile is told; nobody may.
  promise.catch(() => null)
  return promise
}

function suggestionOf(prediction: google.maps.places.PlacePrediction): Suggestion {
  const placeName = prediction.mainText?.text ?? prediction.text.text
  const locate = async (): Promise<Place> => {
    // One choice ends it, whatever comes of it.
    session = undefined
    const fields = ['displayName', 'formattedAddress', 'location']
    const { place } = await inTime(prediction.toPlace().fetchFields({ fields }))
    if (!place.location) throw new Error('Google knows no location of it.')
    const [lat, lng] = [place.location.lat(), place.location.lng()]
    return {
      placeName: place.displayName ?? placeName,
      detail: place.formattedAddress ?? '',
      lat,
      lng,
      credit,
    }
  }
  return {
    id: prediction.placeId,
    placeName,
    detail: prediction.secondaryText?.text ?? '',
    credit,
    locate,
  }
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('Google does not answer.')), patience)
  try {
    return await Promise.race([answer, late.promise, ...(refused ? [refused] : [])])
  } finally {
    clearTimeout(timer)
  }
}
