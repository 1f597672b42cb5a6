import { describe, expect, it, vi } from 'vitest'
import { firstCalls, sendFirstCall } from '../../src/api/first-call.ts'
import { screens } from '../../src/views/screens.ts'
import { calls, callsTo, hold, serve, useNetwork } from '../support/network.ts'

useNetwork()

const token = { 'oms.session': '{"token":"abc"}', 'oms.staff': '{"email":"asha@twende.test"}' }

/** Opens an address as a page does whose code has not come, in a tab with these values in its session storage. */
function begin(address: string, stored: Record<string, string> = token): void {
  window.history.pushState(null, '', address)
  sessionStorage.clear()
  for (const [key, value] of Object.entries(stored)) sessionStorage.setItem(key, value)
  delete window.firstCall
  sendFirstCall()
}

const settled = () => window.firstCall?.config.then(() => Promise.resolve())

describe('the call that is sent before the code of the console has come', () => {
  it.each(Object.entries(firstCalls))('is at %s the one that the screen begins with', async (path, call) => {
    const route = `GET ${call.replace(/\?.*/, '')}`
    serve({ 'GET /config.json': {}, [route]: () => new Response('{}') })
    await screens
      .find((screen) => screen.path === path)
      ?.load('', '')
      ?.queryFn({ signal: new AbortController().signal })
      .catch(() => undefined)
    begin(path)
    await settled()
    const [own, early] = callsTo(route)
    expect(own).toBeDefined()
    expect(early).toMatchObject({ path: own?.path, origin: own?.origin, query: own?.query })
    expect(early?.headers.get('accept')).toBe(own?.headers.get('accept'))
  })

  it('goes to the host of the settings, with their authentication scheme and the token of the tab', async () => {
    serve({
      'GET /config.json': { apiHost: 'https://api.safiri.test', authScheme: 'Token' },
      'GET trips/': {},
    })
    begin('/trips')
    await settled()
    const [call] = callsTo('GET trips/')
    expect(call?.origin).toBe('https://api.safiri.test')
    expect(call?.headers.get('authorization')).toBe('Token abc')
  })

  it.each([
    ['a page of another size', '/riders?size=250', token],
    ['a record', '/riders/12', token],
    ['an unknown address', '/unknown', token],
    ['a tab without a session', '/riders', {}],
    ['a tab without an e-mail', '/riders', { 'oms.session': token['oms.session'] }],
    ['a tab whose session is malformed', '/riders', { ...token, 'oms.session': '{"token":' }],
  ])('is not sent for %s', async (_what, address, stored) => {
    serve({ 'GET /config.json': {} })
    begin(address, stored)
    await settled()
    expect(calls.map(({ path }) => path)).toEqual(['/config.json'])
    expect(window.firstCall?.sent).toBeUndefined()
  })

  it('waits for the settings', async () => {
    const config = hold()
    serve({ 'GET /config.json': config.answer, 'GET sos-lists/': {} })
    begin('/sos')
    await vi.waitFor(() => expect(callsTo('GET /config.json')).toHaveLength(1))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(callsTo('GET sos-lists/')).toHaveLength(0)
    config.give({})
    await settled()
    expect(callsTo('GET sos-lists/')).toHaveLength(1)
  })
})
