import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useAtomValue } from 'jotai'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import {
  isValidElement,
  memo,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useHotkeys } from 'react-hotkeys-hook'
import { noValue } from '../../format.ts'
import { recall, remember } from '../../state/location.ts'
import { settingsAtom } from '../../state/settings.ts'
import { CellContext } from '../ui/cell.ts'
import type { Column } from './column.ts'
import { tabSeparated, textOf } from './copy.ts'
import styles from './data-table.module.css'
import { useCopy } from './use-copy.ts'
import { usePrinting } from './use-printing.ts'

export interface Marks {
  busy: boolean
  fault: boolean
  /** It has had its time: dimmed. */
  past: boolean
}

interface DataTableProps<T> {
  label: string
  rows: readonly T[]
  rowId: (row: T) => string
  columns: readonly Column<T>[]
  /** Rows before the first one, over all pages. */
  offset: number
  /** Rows over all pages, where known. */
  total: number | null
  /** The rows are from before: shown, dimmed. */
  stale: boolean
  marks: (row: T) => Marks
  onActive: (row: T | null) => void
  open: (row: T) => void
  sort: Sort
  /** The ids of the selected rows. */
  selected: ReadonlySet<string>
  onSelect: (selected: ReadonlySet<string>) => void
  ref: Ref<TableHandle>
}

/** How the rows are ordered, and by what they can be. */
interface Sort {
  /** A field, with a minus for descending; `` for the server's own order. */
  ordering: string
  can: (field: string) => boolean
  by: (field: string) => void
}

/** What the keyboard commands of a list need of its table. */
export interface TableHandle {
  move(by: number): void
  open(): void
  /** Selecting and copying; null where there are no rows for it. */
  rows: RowsHandle | null
}

interface RowsHandle {
  /** The focused row, or not any more. */
  toggle(): void
  /** Every row from where the selection began to the one that the focus moves to. */
  extend(by: number): void
  /** All rows of the page; none if they all are. */
  toggleAll(): void
  clear(): void
  /** The selected rows, or else the focused one, as tab-separated lines. */
  copied(): string
}

/** Up to this many rows are all in the document, for find-in-page and screen readers. */
const wholeUpTo = 200
/** Beside the first cell, in rem. */
const pickWidth = 1.25
const rowHeights = { comfortable: 36, compact: 28 }

