declare global {
  interface Window {
    bench: Bench
  }
}

/** What a page has to show. Elements are CSS selectors. */
type Sight =
  /** A row with all these texts is on screen. */
  | { is: 'row'; row: string; texts: readonly string[] }
  /** The palette is on screen with a result, not transparent, and its text field has the focus. */
  | { is: 'ready'; input: string; item: string }
  /** The text field is not on screen. */
  | { is: 'closed'; input: string }
  /** The texts of the results differ from `before`. */
  | { is: 'changed'; item: string; before: string }

export interface Scrolling {
  row: string
  /** Null: the nearest ancestor of a row that scrolls. */
  scroller: string | null
  /** In pixels per second. */
  speed: number
  /** In milliseconds. */
  duration: number
  /** Looks for rows at three points of each painted frame; this takes time, so frames are measured without it. */
  looks: boolean
}

interface Scrolled {
  /** Milliseconds from each frame to the next one. */
  frames: number[]
  /** How many points were looked at. */
  looked: number
  /** At how many of them there was no row with text. */
  blank: number
}

interface Bench {
  /** Milliseconds from the start of the navigation until the first row of the first list was painted; null: it was not. */
  firstRow: Promise<number | null>
  /** The time since the start of the navigation at which the sight was painted; null if it was not in `timeout` ms. */
  until(sight: Sight, timeout: number): Promise<number | null>
  /** Starts to wait for what the next key or click does, and measures it as `bench NAME` for traces. Modifier keys do not count. */
  arm(name: string, input: 'keydown' | 'pointerdown', sight: Sight, timeout: number): void
  /** Milliseconds from that key or click until its sight was painted; null if it was not. */
  result(name: string): Promise<number | null>
  textsOf(item: string): string
  /** Total blocking time: what tasks of the main thread took beyond 50 ms each. */
  blocking(): number
  nodes(): number
  scroll(scrolling: Scrolling): Promise<Scrolled>
}

interface FirstRow {
  row: string
  texts: readonly string[]
  /** In milliseconds. */
  timeout: number
}

/**
 * Installs `window.bench` before the scripts of the page. It runs in the page and uses nothing from outside.
 *
 * While something is awaited, each animation frame posts a task of the highest priority. This task is the first one after the
 * style, layout and paint of the frame, so the document that it sees is what the frame shows. Rasterisation comes later.
 */
