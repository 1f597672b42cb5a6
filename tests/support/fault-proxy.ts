import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'

/** The fault of one request. */
export type Fault =
  /** The proxy answers with this status; the request does not reach the server. */
  | { answer: number }
  /** The connection is closed when the server has received this many bytes of the body. */
  | { cutAfter: number; meanwhile?: () => Promise<void> }
  /** The server handles the request, and its reply is lost. */
  | 'lose the answer'
  /** The server handles the request, and the proxy replies with this status instead. */
  | { answerInstead: number }

export interface FaultProxy {
  url: string
  /** The upload commands received, in order, each with its offset: "upload 262144". */
  commands: string[]
  close: () => Promise<void>
}

/** Forwards requests to `target` with the faults of `faultOf`. Upload addresses in replies lead to the proxy. */
export async function startFaultProxy(
  target: string,
  faultOf: (command: string, nth: number) => Fault | undefined | Promise<Fault | undefined>,
): Promise<FaultProxy> {
  const commands: string[] = []
  // A client may disconnect during its request: drop the reply then.
  const proxy = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = `http://127.0.0.1:${portOf(proxy.address())}`

  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // No keep-alive: on a reused connection the browser retries a failed request by itself, unseen by the page.
    outgoing.shouldKeepAlive = false
    const command = [incoming.headers['x-goog-upload-command'], incoming.headers['x-goog-upload-offset']]
      .filter((part) => part !== undefined)
      .join(' ')
    const body = await buffer(incoming)
    const nth = command ? commands.push(command) : 0
    const fault = command ? await faultOf(command, nth) : undefined
    if (typeof fault === 'object' && 'answer' in fault) {
      outgoing.writeHead(fault.answer).end()
      return
    }
    const begin = () =>
      request(target + (incoming.url ?? ''), {
        method: incoming.method,
        headers: { ...incoming.headers, 'content-length': body.length },
        agent: false,
      })
    if (typeof fault === 'object' && 'cutAfter' in fault) {
      const sent = begin().on('error', () => undefined)
      await new Promise((resolve) => sent.write(body.subarray(0, fault.cutAfter), resolve))
      sent.destroy()
      await fault.meanwhile?.()
      incoming.socket.resetAndDestroy()
      return
    }
    const ask = async () => {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        begin().on('response', resolve).on('error', reject).end(body)
      })
      return { answer, text: await buffer(answer) }
    }
    // While a test restarts the server, retry the request until the server accepts connections. Retry an aborted GET too.
    let received: Awaited<ReturnType<typeof ask>> | null = null
    while (!received)
      received = await ask().catch(async (error: unknown) => {
        const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
        if (outgoing.destroyed || !(isRefused || incoming.method === 'GET')) throw error
        await wait(50)
        return null
      })
    const { answer, text } = received
    if (fault === 'lose the answer') {
      incoming.socket.resetAndDestroy()
      return
    }
    if (fault) {
      outgoing.writeHead(fault.answerInstead).end()
      return
    }
    const headers = { ...answer.headers }
    const next = headers['x-goog-upload-url']
    if (typeof next === 'string') headers['x-goog-upload-url'] = next.replace(target, url)
    outgoing.writeHead(answer.statusCode ?? 0, headers).end(text)
  }

  return {
    url,
    commands,
    close: async () => {
      proxy.close()
      proxy.closeAllConnections()
      await once(proxy, 'close')
    },
  }
}

function portOf(address: string | AddressInfo | null): number {
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}