/** A table with one tab stop (APG grid pattern): arrows move by cell, `j` and `k` by row, always through the virtualizer. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { label, rows, rowId, columns, offset, total, stale, marks, onActive, open, ref } = props
  const { sort, selected, onSelect } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(() => ({ row: recall().row ?? '', column: recall().column ?? 0 }))
  const focusNext = useRef(false)
  const { density } = useAtomValue(settingsAtom)
  const height = rowHeights[density]

  const names = namesOf(rows.map(rowId))
  const found = names.indexOf(active.row)
  // The tab stop is always somewhere; commands act on a row only once the person has gone to it.
  const activeIndex = Math.max(found, 0)
  const activeRow = rows[found] ?? null

  const activeColumn = Math.min(active.column, columns.length - 1)
  const anchor = useRef<number | null>(null)

  const isPrinting = usePrinting()
  const whole = rows.length <= wholeUpTo || isPrinting
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: whole ? rows.length : 15,
    getItemKey: (index) => names[index] ?? index,
    // The focused row stays in the document, or the focus would be lost with it.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), activeIndex])]
        .filter((index) => index < rows.length)
        .sort((a, b) => a - b),
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, height])

  const activate = (index: number, column: number, focus: boolean) => {
    const at = clamp(index, rows.length)
    const place = { row: names[at] ?? '', column: clamp(column, columns.length) }
    remember(place)
    focusNext.current = focus
    if (focus && !whole) virtualizer.scrollToIndex(at)
    setActive(place)
    if (place.row === active.row && place.column === active.column) focusActive()
  }

  const toggle = (index: number) => {
    const row = rows[index]
    if (row === undefined) return
    anchor.current = index
    const next = new Set(selected)
    if (!next.delete(rowId(row))) next.add(rowId(row))
    onSelect(next)
  }
  const selectTo = (index: number) => {
    const from = (anchor.current ??= activeIndex)
    const range = rows.slice(Math.min(from, index), Math.max(from, index) + 1)
    onSelect(new Set([...selected, ...range.map(rowId)]))
    activate(index, activeColumn, true)
  }
  const copied = () => {
    const chosen = rows.filter((row) => selected.has(rowId(row)))
    return tabSeparated(columns, chosen.length || activeRow === null ? chosen : [activeRow])
  }

  const focusActive = () => {
    if (!focusNext.current) return
    focusNext.current = false
    const cell = scroller.current?.querySelector<HTMLElement>('[data-active-cell=true]')
    const target = cell?.querySelector<HTMLElement>('a,button') ?? cell
    target?.focus({ preventScroll: true })
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  useLayoutEffect(focusActive)

  // Its row is gone and the focus with it: on to what stands in its place now, or to the last one.
  const lastPlace = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (found >= 0) lastPlace.current = offset + found
    else if (lastPlace.current !== null && document.activeElement?.matches('body,main'))
      activate(lastPlace.current - offset, active.column, true)
  })

  // The commands of the list and the context follow the focused row and what it says now.
  useEffect(() => {
    onActive(activeRow)
    return () => onActive(null)
  }, [activeRow, onActive])
  useImperativeHandle(ref, () => ({
    // The first key brings the focus to the row that is marked; the next ones move it.
    move: (by) => activate(holdsFocus(scroller.current) ? activeIndex + by : activeIndex, activeColumn, true),
    open: () => {
      if (activeRow !== null) open(activeRow)
    },
    rows: {
      toggle: () => {
        toggle(activeIndex)
        activate(activeIndex, activeColumn, true)
      },
      extend: (by) => selectTo(clamp(activeIndex + by, rows.length)),
      toggleAll: () =>
        onSelect(new Set(rows.every((row) => selected.has(rowId(row))) ? [] : rows.map(rowId))),
      clear: () => onSelect(new Set()),
      copied,
    },
  }))
  useCopy(scroller, copied)

  const items = virtualizer.getVirtualItems()
  // Once: the table is made anew for every page of a list. Its rows come with the virtualizer's first measurement.
  const isFilled = items.length > 0
  useLayoutEffect(() => {
    if (!isFilled) return
    scroller.current?.scrollTo({ top: recall().scroll ?? 0 })
    if (
      document.activeElement?.matches('body,main') &&
      (recall().row !== undefined || focusLeftAt === pathname())
    ) {
      focusNext.current = true
      focusActive()
    }
    focusLeftAt = ''
  }, [isFilled])
  useLayoutEffect(() => {
    const element = scroller.current
    const path = pathname()
    return () => {
      focusLeftAt = holdsFocus(element) && path === pathname() ? path : ''
    }
  }, [])

  const visibleRows = () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / height) - 2)
  const grid = useHotkeys<HTMLTableElement>(
    [
      'arrowdown',
      'arrowup',
      'arrowleft',
      'arrowright',
      'home',
      'end',
      'mod+home',
      'mod+end',
      'pagedown',
      'pageup',
      'shift+arrowdown',
      'shift+arrowup',
    ],
    (event) => {
      const ends = event.ctrlKey || event.metaKey
      const moves: Record<string, [number, number]> = {
        ArrowDown: [activeIndex + 1, activeColumn],
        ArrowUp: [activeIndex - 1, activeColumn],
        ArrowLeft: [activeIndex, activeColumn - 1],
        ArrowRight: [activeIndex, activeColumn + 1],
        Home: [ends ? 0 : activeIndex, 0],
        End: [ends ? rows.length - 1 : activeIndex, columns.length - 1],
        PageDown: [activeIndex + visibleRows(), activeColumn],
        PageUp: [activeIndex - visibleRows(), activeColumn],
      }
      const [row, column] = moves[event.key] ?? [activeIndex, activeColumn]
      if (event.shiftKey) selectTo(clamp(row, rows.length))
      else activate(row, column, true)
    },
    { useKey: true, preventDefault: true },
  )
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      data-stale={stale}
      onScroll={(event) => remember({ scroll: event.currentTarget.scrollTop })}
    >
      <table
        ref={grid}
        role="grid"
        aria-label={label}
        aria-multiselectable
        aria-rowcount={total === null ? -1 : total + 1}
        aria-colcount={columns.length}
        aria-busy={stale}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onSelect(new Set())
          if (event.key !== ' ' || isPressable(event.target)) return
          event.preventDefault()
          toggle(activeIndex)
        }}
        style={{ minInlineSize: `${columns.reduce((sum, { width }) => sum + width, pickWidth)}rem` }}
      >
        <colgroup>
          {columns.map(({ id, width }, at) => (
            <col key={id} style={{ width: `${width + (at === 0 ? pickWidth : 0)}rem` }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sort={sort} />
            ))}
          </tr>
        </thead>
        <tbody
          onClick={(event) => {
            const place = placeOf(event.target)
            if (!place || isControl(event.target)) return
            if (event.shiftKey) selectTo(place.index)
            else if (event.ctrlKey || event.metaKey) toggle(place.index)
          }}
          onChange={(event) => {
            const place = placeOf(event.target)
            if (place && isPick(event.target)) toggle(place.index)
          }}
          onFocus={(event) => {
            const place = placeOf(event.target)
            if (place) activate(place.index, place.column, false)
          }}
          onMouseDown={(event) => {
            const place = placeOf(event.target)
            // Shift extends the selection of rows, not of text.
            if (event.shiftKey) event.preventDefault()
            else if (place) activate(place.index, place.column, false)
          }}
        >
          <Spacer columns={columns.length} height={items[0]?.start ?? 0} />
          {/* Flat, so that a row keeps its key, and with it the focus, wherever it comes in the order. */}
          {items.flatMap((item, position) => {
            const row = rows[item.index]
            if (row === undefined) return []
            const gap = position > 0 ? item.start - (items[position - 1]?.end ?? 0) : 0
            return [
              gap > 0 && <Spacer key={`gap-${item.key}`} columns={columns.length} height={gap} />,
              <TableRow
                key={item.key}
                row={row}
                columns={columns}
                index={item.index}
                offset={offset}
                height={height}
                isActive={item.index === found}
                activeColumn={item.index === activeIndex ? activeColumn : null}
                isSelected={selected.has(rowId(row))}
                {...marks(row)}
              />,
            ]
          })}
          <Spacer columns={columns.length} height={virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)} />
        </tbody>
      </table>
    </div>
  )
}

