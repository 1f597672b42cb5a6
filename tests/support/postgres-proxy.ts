import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Server, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface PostgresProxy {
  url: string
  /** Closes all connections and accepts no new ones. */
  stop: () => Promise<void>
  start: () => Promise<void>
  /** Accepts connections but never replies. */
  startSilent: () => Promise<void>
  /** Resolves at the next connection. */
  nextConnection: () => Promise<unknown>
  /** Passes nothing on any more, also on open connections, as if PostgreSQL were suspended. */
  freeze: () => void
  /** Passes on what has come meanwhile. */
  thaw: () => void
  remove: () => Promise<void>
}

/** A proxy socket in front of PostgreSQL. Tests stop and start it as if PostgreSQL had stopped and started. */
export async function startPostgresProxy(target: string): Promise<PostgresProxy> {
  const url = new URL(target)
  const socketName = '.s.PGSQL.5432'
  const socket = join(url.searchParams.get('host') ?? '', socketName)
  const folder = mkdtempSync(join(tmpdir(), 'oms-proxy-'))
  url.searchParams.set('host', folder)
  const sockets = new Set<Socket>()
  const pairs = new Set<[client: Socket, server: Socket]>()
  let isFrozen = false
  let listener: Server | undefined

  const listen = async (onConnection: (client: Socket) => void) => {
    listener = createServer((client) => {
      keep(client)
      onConnection(client)
    }).listen(join(folder, socketName))
    await once(listener, 'listening')
  }
  const keep = (one: Socket) => {
    sockets.add(one)
    one.on('close', () => sockets.delete(one))
    one.on('error', () => one.destroy())
  }
  const pass = ([client, server]: [Socket, Socket]) => client.pipe(server).pipe(client)
  const start = () =>
    listen((client) => {
      const server = connect(socket)
      keep(server)
      const pair: [Socket, Socket] = [client, server]
      pairs.add(pair)
      if (!isFrozen) pass(pair)
      client.on('close', () => {
        pairs.delete(pair)
        server.destroy()
      })
      server.on('close', () => client.destroy())
    })
  const stop = async () => {
    if (!listener) return
    const closed = once(listener, 'close')
    listener.close()
    for (const one of sockets) one.destroy()
    await closed
    listener = undefined
  }

  await start()
  return {
    url: url.href,
    stop,
    start,
    startSilent: () => listen(() => undefined),
    nextConnection: async () => {
      if (listener) await once(listener, 'connection')
    },
    freeze: () => {
      isFrozen = true
      for (const [client, server] of pairs) {
        client.unpipe(server)
        server.unpipe(client)
      }
    },
    thaw: () => {
      isFrozen = false
      for (const pair of pairs) pass(pair)
    },
    remove: async () => {
      await stop()
      rmSync(folder, { recursive: true })
    },
  }
}
