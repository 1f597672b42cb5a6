import { getDefaultStore } from 'jotai'
import { afterEach, describe, expect, it } from 'vitest'
import { capabilitiesAtom, configAtom, loadConfig } from '../../src/api/config.ts'
import { loadCapabilities, logIn, logOut } from '../../src/api/session.ts'
import { endSession, startSession } from '../../src/state/session.ts'
import { calls, lose, refuse, serve } from '../support/network.ts'

const store = getDefaultStore()
const plain = { capabilities: store.get(capabilitiesAtom), config: store.get(configAtom) }
const { signal } = new AbortController()

afterEach(() => {
  endSession()
  store.set(capabilitiesAtom, plain.capabilities)
  store.set(configAtom, plain.config)
})

const garbage: [string, () => unknown][] = [
  ['no answer', lose],
  ['an error', () => refuse(404)],
  ['a page', () => new Response('<!doctype html>')],
  ['nothing', () => new Response(null, { status: 204 })],
  ['null', () => Response.json(null)],
  ['a list', () => []],
  ['a text', () => Response.json('config')],
  ['an empty object', () => ({})],
]

describe('the configuration', () => {
  it('is what the installation says', async () => {
    const demoLogin = { email: 'dispatcher@twende.test', password: 'twende-demo' }
    const firebase = { storageBucket: 'safiri.firebasestorage.app', projectId: 'safiri' }
    const host = { product: 'safiri', apiHost: 'https://api.safiri.test', authScheme: 'Token' }
    const config = { ...host, demoLogin, firebase, mapsKey: 'key' }
    serve({ 'GET /config.json': config })
    await loadConfig()
    expect(store.get(configAtom)).toEqual(config)
  })

  it('is asked of the host that the page came from, without a token', async () => {
    startSession({ token: 'abc', email: 'asha@twende.test' })
    store.set(configAtom, { ...plain.config, apiHost: 'https://api.safiri.test' })
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
    [{ product: 5, apiHost: null, authScheme: ['Token'], demoLogin: 'demo' }],
    [{ demoLogin: { email: 'a@b' } }],
    [{ demoLogin: { email: '', password: 'x' } }],
    [{ demoLogin: { email: 5, password: {} } }],
    [{ firebase: 'twende', mapsKey: 5 }],
  ])('takes nothing from %j', async (config) => {
    serve({ 'GET /config.json': config })
    await loadConfig()
    expect(store.get(configAtom)).toEqual(plain.config)
  })
})

describe('what a server offers beyond the calls of section 7', () => {
  it('is what it announces', async () => {
    const capabilities = {
      count: true,
      page_size: true,
      idempotency: true,
      logout: true,
      ordering: { drivers: ['id', 'name'] },
    }
    serve({ 'GET capabilities/': { ...capabilities, events: true } })
    await loadCapabilities(signal)
    expect(store.get(capabilitiesAtom)).toEqual(capabilities)
  })

  it.each(garbage)('is nothing after %s', async (_what, answer) => {
    serve({ 'GET capabilities/': answer })
    await loadCapabilities(signal)
    expect(store.get(capabilitiesAtom)).toMatchObject({
      count: false,
      page_size: false,
      idempotency: false,
      ordering: {},
    })
  })

  it.each([
    ['has no such call', () => refuse(404), false],
    ['names no logout', () => ({}), false],
    ['names one', () => ({ logout: true }), true],
    ['does not answer', lose, true],
    ['fails', () => refuse(500), true],
  ])('of a server that %s, a logout is tried: %s', async (_what, answer, isTried) => {
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
  ])('takes nothing from %j', async (capabilities) => {
    serve({ 'GET capabilities/': capabilities })
    await loadCapabilities(signal)
    expect(store.get(capabilitiesAtom)).toEqual({ ...plain.capabilities, logout: false })
  })

  it('takes the field names among other things', async () => {
    serve({ 'GET capabilities/': { ordering: { drivers: ['id', 5, null, 'name'] } } })
    await loadCapabilities(signal)
    expect(store.get(capabilitiesAtom).ordering).toEqual({ drivers: ['id', 'name'] })
  })
})

describe('login and logout', () => {
  it.each([{}, { token: '' }, { token: 5 }, { token: null }, [], 'abc', null])(
    'the login answer %j holds no token and is a failure (S3.18)',
    async (answer) => {
      serve({ 'POST login/': () => Response.json(answer) })
      await expect(logIn('asha@twende.test', 'secret')).rejects.toThrow()
    },
  )

  it.each(garbage)('a logout that gets %s is a logout all the same (S2.b.5)', async (_what, answer) => {
    serve({ 'POST logout/': answer })
    await expect(logOut()).resolves.toBeUndefined()
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST logout/'])
  })
})
