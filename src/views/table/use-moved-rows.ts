import { useEffect } from 'react'
import { say } from '../../commands/status.ts'

/** For so long after rows have moved, a click can be meant for what was there before, in milliseconds. */
const reaction = 500

/**
 * Rows can move under a pointer that rests: a load has brought a new one, or one has left the list. A click on a button or the checkbox of
 * another row than the one that the pointer came to, less than half a second later, does nothing and says so. The next click counts.
 */
export function useMovedRows(): void {
  useEffect(() => {
    /** Where the mouse came to rest, and the row that was there. */
    let rest: { x: number; y: number; row: Element | null } | null = null
    let movedAt = 0
    const onMove = ({ pointerType, clientX: x, clientY: y, target }: PointerEvent) => {
      // Some browsers report a move when something else has come under the pointer.
      if (rest?.x !== x || rest.y !== y) rest = pointerType === 'mouse' ? { x, y, row: rowOf(target) } : null
    }
    // The person has scrolled.
    const forget = () => {
      rest = null
    }
    const onClick = (event: MouseEvent) => {
      const row = rowOf(event.target)
      if (!row || !rest?.row || rest.row === row || Date.now() - movedAt >= reaction) return
      // By a program, such as a screen reader, without the mouse.
      if (!event.isTrusted) return
      // Browsers round the place of a click.
      if (Math.hypot(event.clientX - rest.x, event.clientY - rest.y) >= 2) return
      if (!(event.target instanceof Element && event.target.closest('button,input'))) return
      rest.row = row
      event.stopPropagation()
      event.preventDefault()
      say(
        'The rows moved just before the click, so nothing was done. Click again for the row that is there now.',
      )
    }
    const observer = new MutationObserver((changes) => {
      if (changes.some(({ target }) => target.nodeName === 'TBODY')) movedAt = Date.now()
    })
    const list = document.querySelector('main')
    if (list) observer.observe(list, { childList: true, subtree: true })
    const listeners = new AbortController()
    const before = { signal: listeners.signal, capture: true }
    document.addEventListener('pointermove', onMove, before)
    document.addEventListener('click', onClick, before)
    document.addEventListener('wheel', forget, { ...before, passive: true })
    return () => {
      observer.disconnect()
      listeners.abort()
    }
  }, [])
}

const rowOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest('[role=grid] tr[data-index]') : null
