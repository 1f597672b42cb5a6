import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import type { ReactNode, RefObject } from 'react'
import { useLayoutEffect, useMemo, useRef } from 'react'
import { recall } from '../../state/location.ts'
import { nothingRendered, renderedNext } from './brief-rows.ts'
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
const step = 3
/** How many rows beyond the visible ones are in the document: more on the side to which the table is scrolled, as the next frame may need them. */
const ahead = 24
const behind = 4

/** Keeps only the rows near the visible part of a long table in the document. */
export default function Windowing({ count, rowHeight, scroller, kept, children }: WindowingProps) {
  const whole = usePrinting() || count <= wholeUpTo
  const isBegun = useWhole(true)
  const rendered = useRef(nothingRendered)
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
      const far = rendered.current.isFast ? 2 * ahead : ahead
      const [more, less] = isBegun ? [far, behind] : [0, 0]
      const above = Math.max(0, range.startIndex - (isUp ? more : less))
      const startIndex = above - (above % step)
      // Rows go in the same rendering in which others come.
      const fitting = Math.ceil((virtualizer.scrollRect?.height ?? 0) / rowHeight) + 1
      const endIndex = isBegun ? startIndex + more + less + fitting + step : range.endIndex
      const near = defaultRangeExtractor({ ...range, startIndex, endIndex })
      rendered.current = renderedNext(rendered.current, {
        indexes: [...new Set([...near, ...kept])].filter((index) => index < count).sort((a, b) => a - b),
        range,
        isScrolling: virtualizer.isScrolling,
        time: performance.now(),
        isKept: (index) => whole || !isBegun || kept.includes(index),
      })
      return rendered.current.indexes
    },
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight])
  const items = virtualizer.getVirtualItems()
  const height = virtualizer.getTotalSize()
  // A scroll renders this component in each frame, and the table only when rows come or go.
  return useMemo(() => {
    const { brief } = rendered.current
    const scrollToRow = (index: number) => {
      if (!whole) virtualizer.scrollToIndex(index)
    }
    return children({
      items: items.map((item) => ({ ...item, isBrief: brief.has(item.index) })),
      height,
      scrollToRow,
    })
  }, [children, items, height, whole, virtualizer])
}
