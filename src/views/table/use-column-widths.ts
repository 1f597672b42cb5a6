import { atom, useAtom, useAtomValue } from 'jotai'
import type { RefObject } from 'react'
import { useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { locationAtom } from '../../state/location.ts'
import { settingsAtom } from '../../state/settings.ts'
import type { Column } from './column.ts'
import { isAction } from './column.ts'
import type { Measured } from './column-widths.ts'
import { leastWidthOf, naturalWidth, remInPixels, widthsFor } from './column-widths.ts'

/** The width of the checkbox before the first cell, in rem. */
const pickWidth = 1.25

/** Measured columns, by their ids. */
type Sizes = ReadonlyMap<string, Measured>

/** What is known of the columns of a list. */
interface Known {
  sizes: Sizes
  /** The rows and the chosen widths with which no cell is cut needlessly. */
  rows: readonly unknown[]
  widths: Widths
}

type Widths = Readonly<Record<string, number>>

/** The columns of each list, by its label. All its pages share their sizes, so that the columns do not move. */
export const knownColumnsAtom = atom<ReadonlyMap<string, Known>>(new Map())

/** The inner width of the table, in pixels. The next table begins with it, as most are equally wide; 0 before the first one. */
const spaceAtom = atom(0)

interface ColumnWidths<T> {
  label: string
  scroller: RefObject<HTMLElement | null>
  columns: readonly Column<T>[]
  rows: readonly T[]
  /** Whether the rows are in the document. */
  isFilled: boolean
  isTall: boolean
}

/** The widths of the columns, measured with the rows before they are painted; null if nothing can be measured. */
export function useColumnWidths<T>({ label, scroller, columns, rows, isFilled, isTall }: ColumnWidths<T>) {
  const [space, setSpace] = useAtom(spaceAtom)
  const [lists, setLists] = useAtom(knownColumnsAtom)
  const { path } = useAtomValue(locationAtom)
  const { widths } = useAtomValue(settingsAtom)
  const known = lists.get(label)
  const chosen = (id: string) => widths[`${path} ${id}`]
  const fitting = widthsOf(known?.sizes, columns, chosen, space)

  const isSpaceKnown = space > 0
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const read = () => setSpace(element.clientWidth)
    if (!isSpaceKnown) read()
    // At once: a frame with the old widths would be seen. The first call comes before the table is painted.
    const observer = new ResizeObserver(() => flushSync(read))
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, isSpaceKnown, setSpace])

  const isKnown = known?.rows === rows && known.widths === widths && fitting !== null
  useLayoutEffect(() => {
    const table = scroller.current?.querySelector('table')
    // Measuring makes the browser compute the layout twice.
    if (isKnown || !isFilled || !table || !isSpaceKnown) return
    const measured = measure(table, columns, isTall)
    const isWhole = columns.every(({ id }, at) => {
      const column = measured.get(id)
      const least = column && (chosen(id) === undefined ? naturalWidth(column) : leastWidthOf(column))
      return least !== undefined && least <= (fitting?.columns[at] ?? 0)
    })
    const sizes = isWhole && known ? known.sizes : measured
    setLists((before) => new Map(before).set(label, { sizes, rows, widths }))
  })
  return fitting
}

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
  return space > 0 && known.length === columns.length ? widthsFor(known, space) : null
}

function measure<T>(table: HTMLTableElement, columns: readonly Column<T>[], isTall: boolean): Sizes {
  const { scrollLeft = 0 } = table.parentElement ?? {}
  const onlyHeaders = document.createElement('table')
  onlyHeaders.dataset['measured'] = 'headers'
  onlyHeaders.append(table.tHead?.cloneNode(true) ?? '')
  table.after(onlyHeaders)
  table.dataset['measured'] = 'cells'
  // All at once, so that the browser computes one layout.
  const contents = headerWidths(table)
  const words = headerWidths(onlyHeaders)
  const lines = [...table.querySelectorAll('th')].map(({ scrollWidth }) => scrollWidth)
  onlyHeaders.remove()
  delete table.dataset['measured']
  // A table that was narrower for a moment may have moved.
  if (scrollLeft > 0) table.parentElement?.scrollTo({ left: scrollLeft })

  const rem = remInPixels()
  return new Map(
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
}

const headerWidths = (table: HTMLTableElement) =>
  [...table.querySelectorAll('th')].map((header) => Math.ceil(header.getBoundingClientRect().width))