interface TableRowProps<T> extends Marks {
  row: T
  columns: readonly Column<T>[]
  /** On its page. */
  index: number
  offset: number
  height: number
  isActive: boolean
  /** Of the cell that is the tab stop, in the one row that has it. */
  activeColumn: number | null
  isSelected: boolean
}

/** React's `memo`, typed so that a generic component stays one. */
const memoized: <P extends object>(component: (props: P) => ReactNode) => (props: P) => ReactNode = memo

/** Rendered only when something of it changes: moving the focus concerns two rows. The table handles its events. */
const TableRow = memoized(PlainTableRow)

function PlainTableRow<T>({
  row,
  columns,
  index,
  offset,
  height,
  isActive,
  activeColumn,
  isSelected,
  busy,
  fault,
  past,
}: TableRowProps<T>) {
  return (
    <tr
      aria-rowindex={offset + index + 2}
      aria-busy={busy}
      aria-selected={isSelected}
      data-index={index}
      data-active={isActive}
      data-fault={fault}
      data-past={past}
      style={{ height }}
    >
      {columns.map((column, at) => {
        const isTabStop = at === activeColumn
        const content = column.cell(row)
        const exact = column.exact?.(row)
        const hasControl = column.control && isValidElement(content)
        return (
          <td
            key={column.id}
            role="gridcell"
            tabIndex={isTabStop && !hasControl ? 0 : -1}
            data-active-cell={isTabStop}
            data-align={column.align}
            data-action={isAction(column)}
            data-none={exact === noValue}
            title={exact || (typeof content === 'string' ? content : undefined)}
          >
            {at === 0 && (
              <input
                type="checkbox"
                className={styles.pick}
                tabIndex={-1}
                aria-label={`Select ${textOf(column, row)}`}
                checked={isSelected}
                readOnly
              />
            )}
            <CellContext value={isTabStop}>{content}</CellContext>
            {at === 0 && fault && (
              <span className={styles.fault} role="img" aria-label="The last action on this row failed" />
            )}
          </td>
        )
      })}
    </tr>
  )
}

/** Where in the table something is: the row's index on its page and the column's. */
function placeOf(target: EventTarget): { index: number; column: number } | null {
  const cell = target instanceof Element ? target.closest('td') : null
  const index = cell?.closest('tr')?.dataset['index']
  return cell && index !== undefined ? { index: Number(index), column: cell.cellIndex } : null
}

const isPick = (target: EventTarget) => target instanceof HTMLInputElement && target.className === styles.pick

function HeaderCell<T>({ column, sort }: { column: Column<T>; sort: Sort }) {
  const { header, align, sort: field } = column
  const { ordering } = sort
  const direction = ordering === field ? 'ascending' : ordering === `-${field}` ? 'descending' : undefined
  return (
    <th scope="col" title={header} data-align={align} data-action={isAction(column)} aria-sort={direction}>
      {field !== undefined && sort.can(field) ? (
        <button type="button" className={styles.sort} tabIndex={-1} onClick={() => sort.by(field)}>
          {header}
          {direction === 'ascending' && <ArrowUp size={12} aria-hidden />}
          {direction === 'descending' && <ArrowDown size={12} aria-hidden />}
        </button>
      ) : (
        header
      )}
    </th>
  )
}

const isPressable = (target: EventTarget) =>
  target instanceof Element && target.closest('button,input') !== null

/** What is there to be pressed stays in reach however wide the rest is. */
const isAction = <T,>({ control, copy }: Column<T>) => control && !copy

const isControl = (target: EventTarget) =>
  target instanceof Element && target.closest('a,button,input') !== null

const clamp = (index: number, length: number) => Math.min(Math.max(index, 0), length - 1)

/** A row that was sent twice, or without an id, is told apart by its place. */
export function namesOf(ids: readonly string[]): string[] {
  const seen = new Set<string>()
  return ids.map((id, at) => {
    const name = seen.has(id) ? `${id} ${at}` : id
    seen.add(name)
    return name
  })
}

/** Where a table that was replaced took the focus with it. A list that is opened anew has its focus still to come. */
let focusLeftAt = ''

const pathname = () => window.location.pathname

const holdsFocus = (scroller: HTMLElement | null) => scroller?.contains(document.activeElement) ?? false

function Spacer({ columns, height }: { columns: number; height: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden style={{ height }}>
      <td colSpan={columns} />
    </tr>
  )
}