export function installProbe(first: FirstRow): void {
  const waiting = new Set<{ sight: Sight; deadline: number; resolve: (time: number | null) => void }>()
  const armed = new Map<string, Promise<number | null>>()
  let isLooking = false
  let blocked = 0

  const all = (selector: string) => [...document.querySelectorAll(selector)]
  const isOnScreen = (element: Element) => {
    const { width, height, top, bottom } = element.getBoundingClientRect()
    return width > 0 && height > 0 && bottom > 0 && top < innerHeight
  }
  const isOpaque = (element: Element | null): boolean => {
    if (!element) return true
    const { visibility, opacity } = getComputedStyle(element)
    return visibility !== 'hidden' && Number(opacity) > 0.99 && isOpaque(element.parentElement)
  }
  const textsOf = (item: string) =>
    all(item)
      .filter((element) => element.getClientRects().length > 0)
      .map(({ textContent }) => textContent)
      .join('\n')
  const isSeen = (sight: Sight): boolean => {
    if (sight.is === 'row')
      return all(sight.row)
        .slice(0, 200)
        .some((row) => sight.texts.every((text) => row.textContent.includes(text)) && isOnScreen(row))
    if (sight.is === 'changed') return textsOf(sight.item) !== sight.before
    const input = document.querySelector(sight.input)
    const isShown = input !== null && isOnScreen(input)
    if (sight.is === 'closed') return !isShown
    const isReady = isShown && document.activeElement === input && isOpaque(input)
    return isReady && all(sight.item).some(isOnScreen)
  }

  const afterPaint = (task: () => void) => void scheduler.postTask(task, { priority: 'user-blocking' })
  const look = () => {
    const now = performance.now()
    for (const one of waiting) {
      const seen = isSeen(one.sight)
      if (!seen && now <= one.deadline) continue
      waiting.delete(one)
      one.resolve(seen ? now : null)
    }
  }
  const lookAfterEachFrame = () => {
    isLooking = waiting.size > 0
    if (!isLooking) return
    requestAnimationFrame(() => {
      afterPaint(look)
      lookAfterEachFrame()
    })
  }
  const until = (sight: Sight, timeout: number) =>
    new Promise<number | null>((resolve) => {
      waiting.add({ sight, deadline: performance.now() + timeout, resolve })
      if (!isLooking) lookAfterEachFrame()
    })

  const scrollerOf = ({ row, scroller }: Scrolling): Element => {
    const named = scroller === null ? null : document.querySelector(scroller)
    if (named) return named
    const page = document.scrollingElement ?? document.documentElement
    let element = document.querySelector(row)?.parentElement
    while (element && element !== document.body && element !== page) {
      const isScroller = /auto|scroll/.test(getComputedStyle(element).overflowY)
      if (isScroller && element.scrollHeight > element.clientHeight + 20) return element
      element = element.parentElement
    }
    return page
  }

  window.bench = {
    firstRow: until({ is: 'row', row: first.row, texts: first.texts }, first.timeout),
    until,
    arm: (name, input, sight, timeout) => {
      let pressed: number | null = null
      const onInput = (event: Event) => {
        if (event instanceof KeyboardEvent && /^(Control|Meta|Shift|Alt)$/.test(event.key)) return
        pressed ??= event.timeStamp
        removeEventListener(input, onInput, true)
      }
      addEventListener(input, onInput, true)
      armed.set(
        name,
        until(sight, timeout).then((painted) => {
          removeEventListener(input, onInput, true)
          if (painted === null || pressed === null) return null
          performance.measure(`bench ${name}`, { start: pressed, end: painted })
          return painted - pressed
        }),
      )
    },
    result: (name) => armed.get(name) ?? Promise.resolve(null),
    textsOf,
    blocking: () => blocked,
    nodes: () => all('*').length,
    /** The position follows the clock, so a slow page covers the same distance in fewer frames. */
    scroll: (scrolling) =>
      new Promise((resolve) => {
        const element = scrollerOf(scrolling)
        const span = element.scrollHeight - element.clientHeight
        const box =
          element === document.scrollingElement
            ? new DOMRect(0, 0, innerWidth, innerHeight)
            : element.getBoundingClientRect()
        const isRowAt = (share: number) => {
          const y = Math.min(innerHeight - 5, box.top + box.height * share)
          const row = document.elementFromPoint(box.left + box.width * 0.4, y)?.closest(scrolling.row)
          return Boolean(row?.textContent.trim())
        }
        const frames: number[] = []
        let looked = 0
        let blank = 0
        const lookForRows = () => {
          for (const share of [0.35, 0.6, 0.85]) {
            looked++
            if (!isRowAt(share)) blank++
          }
        }
        let start: number | null = null
        let last = 0
        const step = () => {
          const now = performance.now()
          if (start === null) start = now
          else frames.push(now - last)
          last = now
          const time = now - start
          if (time >= scrolling.duration) {
            resolve({ frames, looked, blank })
            return
          }
          const distance = ((time / 1000) * scrolling.speed) % (2 * span || 1)
          element.scrollTop = distance <= span ? distance : 2 * span - distance
          if (scrolling.looks) afterPaint(lookForRows)
          requestAnimationFrame(step)
        }
        element.scrollTop = 0
        // The first frames after a call from outside are irregular.
        requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(step)))
      }),
  }

  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) blocked += Math.max(0, duration - 50)
  }).observe({ type: 'longtask', buffered: true })
}
