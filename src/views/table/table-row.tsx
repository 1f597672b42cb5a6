import { isValidElement } from 'react'
import { noValue } from '../../format.ts'
import { CellContext } from '../ui/cell.ts'
import { Mark } from '../ui/mark.tsx'
import { memoized } from '../ui/memoized.ts'
import type { Column } from './column.ts'
import { isAction } from './column.ts'
import { textOf } from './copy.ts'
import styles from './data-table.module.css'

/** The state of a row, in addition to its cells. */
export interface Marks {
  busy: boolean
  /** The last action on the row failed (R3). */
  fault: boolean
  /** Expired: shown dimmed. */
  past: boolean
}

interface TableRowProps<T> extends Marks {
  row: T
  columns: readonly Column<T>[]
  /** Only its first two cells are there. */
  isBrief: boolean | undefined
  /** The index on the page. */
  index: number
  offset: number
  /** In pixels. */
  height: number
  /** Shown as a card, whose height is that of the style sheet. */
  isCard: boolean
  /** Texts wrap, and are cut off at the height of the row. */
  isTall: boolean
  isActive: boolean
  /** The column of the tab stop, if it is in this row. */
  activeColumn: number | null
  isSelected: boolean
}

/** Rendered only when its props change, so moving the focus renders two rows. The table handles the events. */
export const TableRow = memoized(PlainTableRow)

function PlainTableRow<T>({
  row,
  columns,
  isBrief,
  index,
  offset,
  height,
  isCard,
  isTall,
  isActive,
  activeColumn,
  isSelected,
  busy,
  fault,
  past,
}: TableRowProps<T>) {
  return (
    <tr
      role="row"
      aria-rowindex={offset + index + 2}
      aria-busy={busy || undefined}
      aria-selected={isSelected}
      data-index={index}
      data-active={isActive}
      data-fault={fault || undefined}
      data-past={past || undefined}
      style={isCard ? undefined : { height }}
    >
      {columns.slice(0, isBrief ? 2 : undefined).map((column, at) => {
        const isTabStop = at === activeColumn
        const content = column.cell(row)
        const shown = isTall ? (
          <div style={{ maxBlockSize: isCard ? undefined : height - 1 }}>{content}</div>
        ) : (
          content
        )
        const exact = column.exact?.(row)
        const state = column.state?.(row)
        const mark = state && <Mark {...state} />
        const { control, align } = column
        const hasControl = typeof control === 'function' ? control(row) : control && isValidElement(content)
        return (
          <td
            key={column.id}
            role="gridcell"
            colSpan={isBrief && at ? columns.length - 1 : undefined}
            tabIndex={isTabStop && !hasControl ? 0 : -1}
            data-active-cell={isTabStop || undefined}
            data-align={align}
            data-card={isCard ? column.card : undefined}
            data-label={isCard ? column.header : undefined}
            data-action={isAction(column) || undefined}
            data-none={exact === noValue || undefined}
            title={exact || (typeof content === 'string' ? content : undefined)}
          >
            {at === 0 && (
              <input
                type="checkbox"
                className={styles.pick}
                data-command="list.select"
                tabIndex={-1}
                aria-label={`Select ${textOf(column, row)}`}
                checked={isSelected}
                readOnly
              />
            )}
            {align && mark}
            {control ? <CellContext value={isTabStop}>{shown}</CellContext> : shown}
            {!align && mark}
            {at === 0 && fault && (
              <span className={styles.fault} role="img" aria-label="The last action on this row failed" />
            )}
          </td>
        )
      })}
    </tr>
  )
}
