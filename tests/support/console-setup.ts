import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach } from 'vitest'
import './quiet.ts'
import { matchMedia, setViewport } from './viewport.ts'

// A test says what must happen, never how fast.
configure({ asyncUtilTimeout: 15_000 })

/** What jsdom leaves out of a browser, as far as the console uses it. */

const screenful = { width: 1280, height: 720 }

/** A script's relative addresses are the page's. */
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

const define = (target: object, values: Record<string, PropertyDescriptor>) => {
  for (const [name, descriptor] of Object.entries(values))
    Object.defineProperty(target, name, { configurable: true, ...descriptor })
}

define(globalThis, {
  Request: { value: PageRequest, writable: true },
  ResizeObserver: { value: StillObserver, writable: true },
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
  // What a table needs: its rows carry their heights.
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
      // Browsers tell in the next frame.
      setTimeout(() => this.dispatchEvent(new Event('scroll')))
    },
    writable: true,
  },
  scrollIntoView: { value: () => undefined, writable: true },
  hasPointerCapture: { value: () => false, writable: true },
  setPointerCapture: { value: () => undefined, writable: true },
  releasePointerCapture: { value: () => undefined, writable: true },
})

beforeEach(() => {
  setViewport()
})
afterEach(() => {
  cleanup()
})
