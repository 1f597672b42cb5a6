import type { RefObject } from 'react'
import { useLayoutEffect } from 'react'
import { recall, remember } from '../../state/location.ts'

/**
 * Scrolls to where this history entry was left, once there are rows to scroll, and notes where it is scrolled to from then on.
 * Answers what handles the scroll event.
 */
export function useScrollMemory(scroller: RefObject<HTMLElement | null>, isFilled: boolean): () => void {
  useLayoutEffect(() => {
    // Newer browsers return a promise, which is no cleanup function.
    if (isFilled) scroller.current?.scrollTo({ top: recall().scroll ?? 0 })
  }, [scroller, isFilled])
  return () => remember({ scroll: scroller.current?.scrollTop ?? 0 })
}
