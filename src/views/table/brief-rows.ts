/** The rows of a long table that are in the document, by their indexes, and which of them have only their first two cells. */
export interface Rendered {
  indexes: number[]
  brief: ReadonlySet<number>
  /** New rows have only their first two cells. */
  isFast: boolean
  isScrolling: boolean
  /** Where the measurement of the speed began: the time in milliseconds, and the first visible row. */
  since: { time: number; index: number }
}

export const nothingRendered: Rendered = {
  indexes: [],
  brief: new Set(),
  isFast: false,
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

/** In milliseconds: the speed is measured over at least this time. */
const span = 100
/** In rows per millisecond: a slower scroll is not fast any more. */
const fast = 0.1

/** So many rows get the rest of their cells with each rendering of a slow scroll. All at once would stop it. */
const few = 3

/**
 * What is rendered next. If rows that are seen were not there yet although the table was scrolling before, rendering takes longer than the
 * scroll. From then on new rows have only their first two cells, so that there are rows to see. When the scroll is slow, new rows have all cells, and
 * the others get theirs one after the other; when it ends, all of them. A single jump is rendered with all cells. If no row
 * changes, `indexes` is the array of `last`.
 */
export function renderedNext(last: Rendered, next: Next): Rendered {
  const { indexes, range, isScrolling, time, isKept } = next
  const { brief, since } = last
  if (String(indexes) === String(last.indexes) && (isScrolling || brief.size === 0))
    return { ...last, isFast: last.isFast && isScrolling, isScrolling }
  const isNew = (index: number) => !last.indexes.includes(index)
  const passed = time - since.time
  const isMeasured = !last.isFast || passed >= span
  const goesOn = last.isFast
    ? !isMeasured || Math.abs(range.startIndex - since.index) > fast * passed
    : last.isScrolling && (isNew(range.startIndex) || isNew(range.endIndex))
  const isFast = isScrolling && goesOn
  const isInSight = (index: number) => index >= range.startIndex && index <= range.endIndex
  const staying = indexes.filter((index) => brief.has(index) && !isKept(index))
  const completed = isFast ? [] : staying.filter(isInSight).slice(0, few)
  const added = isFast ? indexes.filter((index) => isNew(index) && !isKept(index)) : []
  const shortened = [...staying, ...added].filter((index) => !completed.includes(index))
  return {
    indexes,
    brief: new Set(isScrolling ? shortened : []),
    isFast,
    isScrolling,
    since: isMeasured ? { time, index: range.startIndex } : since,
  }
}
