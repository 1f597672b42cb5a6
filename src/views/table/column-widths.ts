/** What is known of a column before it gets its width, in pixels. */
export interface Measured {
  /** The widest cell. */
  content: number
  /** The header in one line. */
  header: number
  /** The longest word of the header. */
  word: number
  /** The declared width: content that is much longer may be cut. */
  declared: number
  /** Buttons and numbers: never cut, as the beginning of a number is another number. */
  isWhole: boolean
  /** Buttons: not wider than necessary. */
  isFixed: boolean
  /** The width that somebody has chosen. */
  chosen?: number | undefined
}

interface Widths {
  /** In pixels. */
  columns: readonly number[]
  /** With less space around the texts. */
  isTight: boolean
  /** The table is wider than the space. */
  isWide: boolean
  /** The table is narrower than the space: no column without a chosen width can take the rest. */
  isShort?: boolean
}

/** In pixels. In a smaller space the table scrolls sideways rather than having all of its texts cut. */
const leastSpace = 1000

/**
 * The widths of the columns in a space of so many pixels. Chosen widths stay; the other columns share the rest. What does not fit is made narrower in steps: first long texts,
 * then the space around all texts, then long texts to a few words, then, in a large space, all texts to a part. In each step, the
 * widest columns are cut first. If that does not suffice, the table is wider than the space.
 */
export function widthsFor(columns: readonly Measured[], space: number, outer = space): Widths {
  const free = columns.filter(({ chosen }) => chosen === undefined)
  if (free.length < columns.length) {
    const taken = sum(columns.map(chosenWidth))
    const rest = widthsFor(free, space - taken, outer)
    const widths = columns.map((column) => rest.columns[free.indexOf(column)] ?? chosenWidth(column))
    const isShort = free.every(({ isFixed }) => isFixed)
    return { columns: widths, isTight: rest.isTight, isWide: sum(widths) > space, isShort }
  }
  const whole = columns.map(naturalWidth)
  const short = columns.map((column) => leastWidth(column, column.declared))
  const few = columns.map((column) => leastWidth(column, column.declared / 2))
  const part = columns.map((column, at) =>
    column.isWhole
      ? Math.max(column.content, column.word)
      : Math.min(few[at] ?? 0, Math.max(column.word, Math.ceil(0.7 * column.content))),
  )
  if (sum(whole) <= space) return { columns: spread(columns, space), isTight: false, isWide: false }
  if (sum(short) <= space) return { columns: cut(whole, short, space), isTight: false, isWide: false }
  for (const [most, least] of [
    [whole, short],
    [short, few],
    ...(outer < leastSpace ? [] : [[few, part] as const]),
  ] as const)
    if (sum(tight(least)) <= space)
      return { columns: cut(tight(most), tight(least), space), isTight: true, isWide: false }
  return { columns: short, isTight: false, isWide: true }
}

/** In pixels. */
const leastChosen = 48

/** The size of a rem. */
export const remInPixels = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

/** The least width that can be chosen. Numbers and buttons are never cut. */
export const leastWidthOf = ({ isWhole, content, word }: Measured) =>
  isWhole ? Math.max(content, word) : leastChosen

/** The chosen width of a column; 0 without one. */
const chosenWidth = (column: Measured) =>
  column.chosen === undefined ? 0 : Math.max(column.chosen, leastWidthOf(column))

/** The width at which nothing is cut. */
export const naturalWidth = ({ content, header }: Measured) => Math.max(content, header)

/** The content, or as much as `least` of a long text. */
function leastWidth(column: Measured, least: number): number {
  const { content, header, word } = column
  // A header that is hardly wider than the cells stays in one line.
  if (!isLong(column)) return Math.max(content, header < 1.1 * content ? header : word)
  return Math.max(word, least)
}

/** Whether the texts of a column are long: they may be cut. */
export const isLong = ({ content, declared, isWhole }: Measured) => content > 1.25 * declared && !isWhole

/** Whether a column of this width in pixels shows all of its cells, if they are so many times as wide as those that were measured. */
export const isShown = ({ content, isWhole }: Measured, width: number, isTight: boolean, times = 1) =>
  isWhole || width >= times * content - (isTight ? saved : 0)

/** The space around a text that a tight table saves, in pixels. */
const saved = 8

/** The widths in a tight table; the first column keeps the space of its checkbox. */
const tight = (widths: readonly number[]) => widths.map((width, at) => width - (at === 0 ? saved / 2 : saved))

const sum = (widths: readonly number[]) => widths.reduce((total, width) => total + width, 0)

/** The natural widths, with the rest of the space in proportion. */
function spread(columns: readonly Measured[], space: number): number[] {
  const rest = space - sum(columns.map(naturalWidth))
  const growing = columns.filter(({ isFixed }) => !isFixed)
  const grown = sum(growing.map(naturalWidth))
  return columns.map((column) => {
    const width = naturalWidth(column)
    return growing.includes(column) ? width + Math.floor((rest * width) / grown) : width
  })
}

/** Cuts all columns that are wider than a limit to this limit, but none below its least width. */
function cut(widths: readonly number[], least: readonly number[], space: number): number[] {
  const cutTo = (limit: number) => widths.map((width, at) => Math.max(least[at] ?? 0, Math.min(width, limit)))
  let limit = Math.max(...widths)
  while (sum(cutTo(limit)) > space) limit--
  return cutTo(limit)
}
