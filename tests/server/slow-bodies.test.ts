import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { setImmediate as soon } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Engine } from '../../server/db/engine.ts'
import type { TypedApp } from '../../server/deps.ts'
import { openTestEngine } from '../support/engines.ts'
import { bootApp } from '../support/server.ts'
import { repeats } from '../support/soak.ts'

describe('a body that arrives slowly', () => {
  let engine: Engine
  let app: TypedApp
  let socket: Socket
  let closed: Promise<unknown>
  let answered: string
  let held: PromiseWithResolvers<object>
  let begun: PromiseWithResolvers<undefined>

  beforeEach(async () => {
    engine = await openTestEngine('sqlite')
    app = await bootApp(engine)
    held = Promise.withResolvers<object>()
    begun = Promise.withResolvers<undefined>()
    app.post('/slow-body', { config: { public: true, slow: true } }, () => ({}))
    app.get('/slow-answer', { config: { public: true } }, () => {
      begun.resolve(undefined)
      return held.promise
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    answered = ''
  })
  afterEach(async () => {
    vi.useRealTimers()
    socket.destroy()
    await app.close()
    await engine.close()
  })

  async function send(head: string[], body = '', connection = 'close'): Promise<void> {
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const arrived = once(app.server, 'request')
    socket = connect(Number(port), '127.0.0.1')
    closed = new Promise((resolve) => socket.on('close', resolve))
    socket.on('data', (data) => (answered += String(data)))
    // The server may close the connection.
    socket.on('error', () => undefined)
    socket.write([...head, 'host: localhost', `connection: ${connection}`, '', body].join('\r\n'))
    await arrived
    await soon()
  }
  /** The first half of a body of two characters. */
  const begin = (path: string, connection?: string) =>
    send([`POST ${path} HTTP/1.1`, 'content-type: application/json', 'content-length: 2'], '{', connection)

  test('has its connection closed after 30 seconds, without a reply (reliability 24)', async () => {
    await begin('/api/v1/oms/login/')
    vi.advanceTimersByTime(30_000)
    await closed
    expect(answered).toBe('')
  })

  test('is read if it is complete within 30 seconds (reliability 24)', async () => {
    await begin('/api/v1/oms/login/')
    vi.advanceTimersByTime(29_999)
    socket.write('}')
    await closed
    expect(answered).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('a long reply, such as an export, is not limited by the body timeout', async () => {
    await send(['GET /slow-answer HTTP/1.1'])
    await begun.promise
    vi.advanceTimersByTime(60_000)
    held.resolve({})
    await closed
    expect(answered).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('is given 30 seconds to end after a refusal, also on a route that is marked as slow (reliability 24)', async () => {
    await begin('/v0/b/oms/o?name=files/a.png', 'keep-alive')
    await vi.waitFor(() => expect(answered).toMatch(/^HTTP\/1\.1 401 /))
    vi.advanceTimersByTime(29_000)
    expect(socket.destroyed).toBe(false)
    vi.advanceTimersByTime(1_000)
    await closed
  })

  test('has no timeout on a route that is marked as slow (S9.13)', async () => {
    await begin('/slow-body')
    vi.advanceTimersByTime(9 * 60_000)
    socket.write('}')
    await closed
    expect(answered).toMatch(/^HTTP\/1\.1 200 /)
  })
})

test('clients that do not read, send half a request or send nothing are cut off, and no socket remains (reliability 24)', async () => {
  const engine = await openTestEngine('sqlite')
  const app = await bootApp(engine)
  expect([app.server.timeout, app.server.maxConnections]).toEqual([120_000, 1000])
  app.server.timeout = 300
  const large = Buffer.alloc(20_000_000)
  app.get('/large', { config: { public: true } }, (_request, reply) => reply.send(large))
  let accepted = 0
  let open = 0
  app.server.on('connection', (socket) => {
    accepted++
    open++
    // When its handle is closed.
    socket.on('close', () => open--)
  })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const count = promisify(app.server.getConnections.bind(app.server))
  for (const text of ['GET /large HTTP/1.1\r\nhost: localhost\r\n\r\n', 'GET /large HTTP/1.1\r\nhost', '']) {
    accepted = 0
    const clients = Array.from({ length: repeats(5, 500) }, () => {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
      socket.write(text)
      return socket.pause()
    })
    await vi.waitFor(() => expect(accepted).toBe(clients.length), { timeout: 30_000 })
    await vi.waitFor(async () => expect(await count()).toBe(0), { timeout: 30_000 })
    for (const socket of clients) socket.destroy()
  }
  await vi.waitFor(() => expect(open).toBe(0))
  await app.close()
  await engine.close()
})
