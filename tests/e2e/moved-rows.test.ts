import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useConsole } from '../support/console.ts'
import { isFilled } from '../support/screens.ts'
import { wireDriver, wirePage } from '../support/wire.ts'

const twende = useConsole()

const refusal =
  'The rows moved just before the click, so nothing was done. Click again for the row that is there now.'

const buttonOfAsha = (page: Page) => page.getByRole('button', { name: 'Suspend Asha' })

/**
 * Drivers with the mouse on the first one, Asha, and a clock that stands still. Then a reload brings Cleo before her, so that the
 * mouse is on Cleo, or after her. `sent` has the changes that were sent.
 */
async function openMoved(pointed = buttonOfAsha, isBefore = true) {
  const sent: string[] = []
  let drivers = [wireDriver({ id: 1, name: 'Asha' }), wireDriver({ id: 2, name: 'Ben' })]
  const page = await twende.open('/riders', {
    answers: true,
    prepare: async (before) => {
      await before.route('**/oms/drivers/?*', (route) => route.fulfill({ json: wirePage(drivers) }))
      await before.route('**/suspend/', (route) => {
        sent.push(new URL(route.request().url()).pathname.replace(/.*\/oms\//, ''))
        return route.fulfill({ json: { detail: 'Suspended' } })
      })
    },
  })
  await isFilled(page)
  const now = Date.now()
  await page.clock.setFixedTime(now)
  await pointed(page).hover()
  const cleo = wireDriver({ id: 3, name: 'Cleo' })
  drivers = isBefore ? [cleo, ...drivers] : [...drivers, cleo]
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await page.getByRole('button', { name: 'Suspend Cleo' }).waitFor()
  const click = async () => {
    await page.mouse.down()
    await page.mouse.up()
  }
  return { page, sent, click, later: (time: number) => page.clock.setFixedTime(now + time) }
}

test('a click just after a reload has brought another row under the mouse does nothing and says so; the next one counts (S9.6)', async () => {
  const { page, sent, click } = await openMoved()
  await click()
  await page.getByRole('status').filter({ hasText: refusal }).waitFor()
  expect(sent).toEqual([])
  await click()
  await expect.poll(() => sent).toEqual(['driver/3/suspend/'])
})

test('so does a click on the checkbox of such a row', async () => {
  const { page, click } = await openMoved((before) =>
    before.getByRole('checkbox', { name: 'Select 1', exact: true }),
  )
  await click()
  await page.getByRole('status').filter({ hasText: refusal }).waitFor()
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0)
  await click()
  expect(await page.getByRole('checkbox', { name: 'Select 3', exact: true }).isChecked()).toBe(true)
})

test('half a second later the click counts', async () => {
  const { sent, click, later } = await openMoved()
  await later(500)
  await click()
  await expect.poll(() => sent).toEqual(['driver/3/suspend/'])
})

test('a click counts as soon as the mouse has moved', async () => {
  const { page, sent } = await openMoved()
  await page.getByRole('button', { name: 'Suspend Cleo' }).click({ position: { x: 5, y: 5 } })
  await expect.poll(() => sent).toEqual(['driver/3/suspend/'])
})

test('a click counts if the same row is still under the mouse', async () => {
  const { sent, click } = await openMoved(buttonOfAsha, false)
  await click()
  await expect.poll(() => sent).toEqual(['driver/1/suspend/'])
})

test('a click counts after the person has scrolled', async () => {
  const { page, sent, click } = await openMoved()
  await page.evaluate(() => document.body.dispatchEvent(new WheelEvent('wheel', { bubbles: true })))
  await click()
  await expect.poll(() => sent).toEqual(['driver/3/suspend/'])
})
