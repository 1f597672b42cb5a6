/** The rows of a long table that are in the document, by their indexes, and which of them have only their first two cells. */
export interface Rendered {
  indexes: number[]
  brief: ReadonlySet<number>
  isScrolling: boolean
  /** When this was rendered that the speed is measured from, in milliseconds, and its first visible row. */
  since: { time: number; index: number }
}

export const nothingRendered: Rendered = {
  indexes: [],
  brief: new Set(),
  isScrolling: false,
  since: { time: 0, index: 0 },
}

interface Next {
  indexes: number[]
  /** The visible ones. */
  range: { startIndex: number; endIndex: number }
  isScrolling: boolean
  /** In milliseconds. */
  time: number
  /** Whether a row always has all cells. */
  isKept: (index: number) => boolean
}

/** The speed is that of at least so many milliseconds. */
const span = 100
/** Rows per millisecond. */
const fast = 0.1

/**
 * What is rendered next. If rows that are seen were not there yet although the table was scrolling before, rendering takes longer than the
 * scroll. From then on new rows have only their first two cells, so that there are rows to see, until the scroll ends or is slow: then all get all
 * of their cells. A single jump is rendered with all cells. Returns `last.indexes` itself if no row changes.
 */
export function renderedNext(last: Rendered, next: Next): Rendered {
  const { indexes, range, isScrolling, time, isKept } = next
  const { brief, since } = last
  const isBrief = brief.size > 0
  if (String(indexes) === String(last.indexes) && (isScrolling || !isBrief)) return { ...last, isScrolling }
  const isNew = (index: number) => !last.indexes.includes(index)
  const passed = time - since.time
  const isMeasured = !isBrief || passed >= span
  const isFast = isBrief
    ? !isMeasured || Math.abs(range.startIndex - since.index) > fast * passed
    : last.isScrolling && (isNew(range.startIndex) || isNew(range.endIndex))
  const staysBrief = (index: number) => !isKept(index) && (isNew(index) || brief.has(index))
  return {
    indexes,
    brief: new Set(isFast && isScrolling ? indexes.filter(staysBrief) : []),
    isScrolling,
    since: isMeasured ? { time, index: range.startIndex } : since,
  }
}
