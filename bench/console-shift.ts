import { parseArgs } from 'node:util'
import type { CDPSession, Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { loadAverage, machineFact } from './client/facts.ts'
import { valueOf } from './client/lists.ts'
import { percentile } from './client/stats.ts'
import { giveSession, newDemoFolder } from './demo.ts'
import { tableOf, writeSection } from './results.ts'
import type { Subject } from './server/subjects.ts'
import { withProduct } from './with-product.ts'

/**
 * One page of the console works for minutes without being loaded again: lists from the palette, rows, search, drivers, suspensions that
 * are undone, filters and pages. Measures each minute the heap after a collection, the DOM nodes, and how long keys took until
 * their frame was painted (Event Timing, in steps of 8 ms). Writes a section of RESULTS.md. Usage, with the defaults:
 * `node bench/console-shift.ts --minutes 10 --slowdown 1`.
 */
const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, slowdown: { type: 'string', default: '1' } },
})

interface Minute {
  /** MB in use after a collection, and how much of it is compiled code, which V8 adds for functions that are used often. */
  heap: number
  code: number
  nodes: number
  listeners: number
  /** The longest time in ms from a key to the frame that shows what it did, and the key. */
  worst: number
  worstKey: string
  /** Of all keys that took 16 ms or longer, in ms. */
  p95: number
  keys: number
}

declare global {
  interface Window {
    interactions: { duration: number; key: string }[]
  }
}

await withProduct(run, async () => {
  process.env['OMS_DATA'] = await newDemoFolder(10_000)
})

async function run(server: Subject): Promise<void> {
  const before = `${new Date().toISOString().slice(0, 10)}, ${machineFact()} before`
  const browser = await launchBrowser()
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await giveSession(context, server.headers['authorization']?.replace('Bearer ', '') ?? '')
  await context.addInitScript(watchInteractions)
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: Number(options.slowdown) })
  await page.goto(`${server.url}/riders`)
  await rows(page)
  const minutes: Minute[] = []
  while (minutes.length < Number(options.minutes)) {
    const end = performance.now() + 60_000
    while (performance.now() < end) await work(page)
    minutes.push(await measure(page, cdp))
    console.log(JSON.stringify(minutes.at(-1)))
    // The first Enter after a collection took 112 to 152 ms, and the next ones 56 to 72. The collection throws away compiled code, which a
    // browser does only when memory is short, so this round of work is not timed.
    await work(page)
    await page.evaluate(() => window.interactions.splice(0))
  }
  await browser.close()

  const slowed = options.slowdown === '1' ? '' : `, the processor at 1/${options.slowdown} of its speed`
  const title = `## ${options.minutes} minutes of work in one page of the console${slowed}`
  const about =
    'Written by `node bench/console-shift.ts`. 10,000 drivers on SQLite. The heap is measured after a collection, and then one round of work is not timed; keys are timed until the frame that shows what they did.'
  const facts = [`${before} and ${loadAverage()} after`, `Chromium ${browser.version()}, headless`]
  const head = [
    'minute',
    'heap, MB',
    'without code, MB',
    'DOM nodes',
    'listeners',
    'keys over 16 ms',
    'their p95, ms',
    'longest, ms',
    'its key',
  ]
  const lines = minutes.map(({ heap, code, nodes, listeners, worst, worstKey, p95, keys }, at) => [
    ...[String(at + 1), heap.toFixed(1), (heap - code).toFixed(1), String(nodes), String(listeners)],
    ...[String(keys), String(p95), String(worst), worstKey],
  ])
  const text = [title, about, facts.map((fact) => `- ${fact}`).join('\n'), tableOf(head, lines)]
  await writeSection(`console shift ${options.slowdown}x`, text.join('\n\n'))
}

