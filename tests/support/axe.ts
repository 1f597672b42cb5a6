import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

declare global {
  interface Window {
    axe: typeof axe
  }
}

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong, each with the element; nothing is what is wanted. */
export async function faultsOf(page: Page): Promise<string[]> {
  // As a script of the browser's, not of the page: the policy allows none that is inline.
  await page.evaluate(source)
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => null))),
  )
  return page.evaluate(async () => {
    // The themes differ in colours alone; whatever else there is to find, the light one shows.
    const isDark = window.matchMedia('(prefers-color-scheme: dark)').matches
    const { violations } = await window.axe.run(document, {
      resultTypes: ['violations'],
      ...(isDark && { runOnly: ['color-contrast', 'link-in-text-block'] }),
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
    )
  })
}
