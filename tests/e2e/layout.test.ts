import { describe, expect, test } from 'vitest'
import { useConsole } from '../support/console.ts'
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
