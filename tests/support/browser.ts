import chromium from '@sparticuz/chromium'
import type { Browser, BrowserContext, BrowserContextOptions, LaunchOptions } from 'playwright-core'
import { chromium as playwright } from 'playwright-core'

/** Headless Chromium from npm, or the one that CHROME_PATH names. It talks to this machine only. */
export const launchBrowser = async (): Promise<Browser> => playwright.launch(await options())

/** The same with a profile on disk, which outlives it. */
export const launchProfile = async (
  folder: string,
  context: BrowserContextOptions,
): Promise<BrowserContext> => playwright.launchPersistentContext(folder, { ...(await options()), ...context })

async function options(): Promise<LaunchOptions> {
  return {
    executablePath: process.env['CHROME_PATH'] ?? (await chromium.executablePath()),
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
  }
}
