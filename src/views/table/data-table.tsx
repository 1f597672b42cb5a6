import { getDefaultStore, useAtomValue } from 'jotai'
import type { Ref, RefObject } from 'react'
import { useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { peekAtom } from '../../commands/peek.ts'
import { holdsFocus } from '../../state/focus.ts'
import { settingsAtom } from '../../state/settings.ts'
import type { Column } from './column.ts'
import { isAction } from './column.ts'
import { longestTexts, tabSeparated } from './copy.ts'
import styles from './data-table.module.css'
import type { Sort } from './header-cell.tsx'
import { HeaderCell } from './header-cell.tsx'
import { clamp, namesOf } from './row-names.ts'
import type { RowWindow } from './row-window.ts'
import { wholeUpTo } from './row-window.ts'
import type { Marks } from './table-row.tsx'
import { TableRow } from './table-row.tsx'
import { areSeen, useColumnWidths } from './use-column-widths.ts'
import { useCopy } from './use-copy.ts'
import { useFirstRows } from './use-first-rows.ts'
import { useGridKeys } from './use-grid-keys.ts'
import { cardHeight, useNarrow } from './use-narrow.ts'
import type { WindowingProps } from './windowing.tsx'
import { useActiveCell, useRovingFocus } from './use-roving-focus.ts'
import { useScrollMemory } from './use-scroll-memory.ts'
import { useSelection } from './use-selection.ts'
import { deferred } from '../ui/deferred.tsx'

interface DataTableProps<T> {
  label: string
  rows: readonly T[]
  rowId: (row: T) => string
  columns: readonly Column<T>[]
  /** Rows are twice as high, and texts wrap in small type. */
  isTall: boolean
  /** The number of rows on earlier pages. */
  offset: number
  /** The number of rows on all pages, if known. */
  total: number | null
  /** The rows are from an earlier answer: shown dimmed. */
  stale: boolean
  /** The rows are those of another page, search or order, until the present ones come. */
  isEarlier: boolean
  marks: (row: T) => Marks
  onActive: (row: T | null) => void
  open: (row: T) => void
  sort: Sort
  /** The selected rows by their ids, those on other pages included. */
  selected: ReadonlyMap<string, T>
  onSelect: (selected: ReadonlySet<string>) => void
  ref: Ref<TableHandle>
}

/** The functions of a table that the keyboard commands of its list call. */
export interface TableHandle {
  move(by: number): void
  open(): void
  /** Selecting and copying; null if the table has no rows. */
  rows: RowsHandle | null
}

interface RowsHandle {
  /** Toggles the selection of the focused row. */
  toggle(): void
  /** Moves the focus and selects all rows from the start of the selection to the newly focused row. */
  extend(by: number): void
  /** Selects all rows of the page; deselects them if all are selected already. */
  toggleAll(): void
  clear(): void
  /** The selected rows as tab-separated lines; without a selection, the focused row. */
  copied(): string
  /** The index of the focused column. */
  column: number
  /** Makes another column the focused one, without giving it the focus. */
  toColumn(index: number): void
}

const rowHeights = { comfortable: 36, compact: 28 }

/** Its code is loaded with the rows of the first long list. */
export const windowing = deferred(() => import('./windowing.tsx'), {
  fallback: (props: WindowingProps) => <Unwindowed {...props} />,
})

/** In ms. To render 1,000 rows takes longer. */
const patience = 200

/** If the code does not come soon, all rows are in the document until it does. */
function Unwindowed({ count, rowHeight, kept, children }: WindowingProps) {
  return children(useFirstRows(count, rowHeight, kept, true, patience))
}

/** A table of any length. Long ones have only the rows near the visible part in the document. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { rows, rowId, columns, isTall } = props
  const scroller = useRef<HTMLDivElement>(null)
  const { density } = useAtomValue(settingsAtom)
  const isCards = useNarrow()
  const height = isCards ? cardHeight(isTall) : rowHeights[density] * (isTall ? 2 : 1)
  const names = useMemo(() => namesOf(rows.map(rowId)), [rows, rowId])
  const cell = useActiveCell(names, columns.length)
  // Decided once: another component would be another table, without focus and scroll position.
  const [isLong] = useState(rows.length > wholeUpTo)
  // The columns are measured with the rows that have the longest texts.
  const longest = useMemo(
    () => (isLong || !areSeen(rows) ? longestTexts(columns, rows) : []),
    [isLong, columns, rows],
  )
  const kept = [cell.row, ...longest]
  // Cards have other heights.
  const first = useFirstRows(rows.length, height, kept, !isLong && !isCards)
  const table = (shown: RowWindow) => (
    <Table
      {...props}
      scroller={scroller}
      names={names}
      cell={cell}
      height={height}
      isCards={isCards}
      shown={shown}
    />
  )
  if (!isLong) return table(first)
  return (
    <windowing.Component count={rows.length} rowHeight={height} scroller={scroller} kept={kept}>
      {table}
    </windowing.Component>
  )
}

interface TableProps<T> extends DataTableProps<T> {
  scroller: RefObject<HTMLDivElement | null>
  names: readonly string[]
  cell: ReturnType<typeof useActiveCell>
  /** Of a row, in pixels. */
  height: number
  /** Rows are shown as cards. */
  isCards: boolean
  shown: RowWindow
}

