import { describe, expect, test } from 'vitest'
import { press, useConsole } from '../support/console.ts'
import { usePlainBackend } from '../support/plain-backend.ts'
import { isFilled, misfits, routes } from '../support/screens.ts'

const twende = useConsole(usePlainBackend())

describe('names of 300 characters, Arabic and emoji break no layout', () => {
  test.each([...routes, '/riders/30', '/riders/29', '/attractions/8', '/attractions/7'])(
    'on %s, at 1440, 1024 and 390 px (S9.6)',
    async (path) => {
      const page = await twende.open(path)
      await isFilled(page)
      for (const width of [1440, 1024, 390]) {
        await page.setViewportSize({ width, height: 800 })
        await expect.poll(() => misfits(page), { message: `at ${width} px` }).toEqual([])
      }
    },
  )
})

test('a window of 640 x 315 px, as of a laptop with letters twice as large, has rows of a list in view (S9.6)', async () => {
  const page = await twende.open('/riders')
  await isFilled(page)
  await page.setViewportSize({ width: 640, height: 315 })
  const rows = page.getByRole('grid').locator('xpath=..')
  await expect.poll(async () => (await rows.boundingBox())?.height).toBeGreaterThanOrEqual(150)
  await rows.scrollIntoViewIfNeeded()
  expect(await misfits(page)).toEqual([])
})

test('a backend without saved views gets no room for them above the rows of a search (S9.6)', async () => {
  const page = await twende.open('/riders')
  const top = async () => {
    await isFilled(page)
    return (await page.getByRole('grid').boundingBox())?.y
  }
  const before = await top()
  await page.goto(`${twende.url}/riders?name=a`)
  expect(await top()).toBe(before)
})

describe('beside a name of 300 characters', () => {
  const openAt = async (width: number) => {
    const page = await twende.open('/riders', { viewport: { width, height: 800 } })
    await isFilled(page)
    const link = page.getByRole('link', { name: /^Wanjiru wa Kariuki wa/ }).first()
    await link.focus()
    return page
  }

  test.each([1440, 390])(
    'the menu of the row is in the window, with all of its texts, at %d px (S9.6)',
    async (width) => {
      const page = await openAt(width)
      await press(page, 'Shift+F10')
      const menu = page.getByRole('menu')
      await expect.poll(() => menu.evaluate(outside)).toEqual([])
      expect((await menu.boundingBox())?.width).toBeLessThan(600)
    },
  )

  test.each([1440, 390])(
    'the button that closes the panel of the row keeps its size, at %d px (S9.6)',
    async (width) => {
      const page = await openAt(width)
      await press(page, 'o')
      const close = page.getByRole('button', { name: 'Close', exact: true })
      const { width: across, height } = (await close.boundingBox()) ?? { width: 0, height: 0 }
      expect(height).toBeLessThanOrEqual(44)
      expect(across).toBeGreaterThan(height)
    },
  )
})

/** The texts of a menu that are partly outside of the window or cut. */
function outside(menu: Element): string[] {
  const isOutside = (part: Element) => {
    const { left, right } = part.getBoundingClientRect()
    return left < 0 || right > innerWidth || part.scrollWidth > part.clientWidth + 1
  }
  return [menu, ...menu.querySelectorAll('[role=menuitem]')]
    .filter(isOutside)
    .map(({ textContent }) => textContent.slice(0, 20))
}
