import { waitFor } from '@testing-library/react'
import { getDefaultStore } from 'jotai'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  endSession,
  endSessionEverywhere,
  joinSession,
  readSession,
  sessionAtom,
  startSession,
} from '../../src/state/session.ts'

const store = getDefaultStore()
const session = { token: 'abc', email: 'asha@twende.test' }
const stored = () => Object.fromEntries(Object.entries(sessionStorage))

beforeEach(() => {
  sessionStorage.clear()
  endSession()
})

describe('the stored session (S4.1)', () => {
  it('consists of two JSON values in session storage (S3.19, S9.14)', () => {
    startSession(session)
    expect(stored()).toEqual({
      'oms.session': '{"token":"abc"}',
      'oms.staff': '{"email":"asha@twende.test"}',
    })
    expect(store.get(sessionAtom)).toEqual(session)
    expect(readSession()).toEqual(session)
  })

  it('loses both values when the session ends', () => {
    startSession(session)
    endSession()
    expect(stored()).toEqual({})
    expect(store.get(sessionAtom)).toBeNull()
    expect(readSession()).toBeNull()
  })

  const good = { 'oms.session': '{"token":"abc"}', 'oms.staff': '{"email":"asha@twende.test"}' }
  it.each([
    ['no token', { 'oms.staff': good['oms.staff'] }],
    ['no e-mail', { 'oms.session': good['oms.session'] }],
    ['an empty token', { ...good, 'oms.session': '{"token":""}' }],
    ['corrupt JSON', { ...good, 'oms.session': '{"token":' }],
    ['corrupt JSON of the e-mail', { ...good, 'oms.staff': 'asha' }],
    ['an empty text', { ...good, 'oms.session': '' }],
    ['null', { ...good, 'oms.session': 'null' }],
    ['a list', { ...good, 'oms.session': '["abc"]' }],
    ['a bare text', { ...good, 'oms.session': '"abc"' }],
    ['a token that is a number', { ...good, 'oms.session': '{"token":5}' }],
    ['a token that is an object', { ...good, 'oms.session': '{"token":{"token":"abc"}}' }],
    ['an inherited token', { ...good, 'oms.session': '{"__proto__":{"token":"abc"}}' }],
  ])('with %s counts as logged out and loses both values (reliability 26)', (_what, values) => {
    for (const [key, value] of Object.entries(values)) sessionStorage.setItem(key, value)
    expect(readSession()).toBeNull()
    expect(stored()).toEqual({})
  })

  it.each([
    ['blocked', new DOMException('The operation is insecure.', 'SecurityError')],
    ['missing', new ReferenceError('sessionStorage is not defined')],
  ])(
    'counts as logged out if storage is %s; a login then lasts as long as the page (reliability 26)',
    (_how, error) => {
      const storage = vi.spyOn(globalThis, 'sessionStorage', 'get').mockImplementation(() => {
        throw error
      })
      expect(readSession()).toBeNull()
      startSession(session)
      expect(store.get(sessionAtom)).toEqual(session)
      endSession()
      expect(store.get(sessionAtom)).toBeNull()
      storage.mockRestore()
    },
  )

  it('is not stored in part if storage is full (reliability 26)', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(function (this: Storage, key, value) {
      if (key === 'oms.staff') throw new DOMException('Full', 'QuotaExceededError')
      this[key] = value
    })
    startSession(session)
    expect(stored()).toEqual({})
    expect(readSession()).toBeNull()
    // The session lasts as long as the page.
    expect(store.get(sessionAtom)).toEqual(session)
  })
})

describe('the tabs of one browser (S2.b.5)', () => {
  let sibling: BroadcastChannel
  let heard: unknown[] = []
  beforeEach(() => {
    heard = []
    sibling = new BroadcastChannel('oms.session')
    sibling.onmessage = (event: MessageEvent<unknown>) => heard.push(event.data)
  })
  afterEach(() => {
    vi.useRealTimers()
    sibling.close()
  })

  it('a new tab takes the session of another tab without waiting for the timeout', async () => {
    // The timeout of 120 ms never fires: only the message resolves joinSession.
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    sibling.onmessage = () => sibling.postMessage({ type: 'told', session })
    await joinSession()
    expect(store.get(sessionAtom)).toEqual(session)
    expect(readSession()).toEqual(session)
  })

  it('a new tab without other tabs is logged out after 120 ms', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const joined = joinSession()
    vi.advanceTimersByTime(120)
    await joined
    expect(store.get(sessionAtom)).toBeNull()
    vi.useRealTimers()
    await waitFor(() => expect(heard).toEqual([{ type: 'asked' }]))
  })

  it('a tab that has a session does not ask for one', async () => {
    startSession(session)
    store.get(sessionAtom)
    await joinSession()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(heard).toEqual([])
    expect(store.get(sessionAtom)).toEqual(session)
  })

  it('a signed-in tab sends its session to a tab that asks', async () => {
    startSession(session)
    await joinSession()
    sibling.postMessage({ type: 'asked' })
    await waitFor(() => expect(heard).toEqual([{ type: 'told', session }]))
  })

  it('a logged-out tab does not answer a tab that asks', async () => {
    await joinSession()
    heard = []
    sibling.postMessage({ type: 'asked' })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(heard).toEqual([])
  })

  it('a tab logs out when another one does', async () => {
    startSession(session)
    await joinSession()
    sibling.postMessage({ type: 'ended' })
    await waitFor(() => expect(store.get(sessionAtom)).toBeNull())
    expect(stored()).toEqual({})
  })

  it('a tab that logs out tells the others', async () => {
    startSession(session)
    await joinSession()
    endSessionEverywhere()
    await waitFor(() => expect(heard).toEqual([{ type: 'ended' }]))
    expect(store.get(sessionAtom)).toBeNull()
  })

  it('a session that ends without a logout ends in this tab only', async () => {
    startSession(session)
    await joinSession()
    endSession()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(heard).toEqual([])
  })

  it.each([
    null,
    'ended!',
    { type: 'told' },
    { type: 'told', session: { token: 'x' } },
    { type: 'told', session: { token: 5, email: 'x' } },
    { type: 'other', session },
    [[]],
  ])('the message %j changes nothing', async (message) => {
    await joinSession()
    sibling.postMessage(message)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(store.get(sessionAtom)).toBeNull()
  })

  it('a message of another tab does not replace an existing session', async () => {
    startSession(session)
    await joinSession()
    sibling.postMessage({ type: 'told', session: { token: 'other', email: 'other@twende.test' } })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(store.get(sessionAtom)).toEqual(session)
  })
})
