import { waitFor } from '@testing-library/react'
import { getDefaultStore } from 'jotai'
import { HTTPError } from 'ky'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { download, list, mutate, pathTo, read } from '../../src/api/client.ts'
import { capabilitiesAtom, configAtom } from '../../src/api/config.ts'
import { logIn, logOut } from '../../src/api/session.ts'
import type { ListQuery } from '../../src/api/contract.ts'
import { driver, driverTransactions, driverTrips } from '../../src/commands/nouns/driver.ts'
import { parseListQuery } from '../../src/state/list.ts'
import { endSession, sessionAtom, startSession } from '../../src/state/session.ts'
import { calls, callsTo, hold, lose, refuse, serve } from '../support/network.ts'
import { wireDriver, wirePage } from '../support/wire.ts'

const store = getDefaultStore()
const session = { token: 'abc', email: 'asha@twende.test' }
const { signal } = new AbortController()
const state = (search: string) => parseListQuery(search)
const listDrivers = (query: ListQuery, signal: AbortSignal) => list(driver.calls, query, signal)
const readDriver = (id: string, signal: AbortSignal) => read(pathTo(driver.calls.one ?? '', id), signal)
const suspendDriver = async (id: string, key: string) =>
  (await mutate(pathTo('driver/{id}/suspend/', id), key)).message
const unfreezeDriver = (id: string, key: string) => mutate(pathTo('driver/{id}/unfreeze/', id), key)

beforeEach(() => startSession(session))
afterEach(() => {
  vi.useRealTimers()
})

/** Settles `promise`, with fake timers that skip the pauses between retries. */
async function soon<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
  const settled = Promise.allSettled([promise])
  await vi.advanceTimersByTimeAsync(10_000)
  const [result] = await settled
  return result
}

describe('a list call', () => {
  it('always sends page, s and phone (S7.3)', async () => {
    serve({ 'GET drivers/': wirePage([]) })
    await listDrivers(state(''), signal)
    await listDrivers(state('page=3&s=jo+k&phone=%2B254&size=100&ordering=id&name=x'), signal)
    expect(calls.map(({ query }) => query)).toEqual([
      { page: '1', s: '', phone: '' },
      { page: '3', s: 'jo k', phone: '+254' },
    ])
  })

  it('sends page_size only if the server announces it', async () => {
    serve({ 'GET drivers/': wirePage([]) })
    store.set(capabilitiesAtom, (given) => ({ ...given, page_size: true }))
    await listDrivers(state('size=250'), signal)
    expect(calls[0]?.query).toEqual({ page: '1', s: '', phone: '', page_size: '250' })
  })

  it.each([
    ['ordering=name', 'name'],
    ['ordering=-name', '-name'],
    ['ordering=wallet', undefined],
    ['ordering=--name', undefined],
    ['', undefined],
  ])('with %j sends the ordering %j: only fields announced for this list', async (search, sent) => {
    serve({ 'GET drivers/': wirePage([]), 'GET trips/': wirePage([]) })
    store.set(capabilitiesAtom, (given) => ({ ...given, ordering: { drivers: ['id', 'name'] } }))
    await listDrivers(state(search), signal)
    await list({ collection: 'trips', list: 'trips/' }, state(search), signal)
    expect(callsTo('GET drivers/')[0]?.query['ordering']).toBe(sent)
    expect(callsTo('GET trips/')[0]?.query).not.toHaveProperty('ordering')
  })

  it('resolves to the page that the server sent, with count if there is one (S3.17)', async () => {
    const answer = wirePage([wireDriver({ id: 7 })], { current_page_number: 2, total_pages: 9, count: 401 })
    serve({ 'GET drivers/': answer })
    const page = await listDrivers(state('page=2'), signal)
    expect(page).toMatchObject({ page: 2, totalPages: 9, count: 401, results: [{ id: 7 }] })
  })

  it('reads page 1 for the number of the last page when a page beyond the end gets a 404', async () => {
    const pages = ({ query }: { query: Record<string, string> }) =>
      query['page'] === '1' ? wirePage([wireDriver()], { total_pages: 3 }) : refuse(404)
    serve({ 'GET drivers/': pages, 'GET drivers/:id/trips/': pages })
    expect(await listDrivers(state('page=9&s=jo'), signal)).toMatchObject({
      page: 3,
      totalPages: 3,
      results: [],
    })
    expect(await driverTrips('12', 4, signal)).toMatchObject({ page: 3, totalPages: 3, results: [] })
    expect(calls.map(({ query }) => query)).toEqual([
      { page: '9', s: 'jo', phone: '' },
      { page: '1', s: 'jo', phone: '' },
      { page: '4', page_size: '5' },
      { page: '1', page_size: '5' },
    ])
  })

  it.each(['page=1', 'page=3'])('fails if %s exists but gets a 404', async (search) => {
    serve({
      'GET drivers/': ({ query }: { query: Record<string, string> }) =>
        search === 'page=3' && query['page'] === '1' ? wirePage([], { total_pages: 3 }) : refuse(404),
    })
    await expect(listDrivers(state(search), signal)).rejects.toThrow()
  })

  it('is aborted by its signal and not retried', async () => {
    serve({ 'GET drivers/': hold().answer })
    const request = new AbortController()
    const answer = listDrivers(state(''), request.signal)
    await waitFor(() => expect(calls).toHaveLength(1))
    request.abort()
    await expect(answer).rejects.toThrow()
    expect(calls[0]?.signal.aborted).toBe(true)
    expect(calls).toHaveLength(1)
  })
})

