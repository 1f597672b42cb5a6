import { afterEach, describe, expect, it, vi } from 'vitest'
import { loadCapabilities } from '../../src/api/capabilities.ts'
import { firstCalls, sendFirstCall } from '../../src/api/first-call.ts'
import { queryClient } from '../../src/api/query-client.ts'
import { startSession } from '../../src/state/session.ts'
import { screens } from '../../src/views/screens.ts'
import { resetDefaultStore } from '../support/default-store.ts'
import { calls, callsTo, hold, lose, serve, useNetwork } from '../support/network.ts'
import { wireDriver, wirePage } from '../support/wire.ts'

useNetwork()
afterEach(() => {
  // Files of tests share the window.
  delete window.firstCall
  sessionStorage.clear()
  resetDefaultStore()
  queryClient.clear()
})

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

/** The server offers all that an address can ask for. */
const offered = {
  page_size: true,
  ordering: { drivers: ['name'] },
  filters: { drivers: ['suspended', 'from:'] },
}

/** The calls of a screen, with the session of `begin`, when the code of the console has come. */
async function load(path: string, search: string): Promise<void> {
  startSession({ token: 'abc', email: 'asha@twende.test' })
  const screen = screens.find((one) => one.path === path)
  if (!screen?.load(search, '')) await loadCapabilities()
  await screen?.load(search, '')?.queryFn({ signal: new AbortController().signal })
}

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
    '?s=Jo%20Kamau&page=3',
    '?phone=%2B254712',
    '?size=1000',
    '?size=25&s=jo&page=2',
    '?ordering=-name',
    '?filter=suspended,from:2026-03-04',
    '?size=100&ordering=name&filter=suspended&s=a%26b',
  ])('is for an address with %s the one of its page, and the console sends none again', async (search) => {
    serve({
      'GET /config.json': {},
      'GET capabilities/': offered,
      'GET drivers/': wirePage([wireDriver({})]),
    })
    begin(`/riders${search}`)
    const beyond = /size|ordering|filter/.test(search)
    await vi.waitFor(() => expect(callsTo('GET drivers/')).toHaveLength(1))
    expect(callsTo('GET capabilities/')).toHaveLength(beyond ? 1 : 0)
    await load('/riders', search)
    expect(callsTo('GET drivers/')).toHaveLength(1)
    expect(callsTo('GET capabilities/')).toHaveLength(beyond ? 1 : 0)
  })

  it('has no size if the server offers none, as the console has none then', async () => {
    serve({ 'GET /config.json': {}, 'GET capabilities/': {}, 'GET drivers/': wirePage([wireDriver({})]) })
    begin('/riders?size=1000')
    await vi.waitFor(() => expect(callsTo('GET drivers/')).toHaveLength(1))
    expect(callsTo('GET drivers/')[0]?.query).toEqual({ page: '1', s: '', phone: '' })
    await load('/riders', '?size=1000')
    expect(callsTo('GET drivers/')).toHaveLength(1)
  })

  it.each([
    ['are none', () => new Response('', { status: 404 })],
    ['cannot be read', () => new Response('<html>')],
  ])('is sent too if the capabilities %s', async (_what, answer) => {
    serve({ 'GET /config.json': {}, 'GET capabilities/': answer, 'GET drivers/': wirePage([]) })
    begin('/riders?size=1000')
    await vi.waitFor(() => expect(callsTo('GET drivers/')).toHaveLength(1))
  })

  it('is not sent if the call for the capabilities is lost', async () => {
    serve({ 'GET /config.json': {}, 'GET capabilities/': lose })
    begin('/riders?size=1000')
    await vi.waitFor(() => expect(callsTo('GET capabilities/')).toHaveLength(1))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(callsTo('GET drivers/')).toHaveLength(0)
  })

  it.each([
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
    expect(window.firstCall?.sent.size).toBe(0)
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
