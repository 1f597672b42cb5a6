import type { RefObject } from 'react'
import { useLayoutEffect, useRef } from 'react'
import { recall, remember } from '../../state/location.ts'

/**
 * Shows a screen from its top, or from where it was left. A screen whose content is still to come is scrolled when it has come, unless a key,
 * the wheel or a pointer is used before. Returns the handler of the scroll event. Lists scroll by themselves (use-scroll-memory.ts).
 */
export function useContentScroll(area: RefObject<HTMLElement | null>, path: string): () => void {
  /** The present position: to read it from the element would make the browser compute the layout. */
  const top = useRef(0)
  useLayoutEffect(() => {
    const element = area.current
    const { top: wanted = 0 } = recall()
    if (!element || top.current === wanted) return
    const until = new AbortController()
    const { signal } = until
    const stop = () => until.abort()
    const scroll = () => {
      element.scrollTo({ top: wanted })
      top.current = element.scrollTop
      if (top.current === wanted) stop()
    }
    const observer = new MutationObserver(scroll)
    signal.addEventListener('abort', () => observer.disconnect())
    observer.observe(element, { childList: true, subtree: true })
    for (const name of ['keydown', 'pointerdown', 'wheel']) window.addEventListener(name, stop, { signal })
    scroll()
    return stop
  }, [area, path])
  return () => {
    top.current = area.current?.scrollTop ?? 0
    remember({ top: top.current })
  }
}
