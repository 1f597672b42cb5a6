import chromium from '@sparticuz/chromium'
import type { Browser } from 'playwright-core'
import { chromium as playwright } from 'playwright-core'

/** Headless Chromium from npm, or the one that CHROME_PATH names. It talks to this machine only. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROME_PATH'] ?? (await chromium.executablePath())
  return playwright.launch({
    executablePath,
    headless: true,
    args: [
      ...chromium.args.filter(
        (flag) => !flag.startsWith('--headless') && flag !== '--single-process' && flag !== '--no-zygote',
      ),
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  })
}
