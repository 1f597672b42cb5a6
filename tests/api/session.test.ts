import { createStore, getDefaultStore } from 'jotai'
import { describe, expect, it } from 'vitest'
import { capabilitiesAtom, configAtom, loadConfig } from '../../src/api/config.ts'
import { queryClient } from '../../src/api/query-client.ts'
import { loadCapabilities } from '../../src/api/capabilities.ts'
import { logIn, logOut } from '../../src/api/session.ts'
import { startSession } from '../../src/state/session.ts'
import { calls, callsTo, lose, refuse, serve } from '../support/network.ts'

const store = getDefaultStore()
const initial = createStore()
const { signal } = new AbortController()

const garbage: [string, () => unknown][] = [
  ['a network failure', lose],
  ['a 404', () => refuse(404)],
  ['a web page', () => new Response('<!doctype html>')],
  ['a 204', () => new Response(null, { status: 204 })],
  ['null', () => Response.json(null)],
  ['a list', () => []],
  ['a text', () => Response.json('config')],
  ['an empty object', () => ({})],
]

describe('the configuration', () => {
  it('is what /config.json contains', async () => {
    const demoLogin = { email: 'dispatcher@twende.test', password: 'twende-demo' }
    const config = {
      product: 'safiri',
      apiHost: 'https://api.safiri.test',
      authScheme: 'Token',
      demoLogin,
      firebase: { apiKey: 'k', storageBucket: 'safiri.example' },
      mapsKey: 'm',
    }
    serve({ 'GET /config.json': config })
    await loadConfig()
    expect(store.get(configAtom)).toEqual(config)
  })

  it('is read from the host that served the page, without a token', async () => {
    startSession({ token: 'abc', email: 'asha@twende.test' })
    store.set(configAtom, (config) => ({ ...config, apiHost: 'https://api.safiri.test' }))
    serve({ 'GET /config.json': {} })
    await loadConfig()
    expect(calls[0]?.origin).toBe(window.location.origin)
    expect(calls[0]?.headers.has('authorization')).toBe(false)
  })

  it.each(garbage)('stays the default after %s', async (_what, answer) => {
    serve({ 'GET /config.json': answer })
    await loadConfig()
    expect(store.get(configAtom)).toEqual({
      product: 'twende',
      apiHost: '',
      authScheme: 'Bearer',
      demoLogin: null,
      firebase: null,
      mapsKey: '',
    })
  })

  it.each([
    [{ mapsKey: 5, firebase: 'project' }],
    [{ product: 5, apiHost: null, authScheme: ['Token'], demoLogin: 'demo' }],
    [{ demoLogin: { email: 'a@b' } }],
    [{ demoLogin: { email: '', password: 'x' } }],
    [{ demoLogin: { email: 5, password: {} } }],
  ])('ignores the invalid values in %j', async (config) => {
    serve({ 'GET /config.json': config })
    await loadConfig()
    expect(store.get(configAtom)).toEqual(initial.get(configAtom))
  })
})

describe('the capabilities of a server', () => {
  it('are the same object while it offers the same, so that nothing is rendered again', async () => {
    serve({ 'GET capabilities/': { counts: true, filters: { drivers: ['suspended'] } } })
    await loadCapabilities()
    const known = store.get(capabilitiesAtom)
    queryClient.clear()
    await loadCapabilities()
    expect(callsTo('GET capabilities/')).toHaveLength(2)
    expect(store.get(capabilitiesAtom)).toBe(known)
  })

  it('are those that it announces', async () => {
    const capabilities = {
      count: true,
      page_size: true,
      idempotency: true,
      logout: true,
      search: true,
      acknowledge: true,
      views: true,
      trends: true,
      counts: true,
      sessions: true,
      ordering: { drivers: ['id', 'name'] },
      filters: { invoices: ['overdue', 'driver:'] },
    }
    serve({ 'GET capabilities/': { ...capabilities, events: true } })
    await loadCapabilities(signal)
    expect(store.get(capabilitiesAtom)).toEqual(capabilities)
  })

  it.each(garbage)('are none after %s', async (_what, answer) => {
    serve({ 'GET capabilities/': answer })
    await loadCapabilities(signal)
    expect(store.get(capabilitiesAtom)).toMatchObject({
      count: false,
      page_size: false,
      idempotency: false,
      search: false,
      views: false,
      ordering: {},
      filters: {},
    })
  })

  it.each([
    ['is not sent after a 404', () => refuse(404), false],
    ['is not sent if none is announced', () => ({}), false],
    ['is sent if it is announced', () => ({ logout: true }), true],
    ['is sent if the server does not answer', lose, true],
    ['is sent after a 500', () => refuse(500), true],
  ])('decide about the logout call: it %s', async (_what, answer, isTried) => {
    serve({ 'GET capabilities/': answer })
    await loadCapabilities(signal)
    await logOut()
    expect(calls.some(({ path }) => path === 'logout/')).toBe(isTried)
  })

  it.each([
    { count: 'yes', page_size: 1, idempotency: {}, ordering: 'id' },
    { ordering: { drivers: 'id', trips: null } },
    { ordering: ['id'] },
    { ordering: 7 },
    { filters: { trips: 'id' }, search: 1 },
  ])('are read without the invalid values in %j', async (capabilities) => {
    serve({ 'GET capabilities/': capabilities })
    await loadCapabilities(signal)
    expect(store.get(capabilitiesAtom)).toEqual({ ...initial.get(capabilitiesAtom), logout: false })
  })

  it('have only the texts among the field names in ordering', async () => {
    serve({ 'GET capabilities/': { ordering: { drivers: ['id', 5, null, 'name'] } } })
    await loadCapabilities(signal)
    expect(store.get(capabilitiesAtom).ordering).toEqual({ drivers: ['id', 'name'] })
  })
})

describe('login and logout', () => {
  it.each([{}, { token: '' }, { token: 5 }, { token: null }, [[]], 'abc', null])(
    'a login rejects if the answer is %j, which has no token (S3.18)',
    async (answer) => {
      serve({ 'POST login/': () => Response.json(answer) })
      await expect(logIn('asha@twende.test', 'secret')).rejects.toThrow()
    },
  )

  it.each(garbage)('a logout resolves after %s (S2.b.5)', async (_what, answer) => {
    serve({ 'POST logout/': answer })
    await expect(logOut()).resolves.toBeUndefined()
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST logout/'])
  })
})
