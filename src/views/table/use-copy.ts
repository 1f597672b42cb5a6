import type { RefObject } from 'react'
import { useEffect, useRef } from 'react'

/** Copying inside `area`, with no text marked, copies `copied()`; blank leaves the clipboard alone. */
export function useCopy(area: RefObject<HTMLElement | null>, copied: () => string): void {
  const latest = useRef(copied)
  useEffect(() => {
    latest.current = copied
  })
  useEffect(() => {
    const onCopy = (event: ClipboardEvent) => {
      const isMarked = document.getSelection()?.isCollapsed === false
      if (isMarked || !area.current?.contains(document.activeElement)) return
      const text = latest.current()
      if (!text) return
      event.clipboardData?.setData('text/plain', text)
      event.preventDefault()
    }
    document.addEventListener('copy', onCopy)
    return () => document.removeEventListener('copy', onCopy)
  }, [area])
}
