import { useRef } from 'react'

interface SelectionOf<T> {
  rows: readonly T[]
  rowId: (row: T) => string
  /** The ids of the selected rows. */
  selected: ReadonlySet<string>
  onSelect: (selected: ReadonlySet<string>) => void
}

/** Selects rows of one page by their index. */
export function useSelection<T>({ rows, rowId, selected, onSelect }: SelectionOf<T>) {
  /** The start of a range: the last toggled row, or else the focused one. */
  const anchor = useRef<number | null>(null)
  return {
    toggle: (index: number) => {
      const row = rows[index]
      if (row === undefined) return
      anchor.current = index
      const next = new Set(selected)
      if (!next.delete(rowId(row))) next.add(rowId(row))
      onSelect(next)
    },
    /** Selects all rows from the anchor to this one. */
    extendTo: (index: number, focused: number) => {
      const from = (anchor.current ??= focused)
      const range = rows.slice(Math.min(from, index), Math.max(from, index) + 1)
      onSelect(new Set([...selected, ...range.map(rowId)]))
    },
    /** Selects all rows of the page; deselects them if all are selected already. */
    toggleAll: () => onSelect(new Set(rows.every((row) => selected.has(rowId(row))) ? [] : rows.map(rowId))),
    clear: () => onSelect(new Set()),
    selectedRows: () => rows.filter((row) => selected.has(rowId(row))),
  }
}
