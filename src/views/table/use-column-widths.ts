import { atom, useAtom, useAtomValue } from 'jotai'
import type { RefObject } from 'react'
import { useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { locationAtom } from '../../state/location.ts'
import { settingsAtom } from '../../state/settings.ts'
import type { Column } from './column.ts'
import { isAction } from './column.ts'
import type { Measured } from './column-widths.ts'
import { isLong, isShown, remInPixels, widthsFor } from './column-widths.ts'

/** The width of the checkbox before the first cell, in rem. */
const pickWidth = 1.25

/** Measured columns, by their ids. */
type Sizes = ReadonlyMap<string, Measured>

/** What is known of the columns of a list. */
interface Known {
  sizes: Sizes
  /** The order of its rows when it was measured: the header of a sorted column has an arrow. */
  ordering: string
}

/**
 * For the rows of an answer, what the columns were last measured with, or found to be wide enough for: how many of the rows were in the document,
 * and the widths of the columns.
 */
const seen = new WeakMap<readonly unknown[], { filled: number; widths: string }>()

/** Whether the columns have been measured with these rows, or found to be wide enough for them. */
export const areSeen = (rows: readonly unknown[]) => seen.has(rows)

/** The columns of each list, by its label. All its pages share their sizes, so that the columns do not move. */
export const knownColumnsAtom = atom<ReadonlyMap<string, Known>>(new Map())

/** The inner width of the table, in pixels. The next table begins with it, as most are equally wide; 0 before the first one. */
const spaceAtom = atom(0)

interface ColumnWidths<T> {
  label: string
  scroller: RefObject<HTMLElement | null>
  columns: readonly Column<T>[]
  rows: readonly T[]
  /** How many rows are in the document. For windowed rows always the same number: nothing is measured while they are scrolled. */
  filled: number
  isTall: boolean
  /** The field by which the rows are sorted; blank for the default order. */
  ordering: string
}

/** The widths of the columns, measured with the rows before they are painted; null if nothing can be measured. */
export function useColumnWidths<T>(given: ColumnWidths<T>) {
  const { label, scroller, columns, rows, filled, isTall, ordering } = given
  const [space, setSpace] = useAtom(spaceAtom)
  const [lists, setLists] = useAtom(knownColumnsAtom)
  const { path } = useAtomValue(locationAtom)
  const { widths: chosenWidths } = useAtomValue(settingsAtom)
  const known = lists.get(label)
  const chosen = (id: string) => chosenWidths[`${path} ${id}`]
  const fitting = widthsOf(known?.sizes, columns, chosen, space)

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    // At once: a frame with the old widths would be seen. The first call comes before the table is painted.
    const observer = new ResizeObserver(() => flushSync(() => setSpace(element.clientWidth)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, setSpace])

  const widths = joined(fitting)
  useLayoutEffect(() => {
    const table = scroller.current?.querySelector('table')
    const last = seen.get(rows)
    if (last?.widths === widths && last.filled >= filled) return
    if (filled === 0 || !table) return
    // Measuring makes the browser compute the layout twice more.
    const isWhole = known?.ordering === ordering && fitting !== null && !isCut(table, fitting.shown)
    const { sizes, outer } = isWhole ? { sizes: known.sizes, outer: space } : measure(table, columns, isTall)
    seen.set(rows, { filled, widths: joined(widthsOf(sizes, columns, chosen, outer)) })
    if (isWhole) return
    setSpace(outer)
    setLists((before) => new Map(before).set(label, { sizes, ordering }))
  })
  return fitting
}

const joined = (fitting: { columns: readonly number[] } | null) => fitting?.columns.join(' ') ?? ''

function widthsOf<T>(
  sizes: Sizes | undefined,
  columns: readonly Column<T>[],
  chosen: (id: string) => number | undefined,
  space: number,
) {
  const known = columns.flatMap(({ id }) => {
    const size = sizes?.get(id)
    return size ? { ...size, chosen: chosen(id) } : []
  })
  if (space === 0 || known.length < columns.length) return null
  const fitting = widthsFor(known, space)
  const isRoomy = (column: Measured, at: number, times?: number) =>
    isShown(column, fitting.columns[at] ?? 0, fitting.isTight, times)
  return {
    ...fitting,
    /** For each column, whether it shows all of its cells as they were measured. */
    shown: known.map((column, at) => isRoomy(column, at)),
    /** The indexes of the columns that may have to cut a cell, with spaces between them. The widest text may not have been measured. */
    cut: known.flatMap((column, at) => (isRoomy(column, at, isLong(column) ? 1.1 : 1) ? [] : [at])).join(' '),
  }
}

/** Whether a cell is cut in a column that showed all of its cells when it was measured. */
function isCut(table: HTMLTableElement, shown: readonly boolean[]): boolean {
  return [...table.querySelectorAll<HTMLTableCellElement>('tr[data-index] > td')].some(
    (cell) => shown[cell.cellIndex] && cell.scrollWidth > cell.clientWidth,
  )
}

/** The sizes of the columns, and the inner width of the element around the table. */
function measure<T>(table: HTMLTableElement, columns: readonly Column<T>[], isTall: boolean) {
  const scroller = table.parentElement
  // To read `scrollLeft` makes the browser compute a layout. data-table.tsx sets this attribute while a table is scrolled sideways.
  const scrollLeft = scroller?.hasAttribute('data-moved') ? scroller.scrollLeft : 0
  const onlyHeaders = document.createElement('table')
  onlyHeaders.dataset['measured'] = 'headers'
  onlyHeaders.append(table.tHead?.cloneNode(true) ?? '')
  table.after(onlyHeaders)
  table.dataset['measured'] = 'cells'
  // All at once, so that the browser computes one layout.
  const contents = headerWidths(table)
  const words = headerWidths(onlyHeaders)
  const lines = [...table.querySelectorAll('th')].map(({ scrollWidth }) => scrollWidth)
  const outer = scroller?.clientWidth ?? 0
  onlyHeaders.remove()
  delete table.dataset['measured']
  // A table that was narrower for a moment may have moved.
  if (scrollLeft > 0) scroller?.scrollTo({ left: scrollLeft })

  const rem = remInPixels()
  const sizes: Sizes = new Map(
    columns.map((column, at) => [
      column.id,
      {
        // Texts of tall rows go on in another line.
        content: isTall ? (column.width + (at === 0 ? pickWidth : 0)) * rem : (contents[at] ?? 0),
        header: (isTall ? words[at] : lines[at]) ?? 0,
        word: words[at] ?? 0,
        declared: column.width * rem,
        isWhole: column.align === 'end' || isAction(column) === true,
        isFixed: isAction(column) === true,
      },
    ]),
  )
  return { sizes, outer }
}

const headerWidths = (table: HTMLTableElement) =>
  [...table.querySelectorAll('th')].map((header) => Math.ceil(header.getBoundingClientRect().width))
