import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import './quiet.ts'
import './quick-styles.ts'
import './owner-stacks.ts'
import { matchMedia, setViewport } from './viewport.ts'

// A long timeout, because tests do not check speed.
configure({ asyncUtilTimeout: 15_000 })

/** Stand-ins for the browser features that the console uses and jsdom does not have. */

const screenful = { width: 1280, height: 720 }

/** Resolves relative addresses against the page, as a browser does. */
class PageRequest extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(typeof input === 'string' ? new URL(input, window.location.href) : input, init)
  }
}

class StillObserver implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** Everything is in view. */
class ShownObserver {
  readonly #seen: (entries: { isIntersecting: boolean }[]) => void
  constructor(seen: (entries: { isIntersecting: boolean }[]) => void) {
    this.#seen = seen
  }
  observe(): void {
    this.#seen([{ isIntersecting: true }])
  }
  disconnect(): void {}
}

const define = (target: object, values: Record<string, PropertyDescriptor>) => {
  for (const [name, descriptor] of Object.entries(values))
    Object.defineProperty(target, name, { configurable: true, ...descriptor })
}

define(globalThis, {
  Request: { value: PageRequest, writable: true },
  ResizeObserver: { value: StillObserver, writable: true },
  IntersectionObserver: { value: ShownObserver, writable: true },
})
define(window, {
  matchMedia: { value: matchMedia, writable: true },
  scrollTo: { value: () => undefined, writable: true },
})
define(URL, {
  createObjectURL: { value: () => 'blob:picked', writable: true },
  revokeObjectURL: { value: () => undefined, writable: true },
})
define(document, { hasFocus: { value: () => true, writable: true } })
define(HTMLElement.prototype, {
  offsetHeight: { get: () => screenful.height },
  offsetWidth: { get: () => screenful.width },
  clientHeight: { get: () => screenful.height },
  isContentEditable: {
    get(this: HTMLElement) {
      return this.closest('[contenteditable=""],[contenteditable=true]') !== null
    },
  },
})
define(Element.prototype, {
  // The sum of the row heights; tables need nothing else.
  scrollHeight: {
    get(this: Element) {
      return [...this.querySelectorAll('tr')].reduce(
        (sum, row) => sum + (parseFloat(row.style.height) || 0),
        0,
      )
    },
  },
  scrollTo: {
    value(this: Element, { top = 0 }: ScrollToOptions = {}) {
      if (this.scrollTop === top) return
      this.scrollTop = top
      // Browsers send the scroll event in the next frame, not at once.
      setTimeout(() => this.dispatchEvent(new Event('scroll')))
    },
    writable: true,
  },
  scrollIntoView: { value: () => undefined, writable: true },
  hasPointerCapture: { value: () => false, writable: true },
  setPointerCapture: { value: () => undefined, writable: true },
  releasePointerCapture: { value: () => undefined, writable: true },
})

// Browsers have 16 px without any style.
document.documentElement.style.fontSize = '16px'

beforeEach(() => {
  setViewport()
})
afterEach(() => {
  // A test that fails before its end leaves its stopped clock behind. The next test would wait for its timers until it is aborted.
  vi.useRealTimers()
  cleanup()
})
