/// <reference types="google.maps" />
import { importLibrary, setOptions } from '@googlemaps/js-api-loader'
import type { Place } from './contract.ts'

declare global {
  interface Window {
    /** Called by Google's script when Google refuses the key. */
    gm_authFailure?: () => void
  }
}

/** A place that can be chosen. */
export interface Suggestion {
  id: string
  placeName: string
  detail: string
  /** The attribution, in the wording that the source requires. */
  credit: string
  /** Called when the suggestion is chosen; resolves to the place with its coordinates. */
  locate: () => Promise<Place>
}

const credit = 'Powered by Google'
/** The timeout of each call to Google, in milliseconds; Google's loader has none. */
const patience = 4000

let refused: Promise<never> | undefined
/** Google bills everything typed until a place is chosen as one session, identified by this token. */
let session: google.maps.places.AutocompleteSessionToken | undefined

/** S7.38, S9.10: Google's suggestions of establishments in Kenya. Rejects on any failure and after the timeout. */
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
  // inTime rejects the calls that are running. If none is, this prevents an unhandled rejection.
  promise.catch(() => null)
  return promise
}

function suggestionOf(prediction: google.maps.places.PlacePrediction): Suggestion {
  const placeName = prediction.mainText?.text ?? prediction.text.text
  const locate = async (): Promise<Place> => {
    // A choice ends the billed session, even if fetchFields fails.
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