describe('the calls for one driver', () => {
  it('read trips and transactions by page, five rows each (S7.5, S7.6, S9.4)', async () => {
    serve({ 'GET drivers/:id/trips/': wirePage([]), 'GET drivers/:id/transactions/': wirePage([]) })
    await driverTrips('12', 3, signal)
    await driverTransactions('12', 2, signal)
    expect(calls.map(({ path, query }) => [path, query])).toEqual([
      ['drivers/12/trips/', { page_size: '5', page: '3' }],
      ['drivers/12/transactions/', { page_size: '5', page: '2' }],
    ])
  })

  it('read the driver by id, without a query (S7.4)', async () => {
    serve({ 'GET drivers/:id': wireDriver({ id: 12 }) })
    expect(await readDriver('12', signal)).toMatchObject({ id: 12 })
    expect(calls[0]?.query).toEqual({})
  })

  it('percent-encode the id, so that it cannot lead to another path', async () => {
    serve({
      'GET drivers/:id': wireDriver(),
      'GET drivers/:id/trips/': wirePage([]),
      'POST driver/:id/suspend/': {},
    })
    await readDriver('../staff?x=1#', signal)
    await driverTrips('1/..', 1, signal)
    await suspendDriver('1/../2', 'key')
    expect(calls.map(({ path }) => path)).toEqual([
      'drivers/..%2Fstaff%3Fx%3D1%23',
      'drivers/1%2F../trips/',
      'driver/1%2F..%2F2/suspend/',
    ])
  })

  it.each([null, [[]], 'text', 5, true])('throw a TypeError if the answer is %j', async (answer) => {
    serve({ 'GET drivers/:id': () => Response.json(answer) })
    await expect(readDriver('12', signal)).rejects.toThrow(TypeError)
  })
})

describe('a mutation', () => {
  it('suspends and unfreezes with a POST without a body, with its Idempotency-Key (S7.7, S7.8)', async () => {
    serve({ 'POST driver/:id/suspend/': {}, 'POST driver/:id/unfreeze/': {} })
    await suspendDriver('12', 'key-1')
    await unfreezeDriver('12', 'key-2')
    expect(calls.map(({ path }) => path)).toEqual(['driver/12/suspend/', 'driver/12/unfreeze/'])
    for (const call of calls) {
      expect(call.body).toBe('')
      expect(call.headers.has('content-type')).toBe(false)
    }
    expect(calls.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['key-1', 'key-2'])
  })

  it('sends the given JSON as its body', async () => {
    serve({ 'POST blogs/:id/update/': {} })
    await mutate('blogs/3/update/', 'key', { deleted: true })
    expect(calls[0]?.body).toEqual({ deleted: true })
    expect(calls[0]?.headers.get('content-type')).toBe('application/json')
  })

  it.each([
    [{ message: 'Driver suspended' }, 'Driver suspended'],
    [{ message: '' }, ''],
    [{ message: 5 }, ''],
    [{ detail: 'x' }, ''],
    [['message'], ''],
    ['done', ''],
    [null, ''],
  ])('answered with %j resolves to the message %j', async (answer, message) => {
    serve({ 'POST driver/:id/suspend/': () => Response.json(answer) })
    expect(await suspendDriver('12', 'key')).toBe(message)
  })

  it.each([
    ['a 204', () => new Response(null, { status: 204 })],
    ['an empty body', () => new Response('')],
    ['an unfinished body', () => new Response('{"message":')],
  ])('answered with %s succeeds with a blank message', async (_what, answer) => {
    serve({ 'POST driver/:id/suspend/': answer })
    expect(await suspendDriver('12', 'key')).toBe('')
  })

  it('answered with a web page fails, because a proxy or captive portal answered instead of the server', async () => {
    serve({ 'POST driver/:id/suspend/': () => new Response('\n<!DOCTYPE html><p>Sign in to this network') })
    await expect(suspendDriver('12', 'key')).rejects.toThrow(TypeError)
  })
})

