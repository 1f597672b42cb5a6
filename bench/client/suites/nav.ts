import type { CDPSession, Locator } from 'playwright-core'
import type { List } from '../lists.ts'
import { lists } from '../lists.ts'
import type { Suite } from '../suite.ts'
import type { Visit } from '../visit.ts'

const route = ['customers', 'vehicles', 'trips', 'invoices', 'bookings', 'drivers']

/** From a click in the side navigation to the first row of that list, on the first visit and on the second. */
export const nav: Suite = {
  title: 'From a click in the side navigation to the first row',
  rows: 50,
  measurements: [
    { name: 'list visited for the first time, ms', from: 'first' },
    { name: 'list visited again, ms', from: 'again' },
  ],
  measure: async (visit) => {
    const values: { first: number[]; again: number[] } = { first: [], again: [] }
    await visit.network.settle()
    for (const lap of [values.first, values.again])
      for (const list of route.flatMap((name) => lists.filter((one) => one.name === name))) {
        lap.push(await goTo(visit, list))
        await visit.network.settle(250, 3_000)
      }
    return values
  },
}

/** Milliseconds from the click on the link to the list until its first row is painted. */
export async function goTo({ target, page, cdp }: Visit, list: List): Promise<number> {
  const link = page.locator(target.link(list)).first()
  await link.hover()
  // A person rests on the link before the click; pages may load meanwhile.
  await page.waitForTimeout(150)
  const row = { is: 'row', row: target.row, texts: target.textsOn(list.name) } as const
  await page.evaluate((sight) => window.bench.arm('row', 'pointerdown', sight, 30_000), row)
  await click(cdp, link)
  const time = await page.evaluate(() => window.bench.result('row'))
  if (time === null) throw new Error(`No row of ${list.name} after the click.`)
  return time
}

/** Sends button down and up together: the clock starts with the first, and the time between them would be the bench's own. */
async function click(cdp: CDPSession, link: Locator): Promise<void> {
  const box = await link.boundingBox()
  if (!box) throw new Error('The link is not on screen.')
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2, button: 'left', clickCount: 1 } as const
  await Promise.all([
    cdp.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at }),
    cdp.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at }),
  ])
}
