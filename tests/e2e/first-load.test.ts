import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useConsole } from '../support/console.ts'

const twende = useConsole()

const field = (page: Page) => page.getByRole('dialog').getByRole('combobox')

test('keys that are typed before the code of the palette has come are in its text field', async () => {
  const { promise: code, resolve: come } = Promise.withResolvers<undefined>()
  const page = await twende.open('/riders', {
    prepare: (page) =>
      page.route(/assets\/dialogs-[^/]*\.js/, async (route) => {
        await code
        await route.continue()
      }),
  })
  await page.getByRole('row').nth(1).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('vehix')
  await page.keyboard.press('Backspace')
  expect(await page.getByRole('dialog').count()).toBe(0)
  come(undefined)
  await field(page).waitFor()
  expect(await field(page).inputValue()).toBe('vehi')
  await page.keyboard.type('cles')
  await page.getByRole('option', { name: 'Vehicles', exact: false }).first().waitFor()
  expect(await field(page).inputValue()).toBe('vehicles')
})

test('code that could not be loaded is asked for again, also by the key that needs it', async () => {
  let requests = 0
  twende.expectTrouble(/dialogs-/)
  const page = await twende.open('/riders', {
    prepare: (page) =>
      page.route(/assets\/dialogs-[^/]*\.js/, async (route) => {
        requests++
        if (requests < 3) await route.abort()
        else await route.continue()
      }),
  })
  await page.getByRole('row').nth(1).waitFor()
  await expect.poll(() => requests).toBeGreaterThan(0)
  await page.keyboard.press('Control+k')
  await field(page).waitFor()
  expect(requests).toBe(3)
})