describe('a download', () => {
  const options = { signal, onProgress: () => undefined }

  it.each([
    ['empty', ''],
    ['a web page', '<!doctype html><title>Sign in</title>'],
    ['another web page', '\n<html lang="en">'],
  ])('fails if the file is %s (S8.3)', async (_what, body) => {
    serve({ 'GET drivers-export-excel/': () => new Response(body) })
    await expect(download('drivers-export-excel/', 'drivers_data.xlsx', options)).rejects.toThrow(TypeError)
  })

  it('has the file name of Content-Disposition or, without one, that of the specification (S7.9, S9.11)', async () => {
    serve({ 'GET drivers-export-excel/': () => new Response('PK') })
    expect(await download('drivers-export-excel/', 'drivers_data.xlsx', options)).toMatchObject({
      name: 'drivers_data.xlsx',
    })
    const headers = { 'content-disposition': 'attachment; filename="drivers in March.xlsx"' }
    serve({ 'GET drivers-export-excel/': () => new Response('PK', { headers }) })
    expect(await download('drivers-export-excel/', 'drivers_data.xlsx', options)).toMatchObject({
      name: 'drivers in March.xlsx',
    })
  })
})

describe('the token', () => {
  it('is sent with every call, after the word Bearer (S7.1)', async () => {
    serve({ 'GET drivers/': wirePage([]), 'POST driver/:id/suspend/': {}, 'GET drivers/:id': wireDriver() })
    await listDrivers(state(''), signal)
    await readDriver('1', signal)
    await suspendDriver('1', 'key')
    await logOut()
    expect(calls.map(({ headers }) => headers.get('authorization'))).toEqual(Array(4).fill('Bearer abc'))
  })

  it('is sent after the configured word instead of Bearer', async () => {
    serve({ 'GET drivers/': wirePage([]) })
    store.set(configAtom, (given) => ({ ...given, authScheme: 'Token' }))
    await listDrivers(state(''), signal)
    expect(calls[0]?.headers.get('authorization')).toBe('Token abc')
  })

  it('is sent to the configured host and to no other (S7.1)', async () => {
    serve({ 'GET drivers/': wirePage([]), 'POST driver/:id/suspend/': {} })
    store.set(configAtom, (given) => ({ ...given, apiHost: 'https://api.twende.test' }))
    await listDrivers(state(''), signal)
    await suspendDriver('1', 'key')
    expect(calls.map(({ origin }) => origin)).toEqual(Array(2).fill('https://api.twende.test'))
  })

  it('is sent to the host of the page if no other host is configured', async () => {
    serve({ 'GET drivers/': wirePage([]) })
    await listDrivers(state(''), signal)
    expect(calls[0]?.origin).toBe(window.location.origin)
  })

  it('is not sent with the login call (S7.16)', async () => {
    endSession()
    serve({ 'POST login/': { token: 'new' } })
    expect(await logIn('asha@twende.test', 'secret')).toBe('new')
    expect(calls[0]?.headers.has('authorization')).toBe(false)
    expect(calls[0]?.body).toEqual({ email: 'asha@twende.test', password: 'secret' })
  })
})

describe('a 401 answer', () => {
  it('to a list call ends the session and removes both stored values', async () => {
    serve({ 'GET drivers/': () => refuse(401) })
    await expect(listDrivers(state(''), signal)).rejects.toThrow(HTTPError)
    expect(store.get(sessionAtom)).toBeNull()
    expect(sessionStorage).toHaveLength(0)
    expect(calls).toHaveLength(1)
  })

  it('to a mutation ends the session', async () => {
    serve({ 'POST driver/:id/suspend/': () => refuse(401) })
    await expect(suspendDriver('1', 'key')).rejects.toThrow(HTTPError)
    expect(store.get(sessionAtom)).toBeNull()
  })

  it('to a call of an earlier session does not end the present one', async () => {
    const late = hold()
    serve({ 'GET drivers/': late.answer })
    const answer = listDrivers(state(''), signal)
    await waitFor(() => expect(calls).toHaveLength(1))
    startSession({ token: 'newer', email: 'baraka@twende.test' })
    late.give(refuse(401))
    await expect(answer).rejects.toThrow(HTTPError)
    expect(store.get(sessionAtom)?.token).toBe('newer')
  })

  it('to a login rejects the login and is not retried (S8.4)', async () => {
    endSession()
    serve({ 'POST login/': () => refuse(401) })
    await expect(logIn('asha@twende.test', 'wrong')).rejects.toThrow(HTTPError)
    expect(calls).toHaveLength(1)
  })

  it.each([400, 403, 404, 500])('ends the session, a %i does not', async (status) => {
    vi.useFakeTimers()
    serve({ 'GET drivers/': () => refuse(status) })
    await soon(listDrivers(state(''), signal))
    expect(store.get(sessionAtom)).toEqual(session)
  })
})

