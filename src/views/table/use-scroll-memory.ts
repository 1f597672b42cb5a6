import type { RefObject } from 'react'
import { useLayoutEffect } from 'react'
import { recall, remember } from '../../state/location.ts'

/**
 * Restores the scroll position of the current history entry as soon as there are rows, and stores it on each scroll of its own
 * rows, not of those of an earlier answer. Returns the handler of the scroll event.
 */
export function useScrollMemory(
  scroller: RefObject<HTMLElement | null>,
  { isFilled, isEarlier }: { isFilled: boolean; isEarlier: boolean },
): () => void {
  useLayoutEffect(() => {
    // Newer browsers return a promise here; an effect must not return it as its cleanup.
    const { scroll } = recall()
    // Only where needed: scrolling makes the browser compute the layout at once.
    if (isFilled && scroll !== undefined) scroller.current?.scrollTo({ top: scroll })
  }, [scroller, isFilled])
  return () => {
    if (!isEarlier) remember({ scroll: scroller.current?.scrollTop ?? 0 })
  }
}
