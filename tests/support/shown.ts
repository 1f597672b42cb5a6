import type { BrowserContext } from 'playwright-core'

const unanswered = new WeakMap<BrowserContext, Set<string>>()

/** Notes the requests of a context from now on, for `shownBy`. */
export function noteRequests(context: BrowserContext): void {
  const open = new Set<string>()
  unanswered.set(context, open)
  context.on('request', (request) => open.add(request.url()))
  context.on('requestfinished', (request) => open.delete(request.url()))
  context.on('requestfailed', (request) => open.delete(request.url()))
}

/** What the pages of a context show, and its requests without an answer: to find out why a test failed that seldom does. */
export async function shownBy(context: BrowserContext): Promise<string> {
  const pages = context.pages().map(async (page) => {
    const text = page.locator('body').innerText({ timeout: 2000 })
    return `${page.url()}\n${(await text.catch(String)).slice(0, 2000)}`
  })
  return [...(await Promise.all(pages)), 'Without an answer:', ...(unanswered.get(context) ?? [])].join('\n')
}
