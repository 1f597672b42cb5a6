/// <reference types="google.maps" />
import type { Page } from 'playwright-core'

/** What stubbed Google knows, and where it fails. */
interface Knowledge {
  places: readonly { id: string; name: string; address: string; lat?: number; lng?: number }[]
  /** Answered only once the test releases them, by their input. */
  held?: readonly string[]
  /** As of a key that is not valid: the library loads all the same. */
  refusesKey?: boolean
  failsToFind?: boolean
}

interface Asked extends Omit<google.maps.places.AutocompleteRequest, 'sessionToken'> {
  /** Which of the tokens, from 1. */
  session: number
}

declare global {
  interface Window {
    /** Of stubbed Google: what was asked of it. */
    stubbedGoogle: {
      asked: Asked[]
      fields: string[][]
      release: (input: string) => void
    }
    gm_authFailure?: () => void
  }
}

/**
 * Answers the address of Google's script with a stand-in, so that its loader and the console run unchanged. Resolves to
 * the addresses that were asked for.
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

/** Runs in the page: nothing from outside it is there. */
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
