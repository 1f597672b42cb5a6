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

/** The violations that axe reports, each with its element. */
export async function faultsOf(page: Page): Promise<string[]> {
  // Evaluated through the debugger, as the content security policy forbids inline scripts.
  await page.evaluate(source)
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => null))),
  )
  return page.evaluate(async () => {
    // The themes differ only in colours, so in the dark theme only the rules about colours run.
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
