declare global {
  interface Window {
    bench: {
      /** Starts to wait for what the next key does. */
      wait(what: 'opened' | 'changed'): void
      /** Milliseconds from the key to the end of the first frame that shows it; null if nothing came of it in 400 ms. */
      result(): Promise<number | null>
    }
  }
}

/** Installs `window.bench`. It runs in the page and uses nothing from outside. */
export function listenInPage(): void {
  let pending: Promise<number | null> = Promise.resolve(null)
  const text = () =>
    [...document.querySelectorAll('[role=option]')].map(({ textContent }) => textContent).join('\n')
  const isOpen = () =>
    document.activeElement?.getAttribute('role') === 'combobox' &&
    document.querySelector('[role=option]') !== null
  window.bench = {
    wait: (what) => {
      const before = text()
      const isDone = () => (what === 'opened' ? isOpen() : text() !== before)
      pending = new Promise((resolve) => {
        const onKey = (event: KeyboardEvent) => {
          if (/^(Control|Meta)$/.test(event.key)) return
          removeEventListener('keydown', onKey, true)
          const pressed = event.timeStamp
          const look = () =>
            requestAnimationFrame(() => {
              // A task that is posted in a frame runs right after this frame is painted.
              const channel = new MessageChannel()
              channel.port1.onmessage = () => {
                const now = performance.now()
                if (isDone()) resolve(now - pressed)
                else if (now - pressed > 400) resolve(null)
                else look()
              }
              channel.port2.postMessage(null)
            })
          look()
        }
        addEventListener('keydown', onKey, true)
      })
    },
    result: () => pending,
  }
}

/** The median, the 95th of 100 and the worst. */
export function figuresOf(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
  return [at(0.5), at(0.95), at(1)].map((ms) => ms.toFixed(0).padStart(5)).join(' ')
}
