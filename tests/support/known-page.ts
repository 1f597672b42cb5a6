import { once } from 'node:events'
import { createServer } from 'node:http'

/** What the page does, in milliseconds unless said otherwise. */
export interface Known {
  /** kB of script before the first rows. */
  script?: number
  /** Until the first rows. Null: they never come. */
  firstRow?: number | null
  /** Until the rows of another list replace those on screen. */
  list?: number
  /** For the palette to become opaque. */
  fade?: number
  /** From a key in the palette until its results. */
  key?: number
  /** How long each scroll event blocks the page. */
  scroll?: number
  /** How long the layout of a change blocks the page. */
  layout?: number
  /** Rows from this one on are empty. */
  emptyFrom?: number
}

/** When the page changed what it shows: the start and the end of the time in which this must have been painted. */
interface Told {
  /** The time stamp of the key or click; 0 for the start of the navigation. */
  input: number
  /** After the layout of the first frame with the change. */
  shown: number
  /** After the third frame that follows. */
  painted: number
}

declare global {
  interface Window {
    /** The latest change. */
    told: Promise<Told>
  }
}

/** Serves a page that shows lists and a palette after known times, which it reads from its query. */
export async function serveKnownPage(): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://known')
    const isScript = pathname === '/filler.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? `//${'x'.repeat(1024 * Number(searchParams.get('kb')))}` : html)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { url: `http://127.0.0.1:${String(port)}`, close: () => void server.close() }
}

const html = `<!doctype html>
<meta charset="utf-8">
<style>
  #list { height: 600px; overflow: auto }
  .row { height: 30px }
  @keyframes fade { from { opacity: 0 } }
</style>
<a id="customers" href="#">Customers</a>
<div id="list"></div>
<div id="palette" hidden><input id="text"><div id="results"></div></div>
<script>
  const known = JSON.parse(new URLSearchParams(location.search).get('known'))
  const { script = 0, firstRow = 0, list: delay = 0, fade = 0, key = 0, scroll = 0, layout = 0, emptyFrom = 400 } = known
  document.write('<script src="/filler.js?kb=' + script + '"><' + '/script>')
  const [rows, palette, text, results] = ['list', 'palette', 'text', 'results'].map((id) => document.getElementById(id))
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const block = (time) => {
    const end = performance.now() + time
    while (performance.now() < end);
  }
  // Called in the next frame, after its animation frame callbacks and its layout, and before its paint.
  const afterLayout = () => new Promise((resolve) => {
    const observer = new ResizeObserver(() => {
      observer.disconnect()
      block(layout)
      resolve(performance.now())
    })
    observer.observe(document.body)
  })
  const tell = async (input) => {
    const shown = await afterLayout()
    for (let frame = 0; frame < 3; frame++) await nextFrame()
    return { input, shown, painted: performance.now() }
  }
  const change = (input, delay, act) => {
    window.told = new Promise((resolve) => setTimeout(() => { act(); resolve(tell(input)) }, delay))
  }
  const fill = (name) => {
    rows.innerHTML = Array.from({ length: 400 }, (_, at) =>
      '<div class="row">' + (at < emptyFrom ? name + ' ' + at : '') + '</div>').join('')
  }
  const find = () => {
    results.innerHTML = ['alpha', 'beta', 'gamma'].filter((one) => one.includes(text.value))
      .map((one) => '<p class="item">' + one + '</p>').join('')
  }
  addEventListener('load', () => firstRow !== null && change(0, firstRow, () => fill('drivers')))
  document.getElementById('customers').onpointerdown = (event) => change(event.timeStamp, delay, () => fill('customers'))
  text.oninput = () => change(pressed, key, find)
  let pressed = 0
  addEventListener('keydown', (event) => {
    pressed = event.timeStamp
    if (event.ctrlKey && event.key === 'k') {
      event.preventDefault()
      change(pressed, 0, () => {
        text.value = ''
        find()
        palette.hidden = false
        palette.style.animation = 'fade ' + fade + 'ms linear'
        text.focus()
      })
    }
    if (event.key === 'Escape') palette.hidden = true
    if (event.key === 'Enter') change(pressed, delay, () => fill('vehicles'))
  })
  rows.onscroll = () => block(scroll)
</script>`