/** A table with one tab stop (APG grid pattern): arrows move by cell, `j` and `k` by row. */
function Table<T>(props: TableProps<T>) {
  const { label, rows, rowId, columns, offset, total, stale, marks, onActive, open, sort, selected, ref } =
    props
  const { scroller, names, cell, height, isCards, shown, isTall, isEarlier } = props
  const { items } = shown
  // Windowing shows no rows before it has measured.
  const isFilled = items.length > 0
  const isWindowed = rows.length > wholeUpTo
  const measured = useColumnWidths({
    label,
    scroller,
    columns,
    rows,
    filled: isCards ? 0 : isWindowed ? Math.min(items.length, 1) : items.length,
    isTall,
    ordering: sort.ordering,
  })
  const widths = isCards ? null : measured
  const noteScroll = useScrollMemory(scroller, { isFilled, isEarlier })
  const activate = useRovingFocus({
    scroller,
    cell,
    names,
    columns: columns.length,
    offset,
    isFilled,
    stale,
    scrollToRow: shown.scrollToRow,
  })
  const selection = useSelection(props)
  const extendTo = (index: number) => {
    selection.extendTo(index, cell.row)
    activate(index, cell.column, true)
  }
  const activeRow = rows[cell.found] ?? null
  const copied = () => {
    const chosen = [...selected.values()]
    return tabSeparated(columns, chosen.length || activeRow === null ? chosen : [activeRow])
  }

  // Update the commands of the list and the context when the focused row or its data changes.
  useEffect(() => {
    onActive(activeRow)
    return () => onActive(null)
  }, [activeRow, onActive])
  useImperativeHandle(ref, () => ({
    // The first key focuses the marked row; further keys move the focus.
    move: (by) => activate(holdsFocus(scroller.current) ? cell.row + by : cell.row, cell.column, true),
    open: () => {
      if (activeRow !== null) open(activeRow)
    },
    rows: {
      toggle: () => {
        selection.toggle(cell.row)
        activate(cell.row, cell.column, true)
      },
      extend: (by) => extendTo(clamp(cell.row + by, rows.length)),
      toggleAll: selection.toggleAll,
      clear: selection.clear,
      copied,
      column: cell.column,
      // The row stays: without a focused one, commands would act on the first.
      toColumn: (index) => cell.setPlace({ ...cell.place, column: index }),
    },
  }))
  useCopy(scroller, copied)
  const grid = useGridKeys({
    row: cell.row,
    column: cell.column,
    rows: rows.length,
    columns: columns.length,
    scroller,
    rowHeight: height,
    activate,
    extendTo,
  })
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      data-stale={stale}
      // Without an attribute, the browser does not look at its rules for each cell.
      data-tall={isTall || undefined}
      data-wide={widths?.isWide || undefined}
      style={widths?.isWide ? { scrollPaddingInline: pinned(columns, widths.columns) } : undefined}
      onScroll={(event) => {
        noteScroll()
        noteSide(event.currentTarget)
      }}
    >
      <table
        ref={grid}
        role="grid"
        aria-label={label}
        aria-multiselectable
        aria-rowcount={total === null ? -1 : total + 1}
        aria-colcount={columns.length}
        aria-busy={stale || (!isWindowed && items.length < rows.length)}
        onKeyDown={(event) => {
          // The first Escape closes the panel of a row.
          if (event.key === 'Escape' && getDefaultStore().get(peekAtom) === '') selection.clear()
          if (event.key !== ' ' || isIn('button,input', event.target)) return
          event.preventDefault()
          if (!event.repeat) selection.toggle(cell.row)
        }}
        data-tight={widths?.isTight || undefined}
        data-cut={widths && !isTall ? widths.cut || undefined : 'all'}
        style={tableStyle(widths)}
      >
        <colgroup>
          {columns.map(({ id }, at) => (
            <col key={id} style={{ inlineSize: widths?.columns[at] }} />
          ))}
        </colgroup>
        <thead>
          <tr role="row" aria-rowindex={1}>
            {columns.map((column, at) => (
              <HeaderCell key={column.id} column={column} sort={sort}>
                {at === 0 && <PickAll page={selection.page} toggle={selection.toggleAll} />}
              </HeaderCell>
            ))}
          </tr>
        </thead>
        <tbody
          onClick={(event) => {
            const place = placeOf(event.target)
            if (!place || isIn('a:not([href^="tel:"]),button,input', event.target)) return
            const isToggle = event.ctrlKey || event.metaKey
            // Not dialled: a phone number has no other window to open in.
            if (event.shiftKey || isToggle) event.preventDefault()
            if (event.shiftKey) extendTo(place.index)
            else if (isToggle) selection.toggle(place.index)
            else if (isCards) {
              const row = rows[place.index]
              if (row !== undefined && !isIn('a', event.target)) open(row)
            }
          }}
          onChange={(event) => {
            const place = placeOf(event.target)
            if (!place || !isIn(`.${styles.pick}`, event.target)) return
            // React reports a click on a checkbox as a change.
            const isRange = event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey
            if (isRange) extendTo(place.index)
            else selection.toggle(place.index)
            // The checkbox, which a click has given the focus, has no keys.
            activate(place.index, place.column, true)
          }}
          onFocus={(event) => {
            const place = placeOf(event.target)
            if (place) activate(place.index, place.column, false)
          }}
          onMouseDown={(event) => {
            const place = placeOf(event.target)
            // Shift and a click extend the selection of rows. Do not select text.
            if (event.shiftKey) event.preventDefault()
            else if (place) activate(place.index, place.column, false)
          }}
        >
          <Spacer columns={columns.length} height={items[0]?.start ?? 0} />
          {/* Flat, so that a row keeps its key, and with it the focus, wherever it comes in the order. */}
          {items.flatMap(({ index, start, isBrief }, position) => {
            const row = rows[index]
            if (row === undefined) return []
            const gap = position > 0 ? start - (items[position - 1]?.end ?? 0) : 0
            return [
              gap > 0 && <Spacer key={`gap${index}`} columns={columns.length} height={gap} />,
              <TableRow
                key={names[index]}
                row={row}
                columns={columns}
                isBrief={isBrief}
                index={index}
                offset={offset}
                height={height}
                isCard={isCards}
                isTall={isTall}
                isActive={index === cell.found}
                activeColumn={index === cell.row ? cell.column : null}
                isSelected={selected.has(rowId(row))}
                {...marks(row)}
              />,
            ]
          })}
          <Spacer columns={columns.length} height={shown.height - (items.at(-1)?.end ?? 0)} />
        </tbody>
      </table>
    </div>
  )
}

