/// <reference types="google.maps" />
import type { Page } from 'playwright-core'

/** The places that the Google stub finds, and the ways in which it fails. */
interface Knowledge {
  places: readonly { id: string; name: string; address: string; lat?: number; lng?: number }[]
  /** Search inputs that are answered only when the test releases them. */
  held?: readonly string[]
  /** As with an invalid key: the library loads and then reports the authentication failure. */
  refusesKey?: boolean
  failsToFind?: boolean
}

interface Asked extends Omit<google.maps.places.AutocompleteRequest, 'sessionToken'> {
  /** The number of the session token, from 1; 0 without one. */
  session: number
}

declare global {
  interface Window {
    /** The requests that the Google stub has received. */
    stubbedGoogle: {
      asked: Asked[]
      fields: string[][]
      release: (input: string) => void
    }
    gm_authFailure?: () => void
  }
}

/**
 * Replaces Google's script by a stub, so that Google's loader and the console run unchanged. Resolves to a list that
 * collects the requested addresses of the script.
 */
export async function stubGoogle(page: Page, knowledge: Knowledge): Promise<URL[]> {
  const loads: URL[] = []
  await page.route('https://maps.googleapis.com/maps/api/js?*', (route) => {
    const url = new URL(route.request().url())
    loads.push(url)
    const callback = url.searchParams.get('callback') ?? ''
    return route.fulfill({
      contentType: 'text/javascript',
      body: `(${install.toString()})(${JSON.stringify(knowledge)}); ${callback}()`,
    })
  })
  return loads
}

type PlaceOf = Pick<google.maps.places.Place, 'displayName' | 'formattedAddress'> & {
  location: Pick<google.maps.LatLng, 'lat' | 'lng'> | null
}
type PredictionOf = Pick<google.maps.places.PlacePrediction, 'placeId'> & {
  text: Pick<google.maps.places.FormattableText, 'text'>
  mainText: Pick<google.maps.places.FormattableText, 'text'>
  secondaryText: Pick<google.maps.places.FormattableText, 'text'>
  toPlace: () => {
    fetchFields: (request: google.maps.places.FetchFieldsRequest) => Promise<{ place: PlaceOf }>
  }
}

/** Runs in the page, so it can use nothing that is declared outside this function. */
function install({ places, held = [], refusesKey, failsToFind }: Knowledge): void {
  let sessions = 0
  class AutocompleteSessionToken {
    readonly number = ++sessions
  }
  const releases = new Map<string, () => void>()
  const asked: Asked[] = []
  const fields: string[][] = []

  const predictionOf = ({ id, name, address, lat, lng }: Knowledge['places'][number]): PredictionOf => ({
    placeId: id,
    text: { text: `${name}, ${address}` },
    mainText: { text: name },
    secondaryText: { text: address },
    toPlace: () => ({
      fetchFields: (request) => {
        fields.push([...request.fields])
        const location = lat === undefined || lng === undefined ? null : { lat: () => lat, lng: () => lng }
        return Promise.resolve({ place: { displayName: name, formattedAddress: address, location } })
      },
    }),
  })

  const AutocompleteSuggestion = {
    fetchAutocompleteSuggestions: async (request: google.maps.places.AutocompleteRequest) => {
      const { sessionToken, ...rest } = request
      asked.push({
        ...rest,
        session: sessionToken instanceof AutocompleteSessionToken ? sessionToken.number : 0,
      })
      if (held.includes(rest.input))
        await new Promise<void>((resolve) => releases.set(rest.input, () => resolve()))
      if (failsToFind) throw new Error('Quota exceeded.')
      const found = places.filter(({ name }) => name.toLowerCase().includes(rest.input.toLowerCase()))
      return { suggestions: found.map((place) => ({ placePrediction: predictionOf(place) })) }
    },
  }

  window.stubbedGoogle = { asked, fields, release: (input) => releases.get(input)?.() }
  Object.assign(window.google.maps, {
    importLibrary: () => {
      if (refusesKey) window.gm_authFailure?.()
      return Promise.resolve({ AutocompleteSuggestion, AutocompleteSessionToken })
    },
  })
}