/** Runs in the page. Entries of Event Timing do not name the key, so each key is noted with its time. */
function watchInteractions(): void {
  const pressed: { key: string; time: number }[] = []
  window.addEventListener('keydown', ({ key, timeStamp: time }) => pressed.push({ key, time }), {
    capture: true,
  })
  const lastKey = (time: number): string =>
    pressed.splice(0, pressed.findIndex((one) => one.time >= time) + 1).at(-1)?.key ?? ''
  window.interactions = []
  const watched: PerformanceObserverInit & { durationThreshold: number } = {
    ...{ type: 'event', durationThreshold: 16, buffered: true },
  }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (entry.name === 'keydown')
        window.interactions.push({ duration: entry.duration, key: lastKey(entry.startTime) })
  }).observe(watched)
}

async function rows(page: Page): Promise<void> {
  await page.locator('tr[data-index]').first().waitFor()
  await page.locator('main [aria-busy=true]').waitFor({ state: 'detached' })
}

/** Each key as a person presses it: the next one comes when the last one is on screen. */
async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key)
    await page.waitForTimeout(80)
  }
}

/** From the palette to a list; what the palette offers first must be the list. */
async function goTo(page: Page, typed: string, path: string): Promise<void> {
  await press(page, 'Control+k')
  await page.locator('[role=combobox]').first().waitFor()
  await page.keyboard.type(typed, { delay: 80 })
  await press(page, 'Enter')
  await page.waitForURL((url) => url.pathname.startsWith(path))
  await rows(page)
}

async function work(page: Page): Promise<void> {
  for (const [typed, path] of [
    ['trips', '/trips'],
    ['customers', '/customers'],
    ['overdue', '/invoices'],
  ] as const) {
    await goTo(page, typed, path)
    await press(page, 'j', 'j', 'j', 'k', 'x', 'Escape', ']')
    await rows(page)
    await press(page, '[')
    await rows(page)
  }
  await press(page, 'g', 'd')
  await page.waitForURL((url) => url.pathname === '/riders')
  await rows(page)
  await press(page, '/')
  await page.keyboard.type('kamau', { delay: 80 })
  await press(page, 'Enter')
  await page.waitForURL((url) => url.searchParams.get('s') === 'kamau')
  await rows(page)
  await press(page, 'j', 's')
  await page.waitForTimeout(600)
  await press(page, 'z')
  await page.waitForTimeout(600)
  await press(page, 'Enter')
  await page.waitForURL((url) => /\/\d+$/.test(url.pathname))
  await page.getByRole('tab').first().waitFor()
  await page.goBack()
  await rows(page)
}

async function measure(page: Page, cdp: CDPSession): Promise<Minute> {
  const interactions = await page.evaluate(() => window.interactions.splice(0))
  await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners } = await cdp.send('Memory.getDOMCounters')
  const longest = interactions.toSorted((a, b) => b.duration - a.duration)[0]
  const times = interactions.map(({ duration }) => duration)
  return {
    ...{ heap: usedSize / 1_000_000, code: await compiledCode(cdp), nodes, listeners: jsEventListeners },
    ...{ worst: longest?.duration ?? 0, worstKey: longest?.key ?? '' },
    ...{ p95: Math.round(percentile(times, 0.95) ?? 0), keys: times.length },
  }
}

/** The compiled code in a snapshot of the heap, in MB. */
async function compiledCode(cdp: CDPSession): Promise<number> {
  const chunks: string[] = []
  const add = ({ chunk }: { chunk: string }) => void chunks.push(chunk)
  cdp.on('HeapProfiler.addHeapSnapshotChunk', add)
  await cdp.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  cdp.off('HeapProfiler.addHeapSnapshotChunk', add)
  const heap: unknown = JSON.parse(chunks.join(''))
  const listOf = (path: string): unknown[] => {
    const list = valueOf(heap, path)
    return Array.isArray(list) ? list : []
  }
  // A node is so many numbers in a row, of which one is its type and one its size in bytes.
  const fields = listOf('snapshot.meta.node_fields')
  const [typeAt, sizeAt] = [fields.indexOf('type'), fields.indexOf('self_size')]
  const code = listOf('snapshot.meta.node_types.0').indexOf('code')
  const nodes = listOf('nodes')
  let bytes = 0
  for (let at = 0; at < nodes.length; at += fields.length)
    if (nodes[at + typeAt] === code) bytes += Number(nodes[at + sizeAt])
  return bytes / 1_000_000
}
