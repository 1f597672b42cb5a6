import type { Scrolling } from '../probe.ts'
import { droppedOf } from '../stats.ts'
import type { Suite } from '../suite.ts'

/** A list with 1,000 rows: its load, its size, and scrolling through it. */
export const scroll: Suite = {
  title: 'List of 1,000 rows',
  rows: 1_000,
  measurements: [
    { name: 'first row of 1,000 painted, ms', from: 'firstRow' },
    { name: 'DOM nodes', from: 'nodes' },
    { name: 'frames dropped at 3,000 px/s, %', from: 'dropped' },
    { name: 'points without a row at 20,000 px/s, %', from: 'blank' },
  ],
  measure: async ({ target, page, network, firstRow }) => {
    await network.settle()
    await page.waitForTimeout(300)
    const nodes = await page.evaluate(() => window.bench.nodes())
    const run = (speed: number, duration: number, looks: boolean) => {
      const scrolling: Scrolling = { row: target.row, scroller: target.scroller, speed, duration, looks }
      return page.evaluate((given) => window.bench.scroll(given), scrolling)
    }
    await run(1_500, 600, false)
    const { frames } = await run(3_000, 2_000, false)
    const { looked, blank } = await run(20_000, 1_500, true)
    return {
      firstRow: [firstRow],
      nodes: [nodes],
      dropped: [droppedOf(frames)],
      blank: [(100 * blank) / looked],
    }
  },
}
