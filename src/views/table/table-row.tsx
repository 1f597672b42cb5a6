import type { ReactNode } from 'react'
import { isValidElement, memo } from 'react'
import { noValue } from '../../format.ts'
import { CellContext } from '../ui/cell.ts'
import type { Column } from './column.ts'
import { isAction } from './column.ts'
import { textOf } from './copy.ts'
import styles from './data-table.module.css'

/** What a row shows beside its cells. */
export interface Marks {
  busy: boolean
  /** Its last action failed (R3). */
  fault: boolean
  /** Expired: shown dimmed. */
  past: boolean
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
export const TableRow = memoized(PlainTableRow)

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
