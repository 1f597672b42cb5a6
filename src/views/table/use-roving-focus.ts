import { useAtomValue } from 'jotai'
import type { RefObject } from 'react'
import { useLayoutEffect, useRef, useState } from 'react'
import { holdsFocus, isFocusLost } from '../../state/focus.ts'
import { recall, remember } from '../../state/location.ts'
import { firstRow, forgetWantedRow, wantedRowAtom } from '../../state/wanted-row.ts'
import { clamp } from './row-names.ts'

/** The cell that is the table's one tab stop; it follows its row. `names` are the rows of the page, `columns` their number. */
export function useActiveCell(names: readonly string[], columns: number) {
  const [place, setPlace] = useState(() => ({ row: recall().row ?? '', column: recall().column ?? 0 }))
  const found = names.indexOf(place.row)
  return {
    place,
    setPlace,
    /** The row that a person has gone to; -1 if none. Commands act on it. */
    found,
    /** The row and the column of the tab stop, which is always somewhere. */
    row: Math.max(found, 0),
    column: Math.min(place.column, columns - 1),
  }
}

interface RovingFocus {
  scroller: RefObject<HTMLElement | null>
  cell: ReturnType<typeof useActiveCell>
  names: readonly string[]
  columns: number
  /** Rows before the first one, over all pages. */
  offset: number
  /** The rows are in the document. */
  isFilled: boolean
  /** They are of an earlier answer. */
  stale: boolean
  /** Brings a row into the document. */
  scrollToRow: (index: number) => void
}

/** Moves the focus with the active cell (APG grid pattern). Answers what makes a cell active and, if `focus`, focuses it. */
export function useRovingFocus(given: RovingFocus): (index: number, column: number, focus: boolean) => void {
  const { scroller, cell, names, columns, offset, isFilled, stale, scrollToRow } = given
  const { place: active, setPlace, found } = cell
  const focusNext = useRef(false)

  useLayoutEffect(() => focusActive(scroller, focusNext))

  const activate = (index: number, at: number, focus: boolean) => {
    const row = clamp(index, names.length)
    const place = { row: names[row] ?? '', column: clamp(at, columns) }
    remember(place)
    focusNext.current = focus
    if (focus) scrollToRow(row)
    setPlace(place)
    if (place.row === active.row && place.column === active.column) focusActive(scroller, focusNext)
  }

  // When the focused row has left the list, the row that took its place gets the focus, or else the last one.
  const lastPlace = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (found >= 0) lastPlace.current = offset + found
    else if (lastPlace.current !== null && isFocusLost())
      activate(lastPlace.current - offset, active.column, true)
  })

  const wanted = useAtomValue(wantedRowAtom)
  useLayoutEffect(() => {
    const at = wanted === firstRow ? 0 : wanted === null ? -1 : names.indexOf(wanted)
    if (at < 0 || stale || !isFilled) return
    forgetWantedRow()
    activate(at, active.column, true)
  })

  // Once: the table is made anew for every page of a list.
  useLayoutEffect(() => {
    if (!isFilled) return
    if (isFocusLost() && (recall().row !== undefined || focusLeftAt === pathname())) {
      focusNext.current = true
      focusActive(scroller, focusNext)
    }
    focusLeftAt = ''
  }, [isFilled, scroller])
  useLayoutEffect(() => {
    const element = scroller.current
    const path = pathname()
    return () => {
      focusLeftAt = holdsFocus(element) && path === pathname() ? path : ''
    }
  }, [scroller])

  return activate
}

/** Focuses the active cell, or the control in it, where that was asked for. */
function focusActive(scroller: RefObject<HTMLElement | null>, isAskedFor: RefObject<boolean>): void {
  if (!isAskedFor.current) return
  isAskedFor.current = false
  const cell = scroller.current?.querySelector<HTMLElement>('[data-active-cell=true]')
  const target = cell?.querySelector<HTMLElement>('a,button') ?? cell
  target?.focus({ preventScroll: true })
  cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** The address where a table that is being replaced had the focus: the next table takes it over. */
let focusLeftAt = ''

const pathname = () => window.location.pathname