describe('a call that fails', () => {
  beforeEach(() => vi.useFakeTimers())

  it.each([
    ['the network fails', lose],
    ['the server answers 500', () => refuse(500)],
    ['the server answers 503', () => refuse(503)],
  ])('is retried once if it is a GET and %s', async (_what, answer) => {
    serve({ 'GET drivers/': answer })
    expect((await soon(listDrivers(state(''), signal))).status).toBe('rejected')
    expect(calls).toHaveLength(2)
  })

  it('is not retried if it is a GET and the server answers 404', async () => {
    serve({ 'GET drivers/:id': () => refuse(404) })
    expect((await soon(readDriver('9', signal))).status).toBe('rejected')
    expect(calls).toHaveLength(1)
  })

  it('resolves to the answer of the retry if it is a GET', async () => {
    serve({ 'GET drivers/': () => (calls.length === 1 ? lose() : wirePage([wireDriver()])) })
    expect(await soon(listDrivers(state(''), signal))).toMatchObject({ value: { results: [{}] } })
  })

  it.each([
    ['the network fails', lose],
    ['the server answers 500', () => refuse(500)],
    ['the server answers 429', () => refuse(429)],
  ])('is not retried if it is a mutation and %s: the change may be done (R8)', async (_what, answer) => {
    serve({ 'POST driver/:id/suspend/': answer })
    expect((await soon(suspendDriver('1', 'key'))).status).toBe('rejected')
    expect(calls).toHaveLength(1)
  })

  it('is retried with the same key if it is a mutation and the server supports the key (R8)', async () => {
    store.set(capabilitiesAtom, (given) => ({ ...given, idempotency: true }))
    serve({ 'POST driver/:id/suspend/': () => (calls.length < 3 ? lose() : { message: 'Suspended' }) })
    expect(await soon(suspendDriver('1', 'key-1'))).toMatchObject({ value: 'Suspended' })
    expect(calls.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['key-1', 'key-1', 'key-1'])
    expect(calls.every(({ headers }) => headers.get('authorization') === 'Bearer abc')).toBe(true)
  })

  it('is not retried after a 409, even if the server supports the key', async () => {
    store.set(capabilitiesAtom, (given) => ({ ...given, idempotency: true }))
    serve({ 'POST driver/:id/suspend/': () => refuse(409) })
    expect((await soon(suspendDriver('1', 'key'))).status).toBe('rejected')
    expect(calls).toHaveLength(1)
  })

  it.each([
    ['GET drivers/', () => listDrivers(state(''), signal)],
    ['POST driver/:id/suspend/', () => suspendDriver('1', 'key')],
  ])('%s ends within seconds, however late the Retry-After of a maintenance page is', async (route, call) => {
    store.set(capabilitiesAtom, (given) => ({ ...given, idempotency: true }))
    serve({ [route]: () => refuse(503, 'Maintenance', { 'retry-after': '3600' }) })
    const end = vi.fn()
    void call().catch(end)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(end).toHaveBeenCalledOnce()
  })

  it('is not retried if it is a login, because the server counts every attempt', async () => {
    endSession()
    store.set(capabilitiesAtom, (given) => ({ ...given, idempotency: true }))
    serve({ 'POST login/': () => refuse(503) })
    expect((await soon(logIn('asha@twende.test', 'secret'))).status).toBe('rejected')
    expect(calls).toHaveLength(1)
  })

  it('is aborted by the timeout of 30 seconds', async () => {
    serve({ 'GET drivers/:id': hold().answer })
    const answer = Promise.allSettled([read('drivers/1', signal)])
    await vi.advanceTimersByTimeAsync(29_000)
    expect(calls[0]?.signal.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(40_000)
    expect(await answer).toMatchObject([{ status: 'rejected' }])
    expect(calls[0]?.signal.aborted).toBe(true)
  })
})
