import { startTransition, useEffect, useState } from 'react'
import { recall } from '../../state/location.ts'
import type { RowWindow } from './row-window.ts'
import { allRows, fittingRows } from './row-window.ts'

/**
 * The rows of a table that begins at its top: first those that fit into the window, and all in the frame after the first one, so that
 * a list is there in half the time. `kept` are the indexes of rows that are always there; `canBegin` is read once.
 */
export function useFirstRows(
  count: number,
  rowHeight: number,
  kept: readonly number[],
  canBegin: boolean,
): RowWindow {
  const [isWhole, setWhole] = useState(() => recall().scroll !== undefined || !canBegin)
  useEffect(() => {
    if (isWhole) return
    let timer: number | undefined
    // Rows that are rendered before the frame is painted would delay it.
    const frame = requestAnimationFrame(() => {
      timer = window.setTimeout(() => startTransition(() => setWhole(true)))
    })
    return () => {
      cancelAnimationFrame(frame)
      window.clearTimeout(timer)
    }
  }, [isWhole])
  const all = allRows(count, rowHeight)
  return isWhole ? all : fittingRows(all, rowHeight, kept)
}
