import type { Browser } from 'playwright-core'
import { chromium } from 'playwright-core'
import { findBrowser } from '../tests/support/browser.ts'

/** Starts the browser that the tests use, headless. It reaches this machine only, so no page waits for the internet. */
export async function launchBrowser(): Promise<Browser> {
  const found = await findBrowser()
  if ('missing' in found) throw new Error(found.missing)
  return chromium.launch({
    ...found,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    ],
  })
}
