import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Server } from 'node:net'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Accepts no new connection, answers each request with `connection: close`, and resolves when all connections are
     * closed or after one second. `close` then ends those that are idle and waits for open requests.
     */
    drain: () => Promise<void>
  }
}

/**
 * In milliseconds: clients that go on sending on their connections learn from an answer that they end. Ended without it, a
 * request that is under way would be lost.
 */
const grace = 1000
/** In milliseconds: the longest time for connections that have come before. */
const accepting = 3000

export function registerDrain(app: FastifyInstance): void {
  let stopping = false
  const sockets = new Set<Socket>()
  let accepted = 0
  app.server.on('connection', (socket: Socket) => {
    accepted++
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.decorate('drain', async () => {
    // Connections that Node has not taken over from the operating system would be reset. It takes over one in each turn.
    const end = performance.now() + accepting
    for (let last = -1; last !== accepted && performance.now() < end;) {
      last = accepted
      await wholeTurn()
    }
    stopping = true
    const closed = once(app.server, 'close')
    // The method of the HTTP server would end idle connections at once.
    Server.prototype.close.call(app.server)
    await Promise.race([closed, wait(grace)])
    await wholeTurn()
    // Browsers open connections in advance. For Node's HTTP server such a connection is not idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  })
  app.addHook('preClose', async () => {
    stopping = true
    return Promise.resolve()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stopping) reply.header('connection', 'close')
    done(null, payload)
  })
}

/** Waits until Node has looked at all sockets once more. The first turn may be the rest of the current one. */
async function wholeTurn(): Promise<void> {
  await turn()
  await turn()
}
