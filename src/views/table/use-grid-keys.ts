import type { RefObject } from 'react'
import { useHotkeys } from 'react-hotkeys-hook'
import { clamp } from './row-names.ts'

interface GridKeys {
  /** The focused cell, by its row and column index on the page. */
  row: number
  column: number
  rows: number
  columns: number
  scroller: RefObject<HTMLElement | null>
  /** The height of the visible rows, in pixels. */
  rowHeight: number
  activate: (row: number, column: number, focus: boolean) => void
  extendTo: (row: number) => void
}

const keys = [
  'arrowdown',
  'arrowup',
  'arrowleft',
  'arrowright',
  'home',
  'end',
  'mod+home',
  'mod+end',
  'pagedown',
  'pageup',
  'shift+arrowdown',
  'shift+arrowup',
]

/** The keys of a grid (APG): they move the focus by cell, row or visible page. With Shift they extend the selection. */
export function useGridKeys(grid: GridKeys) {
  const { row, column, rows, columns, scroller, rowHeight, activate, extendTo } = grid
  return useHotkeys<HTMLTableElement>(
    keys,
    (event) => {
      const ends = event.ctrlKey || event.metaKey
      const screenful = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2)
      const moves: Record<string, [number, number]> = {
        ArrowDown: [row + 1, column],
        ArrowUp: [row - 1, column],
        ArrowLeft: [row, column - 1],
        ArrowRight: [row, column + 1],
        Home: [ends ? 0 : row, 0],
        End: [ends ? rows - 1 : row, columns - 1],
        PageDown: [row + screenful, column],
        PageUp: [row - screenful, column],
      }
      const [toRow, toColumn] = moves[event.key] ?? [row, column]
      if (event.shiftKey) extendTo(clamp(toRow, rows))
      else activate(toRow, toColumn, true)
    },
    { useKey: true, preventDefault: true },
  )
}
