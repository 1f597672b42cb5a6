import { setTimeout as wait } from 'node:timers/promises'
import type { CDPSession } from 'playwright-core'

interface Request {
  isScript: boolean
  /** Seconds on the browser's clock; null while it runs. */
  end: number | null
  /** As transferred: compressed, with headers. */
  bytes: number
}

export interface Network {
  /** What had arrived this many milliseconds after the start of the navigation, in kB of 1,024 bytes. */
  loadedBy: (milliseconds: number) => { script: number; all: number }
  /** Resolves when nothing has been requested or received for `quiet` milliseconds, or after `limit` milliseconds. */
  settle: (quiet?: number, limit?: number) => Promise<void>
}

/** Records what a page transfers from now on. */
export async function watchNetwork(cdp: CDPSession): Promise<Network> {
  const requests = new Map<string, Request>()
  let start: number | null = null
  let changed = Date.now()
  cdp.on('Network.requestWillBeSent', ({ requestId, request, type, timestamp }) => {
    if (type === 'Document') start ??= timestamp
    changed = Date.now()
    const isScript = type === 'Script' || /\.js(\?|$)/.test(request.url)
    if (!request.url.startsWith('data:')) requests.set(requestId, { isScript, end: null, bytes: 0 })
  })
  cdp.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    changed = Date.now()
    const request = requests.get(requestId)
    if (request) requests.set(requestId, { ...request, end: timestamp, bytes: encodedDataLength })
  })
  await cdp.send('Network.enable')
  return {
    loadedBy: (milliseconds) => {
      const limit = (start ?? 0) + milliseconds / 1000
      const loaded = [...requests.values()].filter(({ end }) => end !== null && end <= limit)
      const sum = (some: Request[]) => some.reduce((total, { bytes }) => total + bytes, 0) / 1024
      return { script: sum(loaded.filter(({ isScript }) => isScript)), all: sum(loaded) }
    },
    settle: async (quiet = 500, limit = 10_000) => {
      const since = Date.now()
      while (Date.now() - Math.max(changed, since) < quiet && Date.now() - since < limit) await wait(25)
    },
  }
}
