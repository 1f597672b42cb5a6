import { getDefaultStore } from 'jotai'
import type { RefObject } from 'react'
import { useLayoutEffect, useRef, useState } from 'react'
import { holdsFocus, isFocusLost } from '../../state/focus.ts'
import { pathAtom, recall, remember } from '../../state/location.ts'
import { clamp } from './row-names.ts'
import { useRowFocus, useTabStop } from './use-row-focus.ts'

/**
 * The cell that is the only tab stop of the table. It moves with its row. `names` are the keys of the rows, `columns`
 * is the number of columns.
 */
export function useActiveCell(names: readonly string[], columns: number) {
  const [place, setPlace] = useState(() => ({ row: recall().row ?? '', column: recall().column ?? 0 }))
  const found = names.indexOf(place.row)
  const { row, vacate } = useTabStop(found, names.length)
  return {
    place,
    setPlace,
    /** The index of the row that the person has focused; -1 if none. Commands act on this row. */
    found,
    /** The row and the column of the tab stop, which always exists. */
    row,
    vacate,
    column: Math.min(place.column, columns - 1),
  }
}

interface RovingFocus {
  scroller: RefObject<HTMLElement | null>
  cell: ReturnType<typeof useActiveCell>
  names: readonly string[]
  columns: number
  /** The number of rows on earlier pages. */
  offset: number
  /** Whether the rows are in the document. */
  isFilled: boolean
  /** Whether the rows are those of an earlier answer. */
  stale: boolean
  /** Scrolls to a row, so that it is in the document. */
  scrollToRow: (index: number) => void
}

/**
 * Moves the focus with the active cell (APG grid pattern). Returns a function that activates a cell and, with `focus`,
 * focuses it.
 */
export function useRovingFocus(given: RovingFocus): (index: number, column: number, focus: boolean) => void {
  const { scroller, cell, names, columns, offset, isFilled, stale, scrollToRow } = given
  const { place: active, setPlace, found, vacate } = cell
  const focusNext = useRef(false)

  useLayoutEffect(() => focusActive(scroller, focusNext))

  const activate = (index: number, at: number, focus: boolean) => {
    const row = clamp(index, names.length)
    const place = { row: names[row] ?? '', column: clamp(at, columns) }
    remember(place)
    focusNext.current = focus
    if (focus) scrollToRow(row)
    // The cell that gets the focus calls this too. Its place again, as a new object, would render the table again.
    if (place.row === active.row && place.column === active.column) focusActive(scroller, focusNext)
    else setPlace(place)
  }

  useRowFocus(names, {
    found,
    offset,
    isReady: isFilled && !stale,
    vacate,
    focus: (index) => activate(index, active.column, true),
  })

  // Only once: each page of a list mounts a new table.
  useLayoutEffect(() => {
    if (!isFilled) return
    if (isFocusLost() && (recall().row !== undefined || isFocusLeft)) {
      focusNext.current = true
      focusActive(scroller, focusNext)
    }
    isFocusLeft = false
  }, [isFilled, scroller])
  useLayoutEffect(() => {
    const element = scroller.current
    const path = pathname()
    return () => {
      isFocusLeft = holdsFocus(element) && path === pathname()
    }
  }, [scroller])

  return activate
}

/** Focuses the active cell, or the control in it, if focusing was requested. */
function focusActive(scroller: RefObject<HTMLElement | null>, isAskedFor: RefObject<boolean>): void {
  if (!isAskedFor.current) return
  isAskedFor.current = false
  const cell = scroller.current?.querySelector<HTMLElement>('[data-active-cell=true]')
  const target = cell?.querySelector<HTMLElement>('a,button') ?? cell
  target?.focus({ preventScroll: true })
  cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** Whether an unmounted table of this screen had the focus. The next table of the screen takes it. */
let isFocusLeft = false
// Also if no rows came after it: a list that is opened again has no focused row.
getDefaultStore().sub(pathAtom, () => {
  isFocusLeft = false
})

const pathname = () => getDefaultStore().get(pathAtom)
