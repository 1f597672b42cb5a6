import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LucideIcon } from 'lucide-react'
import * as lucide from 'lucide-react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { root } from '../../server/root.ts'
import { iconPath } from '../../vite.config.ts'
import { useConsole } from '../support/console.ts'
import { isFilled } from '../support/screens.ts'

const twende = useConsole()

const modules = join(root, 'node_modules/lucide-react/dist/esm')

const isIcon = (one: unknown): one is LucideIcon => typeof one === 'object' && one !== null && 'render' in one

/** The icons that the console has, with their modules. */
function usedIcons(): { name: string; icon: LucideIcon; file: string }[] {
  const imports = /import \{([^}]*)\} from 'lucide-react'/g
  const names = globSync('src/**/*.{ts,tsx}', { cwd: root })
    .flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(imports)])
    .flatMap(([, list = '']) => list.split(',').map((name) => name.trim()))
    .filter((name) => name !== '')
  const all = new Map<string, unknown>(Object.entries(lucide))
  const index = readFileSync(join(modules, 'lucide-react.mjs'), 'utf8')
  return [...new Set(names)].map((name) => {
    const file = new RegExp(`default as ${name}[, ][^;]*? from '(.*?)'`).exec(index)?.[1]
    const icon = all.get(name)
    if (!isIcon(icon) || file === undefined) throw new Error(`Lucide has no icon "${name}".`)
    return { name, icon, file }
  })
}

/** Runs in the page. How many of the pixels of two pictures are more than half a shade apart. */
async function differentPixels(pictures: string[]): Promise<number> {
  const drawn = await Promise.all(
    pictures.map(async (picture) => {
      const image = new Image()
      image.src = `data:image/svg+xml,${encodeURIComponent(picture)}`
      await image.decode()
      const canvas = new OffscreenCanvas(240, 240).getContext('2d')
      canvas?.drawImage(image, 0, 0)
      return canvas?.getImageData(0, 0, 240, 240).data ?? new Uint8ClampedArray()
    }),
  )
  const [one = new Uint8ClampedArray(), other = new Uint8ClampedArray()] = drawn
  if (!one.some((value) => value > 0)) throw new Error('The picture is empty.')
  return one.filter((value, at) => Math.abs(value - (other[at] ?? 0)) > 127).length
}

test('every icon of the console can be one path, which looks like the icon of Lucide', async () => {
  const page = await twende.open('/riders')
  const used = usedIcons()
  expect(used.map(({ name }) => name)).toEqual(expect.arrayContaining(['Siren', 'X', 'PanelLeft', 'Ban']))
  for (const { name, icon, file } of used) {
    const path = iconPath(await import(pathToFileURL(join(modules, file)).href))
    const theirs = renderToStaticMarkup(createElement(icon, { color: 'black', size: 240 }))
    const ours = `${theirs.slice(0, theirs.indexOf('>') + 1)}<path d="${path ?? ''}"/></svg>`
    expect([name, await page.evaluate(differentPixels, [theirs, ours])]).toEqual([name, 0])
  }
})

test('an icon of the console has the lines of the text colour that Lucide gives it, and a tick has thicker ones (S2.k.3)', async () => {
  const page = await twende.open('/invoices')
  await isFilled(page)
  const lines = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((icon) => {
        const { fill, stroke, strokeWidth, strokeLinecap, strokeLinejoin, color } = getComputedStyle(icon)
        return [
          fill,
          stroke === color,
          strokeWidth,
          strokeLinecap,
          strokeLinejoin,
          icon.innerHTML.split('<path').length,
        ]
      })
  expect(await lines('nav svg')).toEqual(['none', true, '2px', 'round', 'round', 2])
  expect(await lines('svg[data-tick=true]')).toEqual(['none', true, '3px', 'round', 'round', 2])
  expect(await lines('svg[data-tick=false]')).toEqual(['none', true, '3px', 'round', 'round', 2])
})
