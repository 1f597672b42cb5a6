import { logIn, newDemoFolder } from '../demo.ts'
import { buildPage } from './build.ts'
import { installPackages } from './install.ts'
import { servePages } from './served.ts'
import type { Page, Target } from './target.ts'
import { readTexts } from './texts.ts'

const drivers = 10_000

interface Prepared {
  targets: Target[]
  /** A sentence for each peer that could not be installed. */
  missing: string[]
  close: () => void
}

/** Installs the peers, builds all pages, and serves them with demo data. */
export async function prepare(pages: readonly Page[]): Promise<Prepared> {
  const missing: string[] = []
  const built: { page: Page; folder: string }[] = []
  for (const page of pages) {
    console.log(`building ${page.title} …`)
    try {
      if (page.kind === 'peer') await installPackages(page.folder)
    } catch (error) {
      missing.push(`${page.title} is missing: ${error instanceof Error ? error.message : String(error)}.`)
      continue
    }
    built.push({ page, folder: await buildPage(page.folder) })
  }
  const served = await servePages(
    built.map(({ folder }) => folder),
    await newDemoFolder(drivers),
  )
  const [url = ''] = served.urls
  const token = await logIn(url)
  const texts = await readTexts(url, token)
  const textsOn = (list: string) => texts.get(list) ?? []
  const targets = built.map(({ page }, at) => ({ ...page, url: served.urls[at] ?? '', token, textsOn }))
  return { targets, missing, close: served.close }
}
