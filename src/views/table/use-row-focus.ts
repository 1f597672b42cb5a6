import { useAtomValue } from 'jotai'
import { useLayoutEffect, useRef, useState } from 'react'
import { isOpenerGone } from '../../state/dialog.ts'
import { isFocusLost } from '../../state/focus.ts'
import { firstRow, forgetWantedRow, wantedRowAtom, wantRowIfNone } from '../../state/wanted-row.ts'
import { clamp } from './row-names.ts'

interface RowFocus {
  /** The index of the row that the person has focused; -1 if it was removed, or if there is none. */
  found: number
  /** The number of rows on earlier pages. */
  offset?: number
  /** Whether the rows are in the document, and no earlier answer. */
  isReady: boolean
  focus: (index: number) => void
  /** Of `useTabStop`. */
  vacate: (index: number) => void
}

/** The index of the row that has the tab stop: the focused one; once that was removed, the one that took its place. */
export function useTabStop(found: number, count: number) {
  const [vacant, vacate] = useState(0)
  return { row: found >= 0 ? found : Math.max(0, Math.min(vacant, count - 1)), vacate }
}

/**
 * When the focused row is removed, focuses the row that takes its place, or the last one. If the focus is elsewhere, in a field for
 * example, that row gets the tab stop; if a dialog is open, the focus when it is closed. Also focuses the row that is wanted (wanted-row.ts). `names` are the keys of the rows.
 */
export function useRowFocus(
  names: readonly string[],
  { found, offset = 0, isReady, focus, vacate }: RowFocus,
): void {
  const lastPlace = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (found >= 0) lastPlace.current = offset + found
    if (found >= 0 || lastPlace.current === null) return
    const next = clamp(lastPlace.current - offset, names.length)
    vacate(next)
    if (isFocusLost()) focus(next)
    else if (isOpenerGone()) wantRowIfNone(names[next] ?? '')
  })
  const wanted = useAtomValue(wantedRowAtom)
  useLayoutEffect(() => {
    const at = wanted === firstRow ? 0 : wanted === null ? -1 : names.indexOf(wanted)
    if (at < 0 || !isReady) return
    forgetWantedRow()
    focus(at)
  })
}
