interface Item {
  index: number
  start: number
  end: number
  /** It has only its first two cells, because the table is scrolled fast. */
  isBrief?: boolean
}

/** The rows of a table that are in the document, with their distances from the first row's top, in pixels. */
export interface RowWindow {
  items: readonly Item[]
  /** The height of all rows. */
  height: number
  /** Scrolls to a row, so that it is in the document. */
  scrollToRow: (index: number) => void
}

/** Up to this number, all rows are in the document, for find-in-page and screen readers. */
export const wholeUpTo = 200

/** All rows. */
export function allRows(count: number, rowHeight: number): RowWindow {
  const items = Array.from({ length: count }, (_, index) => ({
    index,
    start: index * rowHeight,
    end: (index + 1) * rowHeight,
  }))
  return { items, height: count * rowHeight, scrollToRow: () => undefined }
}

/** What is above and below the rows takes at least so much of the height of the window, in pixels. */
const bars = 160

/** The most that a table can show of its rows, in pixels, before it is in the document and can be measured. */
export const fittingHeight = (): number => window.innerHeight - bars

/** Those of all rows that fit into the window, and the `kept` ones, by their indexes. The height stays that of all. */
export function fittingRows(all: RowWindow, rowHeight: number, kept: readonly number[]): RowWindow {
  const last = Math.ceil(fittingHeight() / rowHeight)
  return { ...all, items: all.items.filter(({ index }) => index < last || kept.includes(index)) }
}
