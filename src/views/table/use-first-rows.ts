import { startTransition, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { recall } from '../../state/location.ts'
import type { RowWindow } from './row-window.ts'
import { allRows, fittingRows } from './row-window.ts'

/**
 * The rows of a table: first those that fit into the window, and after the first frame all of them. `kept` are the indexes of rows that
 * are always there. `canBegin` is read once; the delay is in milliseconds.
 */
export function useFirstRows(
  count: number,
  rowHeight: number,
  kept: readonly number[],
  canBegin: boolean,
  delay?: number,
): RowWindow {
  const isWhole = useWhole(canBegin, delay)
  const all = allRows(count, rowHeight)
  return isWhole ? all : fittingRows(all, rowHeight, kept)
}

/**
 * Whether a table has more rows than those that are seen first. They come after the first frame, so that a list is there in half the
 * time; at once if the rows that were seen before are somewhere else, and before the page is printed.
 */
export function useWhole(canBegin: boolean, delay = 0): boolean {
  const [isWhole, setWhole] = useState(() => recall().scroll !== undefined || !canBegin)
  useEffect(() => {
    if (isWhole) return
    let timer: number | undefined
    // Rows that are rendered before the frame is painted would delay it.
    const frame = requestAnimationFrame(() => {
      timer = window.setTimeout(() => startTransition(() => setWhole(true)), delay)
    })
    const print = () => flushSync(() => setWhole(true))
    window.addEventListener('beforeprint', print)
    return () => {
      window.removeEventListener('beforeprint', print)
      cancelAnimationFrame(frame)
      window.clearTimeout(timer)
    }
  }, [isWhole, delay])
  return isWhole
}
