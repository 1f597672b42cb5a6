import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import type { ReactNode, RefObject } from 'react'
import { useLayoutEffect } from 'react'
import { recall } from '../../state/location.ts'
import type { RowWindow } from './row-window.ts'
import { fittingHeight, wholeUpTo } from './row-window.ts'
import { useWhole } from './use-first-rows.ts'
import { usePrinting } from './use-printing.ts'

export interface WindowingProps {
  count: number
  rowHeight: number
  scroller: RefObject<HTMLElement | null>
  /**
   * The rows that stay in the document: if the focused row were removed, the focus would be lost; the columns are
   * measured with their longest texts.
   */
  kept: readonly number[]
  children: (rows: RowWindow) => ReactNode
}

/** Rows come and go by so many: each time, the browser computes the layout of the whole table. */
const step = 4
/** How many rows beyond the visible ones are in the document: more on the side to which the table is scrolled, as the next frame may need them. */
const ahead = 24
const behind = 4

/** Keeps only the rows near the visible part of a long table in the document. */
export default function Windowing({ count, rowHeight, scroller, kept, children }: WindowingProps) {
  const whole = usePrinting() || count <= wholeUpTo
  const isBegun = useWhole(true)
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    // Measuring makes the browser compute the layout. With rows in it, that is also the one in which the columns are measured.
    initialRect: { width: 0, height: fittingHeight() },
    initialOffset: recall().scroll ?? 0,
    overscan: whole ? count : 0,
    rangeExtractor: (range) => {
      const isUp = virtualizer.scrollDirection === 'backward'
      const [more, less] = isBegun ? [ahead, behind] : [0, 0]
      const startIndex = range.startIndex - (isUp ? more : less)
      const endIndex = range.endIndex + (isUp ? less : more)
      const near = defaultRangeExtractor({
        ...range,
        startIndex: Math.max(0, startIndex - (startIndex % step)),
        endIndex: endIndex - (endIndex % step) + step,
      })
      return [...new Set([...near, ...kept])].filter((index) => index < count).sort((a, b) => a - b)
    },
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight])
  return children({
    items: virtualizer.getVirtualItems(),
    height: virtualizer.getTotalSize(),
    scrollToRow: (index) => {
      if (!whole) virtualizer.scrollToIndex(index)
    },
  })
}