function tableStyle(widths: ReturnType<typeof useColumnWidths>) {
  const size = widths?.columns.reduce((sum, width) => sum + width, 0)
  return { minInlineSize: size, inlineSize: widths?.isShort ? size : undefined }
}

/** The columns that stay in view when the table is scrolled sideways: the first one, and that of the buttons. */
function pinned<T>(columns: readonly Column<T>[], widths: readonly number[]): string {
  const last = columns.at(-1)
  return `${widths[0] ?? 0}px ${last && isAction(last) ? (widths.at(-1) ?? 0) : 0}px`
}

/** For the shadows at the sides on which the table goes on. */
function noteSide(scroller: HTMLElement): void {
  const { scrollLeft, scrollWidth, clientWidth } = scroller
  scroller.toggleAttribute('data-moved', scrollLeft > 0)
  scroller.toggleAttribute('data-end', scrollLeft > scrollWidth - clientWidth - 2)
}

/** The row index on the page and the column index of an event's target. */
function placeOf(target: EventTarget): { index: number; column: number } | null {
  if (!(target instanceof Element)) return null
  const index = target.closest('tr')?.dataset['index']
  // A card has space beside its cells.
  return index === undefined ? null : { index: Number(index), column: target.closest('td')?.cellIndex ?? 0 }
}

const isIn = (selector: string, target: EventTarget) =>
  target instanceof Element && target.closest(selector) !== null

interface PickAllProps {
  /** How many rows of the page are selected. */
  page: 'all' | 'some' | 'none'
  toggle: () => void
}

/** The checkbox of the header: all rows of the page. Not a tab stop; its key is Shift+X. */
function PickAll({ page, toggle }: PickAllProps) {
  return (
    <input
      ref={(box) => {
        if (box) box.indeterminate = page === 'some'
      }}
      type="checkbox"
      className={styles.pick}
      tabIndex={-1}
      aria-label="Select all rows of the page"
      data-command="list.selectAll"
      checked={page === 'all'}
      onChange={toggle}
    />
  )
}

function Spacer({ columns, height }: { columns: number; height: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden data-gap style={{ height }}>
      <td colSpan={columns} />
    </tr>
  )
}
