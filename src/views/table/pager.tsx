import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { count as formatCount } from '../../format.ts'
import { sizeId } from '../../commands/list.ts'
import { pageSizes } from '../../state/list.ts'
import styles from './pager.module.css'

interface PagerProps {
  /** What the pages contain, for the accessible name. */
  of: string
  /** The page that is asked for. */
  asked: number
  /** The page on screen. */
  page: number
  /** Null until the first answer. */
  totalPages: number | null
  onPage: (page: number) => void
  /** The number of records on all pages, if the server sends it. */
  count?: number | null
  /** Rows per page, if the server supports it. */
  size?: { path: string; value: number; onSize: (size: number) => void }
  /** Content before the page buttons. */
  children?: ReactNode
}

/** Disabled while there are no pages. An empty list has none, and says nothing about them. */
export function Pager({ of, asked, page, totalPages, onPage, count, size, children }: PagerProps) {
  return (
    <nav className={styles.pager} aria-label={`Pages of ${of}`}>
      {children}
      {typeof count === 'number' && <span>{formatCount(count)} in all</span>}
      {size && (
        <label>
          Rows per page
          <select value={size.value} onChange={(event) => size.onSize(Number(event.target.value))}>
            {pageSizes.map((value) => (
              <option key={value} data-command={sizeId(size.path, value)}>
                {value}
              </option>
            ))}
          </select>
        </label>
      )}
      <button
        type="button"
        aria-label="Previous page"
        data-command="list.previousPage"
        disabled={asked <= 1}
        onClick={() => onPage(asked - 1)}
      >
        <ChevronLeft size={16} aria-hidden />
      </button>
      <span aria-live="polite">
        {totalPages ? `Page ${formatCount(page)} of ${formatCount(totalPages)}` : ''}
      </span>
      <button
        type="button"
        aria-label="Next page"
        data-command="list.nextPage"
        disabled={asked >= (totalPages ?? 0)}
        onClick={() => onPage(asked + 1)}
      >
        <ChevronRight size={16} aria-hidden />
      </button>
    </nav>
  )
}
