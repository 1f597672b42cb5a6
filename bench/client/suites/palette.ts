import type { Page } from 'playwright-core'
import type { Suite } from '../suite.ts'
import type { Visit } from '../visit.ts'

const queries = ['dri', 'cus', 'veh']
const jumps = [
  { query: 'cust', list: 'customers' },
  { query: 'veh', list: 'vehicles' },
  { query: 'trip', list: 'trips' },
]

type Palette = NonNullable<Visit['target']['palette']>

/** Ctrl+K, letters that narrow the results, Backspace, and Enter on a result that leads to a list. */
export const palette: Suite = {
  title: 'Command palette',
  rows: 50,
  measurements: [
    { name: 'Ctrl+K to input ready, first time, ms', from: 'cold' },
    { name: 'Ctrl+K to input ready, ms', from: 'ready' },
    { name: 'key to results painted, ms', from: 'key' },
    { name: 'key to results painted, 95th percentile, ms', from: 'key', share: 0.95 },
    { name: 'Enter to first row of the list, ms', from: 'jump' },
  ],
  measure: async (visit) => {
    const { page, network } = visit
    const found = visit.target.palette
    if (!found) return null
    // The code of the palette may be loaded while nobody types.
    await network.settle()
    await page.waitForTimeout(500)
    await page.mouse.move(900, 500)
    const values = { cold: [await open(page, found)], ready: new Array<number>() }
    await close(page, found)
    for (let times = 0; times < 4; times++) {
      values.ready.push(await open(page, found))
      await close(page, found)
    }
    await open(page, found)
    const key: number[] = []
    for (const query of queries)
      for (const name of [...query, ...[...query].map(() => 'Backspace')]) {
        // An answer for the previous key would be taken for the effect of this one.
        await network.settle(120, 3_000)
        const time = await type(page, found, name)
        if (time !== null) key.push(time)
      }
    await close(page, found)
    const jump: number[] = []
    for (const { query, list } of jumps) {
      await open(page, found)
      for (const letter of query) await type(page, found, letter)
      await network.settle(200, 3_000)
      jump.push(await enter(visit, list))
      await network.settle(300, 3_000)
    }
    return { ...values, key, jump }
  },
}

/** Milliseconds from the key until the palette can be used. */
export async function open(page: Page, { input, item }: Palette): Promise<number> {
  const sight = { is: 'ready', input, item } as const
  await page.evaluate((ready) => window.bench.arm('ready', 'keydown', ready, 5_000), sight)
  await page.keyboard.press('Control+k')
  const time = await page.evaluate(() => window.bench.result('ready'))
  if (time === null) throw new Error('The palette did not open.')
  return time
}

/** The first Escape may only empty the text field. */
export async function close(page: Page, { input }: Palette): Promise<void> {
  for (let times = 0; times < 3; times++) {
    await page.keyboard.press('Escape')
    const sight = { is: 'closed', input } as const
    if ((await page.evaluate((closed) => window.bench.until(closed, 1_500), sight)) !== null) break
  }
  await page.waitForTimeout(150)
}

/** Milliseconds from the key until other results are painted; null if the results stay the same. */
export async function type(page: Page, { item }: Palette, key: string): Promise<number | null> {
  await page.evaluate((selector) => {
    const before = window.bench.textsOf(selector)
    window.bench.arm('key', 'keydown', { is: 'changed', item: selector, before }, 400)
  }, item)
  await page.keyboard.press(key)
  return page.evaluate(() => window.bench.result('key'))
}

/** Milliseconds from Enter until the first row of the list is painted. */
export async function enter({ target, page }: Visit, list: string): Promise<number> {
  const row = { is: 'row', row: target.row, texts: target.textsOn(list) } as const
  await page.evaluate((sight) => window.bench.arm('row', 'keydown', sight, 30_000), row)
  await page.keyboard.press('Enter')
  const time = await page.evaluate(() => window.bench.result('row'))
  if (time === null) throw new Error(`No row of ${list} after Enter.`)
  return time
}
