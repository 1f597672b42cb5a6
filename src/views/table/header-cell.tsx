import { useAtomValue } from 'jotai'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Column } from './column.ts'
import { isAction } from './column.ts'
import styles from './data-table.module.css'
import { latePartsAtom } from './late-parts.ts'
import { memoized } from '../ui/memoized.ts'

/** The current ordering, and the orderings that the server offers. */
export interface Sort {
  /** A field name, with a minus for descending; empty for the server's default order. */
  ordering: string
  can: (field: string) => boolean
  by: (field: string) => void
  /** The id of the command that does the same. */
  command: (column: { id: string; sort?: string }) => string
}

interface HeaderCellProps<T> {
  column: Column<T>
  sort: Sort
  /** Stands before the header. */
  children?: ReactNode
}

export const HeaderCell = memoized(PlainHeaderCell)

function PlainHeaderCell<T>({ column, sort, children }: HeaderCellProps<T>) {
  const { header, align, sort: field } = column
  const { ordering } = sort
  const parts = useAtomValue(latePartsAtom)
  const canSort = field !== undefined && sort.can(field)
  const direction =
    canSort && (ordering === field ? 'ascending' : ordering === `-${field}` ? 'descending' : undefined)
  return (
    <th
      role="columnheader"
      scope="col"
      title={header}
      data-align={align}
      data-action={isAction(column)}
      aria-sort={direction || undefined}
    >
      {children}
      {canSort ? (
        <button
          type="button"
          className={styles.sort}
          tabIndex={-1}
          data-command={sort.command(column)}
          onClick={() => sort.by(field)}
        >
          {header}
          {direction === 'ascending' && <ArrowUp size={12} aria-hidden />}
          {direction === 'descending' && <ArrowDown size={12} aria-hidden />}
        </button>
      ) : (
        header
      )}
      {parts && <parts.ColumnEdge id={column.id} />}
    </th>
  )
}
