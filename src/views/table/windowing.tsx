import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import type { ReactNode, RefObject } from 'react'
import { useLayoutEffect } from 'react'
import type { RowWindow } from './row-window.ts'
import { wholeUpTo } from './row-window.ts'
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
const step = 8

/** Keeps only the rows near the visible part of a long table in the document. */
export default function Windowing({ count, rowHeight, scroller, kept, children }: WindowingProps) {
  const whole = usePrinting() || count <= wholeUpTo
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: whole ? count : 12,
    rangeExtractor: (range) => {
      const startIndex = range.startIndex - (range.startIndex % step)
      const endIndex = range.endIndex - (range.endIndex % step) + step
      const near = defaultRangeExtractor({ ...range, startIndex, endIndex })
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
