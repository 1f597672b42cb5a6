import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useAtomValue } from 'jotai'
import type { ReactNode, Ref } from 'react'
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { useHotkeys } from 'react-hotkeys-hook'
import { noValue } from '../../format.ts'
import { recall, remember } from '../../state/location.ts'
import { settingsAtom } from '../../state/settings.ts'
import { CellContext } from './cell.ts'
import styles from './data-table.module.css'

export interface Column<T> {
  id: string
  header: string
  cell: (row: T) => ReactNode
  /** The cell holds a link or a button, which takes the focus itself. */
  control?: true
  /** In rem, at least; what is left over is shared out in proportion. */
  width: number
  align?: 'end'
  /** The exact value, where the cell rounds, clips or misnames it (R4). */
  exact?: (row: T) => string
  /** Field of `ordering` (server figures). */
  sort?: string
}

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
  ref: Ref<TableHandle>
}

/** What the keyboard commands of a list need of its table. */
export interface TableHandle {
  move(by: number): void
  open(): void
}

/** Up to this many rows are all in the document, for find-in-page and screen readers. */
const wholeUpTo = 200
const rowHeights = { comfortable: 36, compact: 28 }

/** A table with one tab stop (APG grid pattern): arrows move by cell, `j` and `k` by row, always through the virtualizer. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { label, rows, rowId, columns, offset, total, stale, marks, onActive, open, ref } = props
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

  const whole = rows.length <= wholeUpTo
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
    const at = Math.min(Math.max(index, 0), rows.length - 1)
    const place = { row: names[at] ?? '', column: Math.min(Math.max(column, 0), columns.length - 1) }
    remember(place)
    focusNext.current = focus
    if (focus && !whole) virtualizer.scrollToIndex(at)
    setActive(place)
    if (place.row === active.row && place.column === active.column) focusActive()
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

  // The commands of the list and the context follow the focused row and what it says now.
  useEffect(() => {
    onActive(activeRow)
    return () => onActive(null)
  }, [activeRow, onActive])
  useImperativeHandle(ref, () => ({
    // The first key brings the focus to the row that is marked; the next ones move it.
    move: (by) =>
      activate(holdsFocus(scroller.current) ? activeIndex + by : activeIndex, active.column, true),
    open: () => {
      if (activeRow !== null) open(activeRow)
    },
  }))

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
    ],
    (event) => {
      const ends = event.ctrlKey || event.metaKey
      const moves: Record<string, [number, number]> = {
        ArrowDown: [activeIndex + 1, active.column],
        ArrowUp: [activeIndex - 1, active.column],
        ArrowLeft: [activeIndex, active.column - 1],
        ArrowRight: [activeIndex, active.column + 1],
        Home: [ends ? 0 : activeIndex, 0],
        End: [ends ? rows.length - 1 : activeIndex, columns.length - 1],
        PageDown: [activeIndex + visibleRows(), active.column],
        PageUp: [activeIndex - visibleRows(), active.column],
      }
      const [row, column] = moves[event.key] ?? [activeIndex, active.column]
      activate(row, column, true)
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
        aria-rowcount={total === null ? -1 : total + 1}
        aria-colcount={columns.length}
        aria-busy={stale}
        style={{ minInlineSize: `${columns.reduce((sum, { width }) => sum + width, 0)}rem` }}
      >
        <colgroup>
          {columns.map((column) => (
            <col key={column.id} style={{ width: `${column.width}rem` }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <th key={column.id} scope="col" title={column.header} data-align={column.align}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer columns={columns.length} height={items[0]?.start ?? 0} />
          {/* Flat, so that a row keeps its key, and with it the focus, wherever it comes in the order. */}
          {items.flatMap((item, position) => {
            const row = rows[item.index]
            if (row === undefined) return []
            const { busy, fault, past } = marks(row)
            const gap = position > 0 ? item.start - (items[position - 1]?.end ?? 0) : 0
            return [
              gap > 0 && <Spacer key={`gap-${item.key}`} columns={columns.length} height={gap} />,
              <tr
                key={item.key}
                aria-rowindex={offset + item.index + 2}
                aria-busy={busy}
                data-active={item.index === found}
                data-fault={fault}
                data-past={past}
                style={{ height }}
              >
                {columns.map((column, at) => {
                  const isActive = item.index === activeIndex && at === active.column
                  const content = column.cell(row)
                  const exact = column.exact?.(row)
                  return (
                    <td
                      key={column.id}
                      role="gridcell"
                      tabIndex={isActive && !column.control ? 0 : -1}
                      data-active-cell={isActive}
                      data-align={column.align}
                      data-none={exact === noValue}
                      title={exact || (typeof content === 'string' ? content : undefined)}
                      onFocus={() => activate(item.index, at, false)}
                      onMouseDown={() => activate(item.index, at, false)}
                    >
                      <CellContext value={isActive}>{content}</CellContext>
                      {at === 0 && fault && (
                        <span
                          className={styles.fault}
                          role="img"
                          aria-label="The last action on this row failed"
                        />
                      )}
                    </td>
                  )
                })}
              </tr>,
            ]
          })}
          <Spacer columns={columns.length} height={virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)} />
        </tbody>
      </table>
    </div>
  )
}

/** A row that was sent twice, or without an id, is told apart by its place. */
function namesOf(ids: readonly string[]): string[] {
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
