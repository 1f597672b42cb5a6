import type { RefObject } from 'react'
import { useEffect, useRef } from 'react'

/** Copies `copied()` on a copy event inside `area`, unless text is selected or the value is blank. */
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
