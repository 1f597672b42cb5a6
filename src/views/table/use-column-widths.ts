import { atom, useAtom, useAtomValue } from 'jotai'
import type { RefObject } from 'react'
import { useLayoutEffect, useState } from 'react'
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

/** The measured columns of each list, by its label. All its pages share them, so that the columns do not move. */
export const sizesAtom = atom<ReadonlyMap<string, Sizes>>(new Map())

/** The chosen widths of the list on screen: the width of a column by its id; undefined if none was chosen. */
const chosenAtom = atom((get) => {
  const { path } = get(locationAtom)
  const { widths } = get(settingsAtom)
  return (id: string) => widths[`${path} ${id}`]
})

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
  const [space, setSpace] = useState(0)
  const [lists, setLists] = useAtom(sizesAtom)
  const chosen = useAtomValue(chosenAtom)

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const read = () => setSpace(element.clientWidth)
    read()
    // At once: a frame with the old widths would be seen.
    const observer = new ResizeObserver(() => flushSync(read))
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])

  useLayoutEffect(() => {
    const [table, width] = [scroller.current?.querySelector('table'), scroller.current?.clientWidth ?? 0]
    if (!isFilled || !table || width === 0) return
    const measured = measure(table, columns, isTall)
    setLists((before) => {
      const widths = widthsOf(before.get(label), columns, chosen, width)?.columns
      const isWhole = columns.every(({ id }, at) => {
        const column = measured.get(id)
        const least = column && (chosen(id) === undefined ? naturalWidth(column) : leastWidthOf(column))
        return least !== undefined && least <= (widths?.[at] ?? 0)
      })
      return isWhole ? before : new Map(before).set(label, measured)
    })
  }, [label, scroller, columns, rows, isFilled, isTall, chosen, setLists])
  return widthsOf(lists.get(label), columns, chosen, space)
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
  table.dataset['measured'] = 'cells'
  const contents = headerWidths(table)
  const lines = [...table.querySelectorAll('th')].map(({ scrollWidth }) => scrollWidth)
  delete table.dataset['measured']
  // A table that was narrower for a moment may have moved.
  if (scrollLeft > 0) table.parentElement?.scrollTo({ left: scrollLeft })

  const onlyHeaders = document.createElement('table')
  onlyHeaders.dataset['measured'] = 'headers'
  onlyHeaders.append(table.tHead?.cloneNode(true) ?? '')
  table.after(onlyHeaders)
  const words = headerWidths(onlyHeaders)
  onlyHeaders.remove()

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
