import type { Suite } from '../suite.ts'

/** The first load of a list with 50 rows. */
export const load: Suite = {
  title: 'First load of a list of 50 rows',
  rows: 50,
  measurements: [
    { name: 'first row painted, ms', from: 'firstRow' },
    { name: 'JavaScript until then, kB', from: 'script' },
    { name: 'all bytes until then, kB', from: 'all' },
    { name: 'blocking time until idle, ms', from: 'blocked' },
  ],
  measure: async ({ page, network, firstRow }) => {
    await network.settle()
    // A response may be reported some milliseconds after the frame that shows it.
    const loaded = network.loadedBy(firstRow + 4)
    const blocked = await page.evaluate(() => window.bench.blocking())
    return { firstRow: [firstRow], script: [loaded.script], all: [loaded.all], blocked: [blocked] }
  },
}
