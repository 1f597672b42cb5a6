import { useMemo, useRef } from 'react'

interface SelectionOf<T> {
  rows: readonly T[]
  rowId: (row: T) => string
  /** The selected rows by their ids, those on other pages included. */
  selected: ReadonlyMap<string, T>
  onSelect: (selected: ReadonlySet<string>) => void
}

/** Selects rows of one page by their index. The selection on other pages stays. */
export function useSelection<T>({ rows, rowId, selected, onSelect }: SelectionOf<T>) {
  /** The start of a range: the row that was toggled last, while it is selected and on the page, or else the focused one. */
  const anchor = useRef<string | undefined>(undefined)
  // A long table is rendered many times while it is scrolled.
  const onPage = useMemo(() => rows.filter((row) => selected.has(rowId(row))).length, [rows, rowId, selected])
  const isAll = rows.length > 0 && onPage === rows.length
  return {
    /** How many rows of the page are selected. */
    page: isAll ? ('all' as const) : onPage > 0 ? ('some' as const) : ('none' as const),
    toggle: (index: number) => {
      const row = rows[index]
      if (row === undefined) return
      anchor.current = rowId(row)
      const next = new Set(selected.keys())
      if (!next.delete(rowId(row))) next.add(rowId(row))
      onSelect(next)
    },
    /** Selects all rows from the anchor to this one. */
    extendTo: (index: number, focused: number) => {
      const start = rows.findIndex((row) => rowId(row) === anchor.current && selected.has(rowId(row)))
      const from = start < 0 ? focused : start
      anchor.current = rows.slice(from, from + 1).map(rowId)[0]
      const range = rows.slice(Math.min(from, index), Math.max(from, index) + 1)
      onSelect(new Set([...selected.keys(), ...range.map(rowId)]))
    },
    /** All rows of the page; none of them if they all are selected. */
    toggleAll: () => {
      const ids = new Set(rows.map(rowId))
      const others = [...selected.keys()].filter((id) => !ids.has(id))
      onSelect(new Set(isAll ? others : [...others, ...ids]))
    },
    clear: () => onSelect(new Set()),
  }
}
