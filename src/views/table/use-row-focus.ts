import { useAtomValue } from 'jotai'
import { useLayoutEffect, useRef } from 'react'
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
}

/**
 * When the focused row is removed, focuses the row that takes its place, or the last one. If a dialog is open then, it does so when
 * the dialog is closed. Also focuses the row that is wanted (wanted-row.ts). `names` are the keys of the rows.
 */
export function useRowFocus(names: readonly string[], { found, offset = 0, isReady, focus }: RowFocus): void {
  const lastPlace = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (found >= 0) lastPlace.current = offset + found
    if (found >= 0 || lastPlace.current === null) return
    const next = clamp(lastPlace.current - offset, names.length)
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
