import type { Column } from './column.ts'
import styles from './data-table.module.css'

interface TableSkeletonProps {
  columns: readonly Pick<Column<never>, 'id' | 'header' | 'width' | 'align'>[]
  isTall?: boolean
  rows?: number
  /** A text that is shown with it. */
  word?: string | undefined
}

/** The columns of a placeholder for something else than a list. */
export const blankColumns = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: String(at), header: '', width: 8 }))

/** A table before its first rows have come: its header, and the shapes of its cells, as high as they will be. */
export function TableSkeleton({ columns, isTall, rows = 25, word }: TableSkeletonProps) {
  return (
    <div className={styles.scroller} role="status" aria-label="Loading" data-tall={isTall} data-loading>
      {word && <p>{word}</p>}
      <table aria-hidden>
        <thead>
          <tr>
            {columns.map(({ id, header, width, align }) => (
              <th key={id} data-align={align} style={{ inlineSize: `${width}rem` }}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: rows }, (_, row) => (
            <tr key={row}>
              {columns.map(({ id, align }) => (
                <td key={id} data-align={align} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
