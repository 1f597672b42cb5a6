import { screen, waitFor } from '@testing-library/react'
import { getDefaultStore } from 'jotai'
import { describe, expect, it, vi } from 'vitest'
import { configAtom } from '../../../src/api/config.ts'
import '../../support/indexed-db.ts'
import { callsTo, hold, serve } from '../../support/network.ts'
import { renderApp, toasts } from '../../support/render-app.tsx'
import { wireAttraction, wirePage } from '../../support/wire.ts'

const changed = 'POST attractions/all/:id/'
const location = () => screen.getByLabelText('Location')

/** Google's library, which finds one place and locates it with the held answer. */
function stubGoogle(located: ReturnType<typeof hold>) {
  const placePrediction = {
    placeId: 'k',
    text: { text: 'Karura Forest, Nairobi' },
    mainText: { text: 'Karura Forest' },
    toPlace: () => ({ fetchFields: located.answer }),
  }
  const library = {
    AutocompleteSessionToken: Object,
    AutocompleteSuggestion: {
      fetchAutocompleteSuggestions: () => Promise.resolve({ suggestions: [{ placePrediction }] }),
    },
  }
  vi.stubGlobal('google', { maps: { importLibrary: () => Promise.resolve(library) } })
}

describe('a place that Google is still locating', () => {
  it('keeps the form from being sent with the earlier place, and the input from being typed into (S5.2)', async () => {
    const located = hold()
    stubGoogle(located)
    // The loader remarks that it uses the stub.
    vi.spyOn(console, 'info').mockReturnValue()
    getDefaultStore().set(configAtom, (config) => ({ ...config, mapsKey: 'k' }))
    serve({ 'GET attractions/all/': wirePage([wireAttraction({ id: 5 })]), [changed]: {} })
    const { user } = renderApp({ path: '/attractions' })
    await screen.findByRole('grid')
    await user.keyboard('je')
    await screen.findByRole('dialog')
    await user.type(location(), 'karu')
    await user.click(await screen.findByRole('option', { name: /Karura/ }))
    await screen.findByText('Finding where it is…')
    await user.type(location(), 'x')
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(callsTo(changed)).toEqual([])
    expect(location()).toMatchObject({
      value: 'Karura Forest',
      ariaReadOnly: 'true',
      validationMessage: 'Finding where it is…',
    })
    located.give({
      place: { displayName: 'Karura Forest', location: { lat: () => -1.2345, lng: () => 36.8 } },
    })
    await screen.findByText('-1.234500, 36.800000')
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(toasts()).toEqual(['Attraction updated successfully']))
    expect(callsTo(changed).map(({ body }) => body)).toMatchObject([{ lat: '-1.234500', lng: '36.800000' }])
  })
})
