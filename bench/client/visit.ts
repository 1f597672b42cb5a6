import type { Browser, CDPSession, Page } from 'playwright-core'
import { giveSession } from '../demo.ts'
import type { Network } from './network.ts'
import { watchNetwork } from './network.ts'
import { installProbe } from './probe.ts'
import type { Target } from './target.ts'

/** How slow the processor and the network are. */
const profiles = {
  '1x': { cpu: 1, network: null },
  '4x': { cpu: 4, network: null },
  /** The network that Lighthouse calls slow 4G; bytes per second. */
  slow4g: {
    cpu: 1,
    network: { latency: 150, downloadThroughput: (1638.4 * 1024) / 8, uploadThroughput: (675 * 1024) / 8 },
  },
}

export type Profile = keyof typeof profiles

export interface Visit {
  target: Target
  page: Page
  cdp: CDPSession
  network: Network
  /** Milliseconds from the start of the navigation until the first row was painted. */
  firstRow: number
}

/**
 * Opens a target's list of drivers in a new browser profile, with empty caches, and measures there. Throws if no row of the list
 * is painted within `timeout` milliseconds.
 */
export async function visit<Result>(
  browser: Browser,
  target: Target,
  { profile, rows, timeout = 60_000 }: { profile: Profile; rows: number; timeout?: number },
  measure: (visit: Visit) => Promise<Result>,
): Promise<Result> {
  const isProduct = target.kind === 'product'
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    // The product's server also serves the other pages, which insert style elements and know no login.
    bypassCSP: !isProduct,
    extraHTTPHeaders: isProduct ? {} : { authorization: `Bearer ${target.token}` },
  })
  try {
    if (isProduct) await giveSession(context, target.token)
    const texts = target.textsOn('drivers')
    await context.addInitScript(installProbe, { row: target.row, texts, timeout })
    const page = await context.newPage()
    const cdp = await context.newCDPSession(page)
    const network = await watchNetwork(cdp)
    const slow = profiles[profile]
    if (slow.network) await cdp.send('Network.emulateNetworkConditions', { offline: false, ...slow.network })
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: slow.cpu })
    await page.goto(target.url + target.drivers(rows), { waitUntil: 'commit', timeout })
    const firstRow = await page.evaluate(() => window.bench.firstRow)
    if (firstRow === null) throw new Error(`No row of the drivers in ${String(timeout)} ms.`)
    return await measure({ target, page, cdp, network, firstRow })
  } finally {
    await context.close()
  }
}
