import type { ReactNode, Ref } from 'react'
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import type { Row } from '../../api/loose.ts'
import { holdsFocus, isFocusLost } from '../../state/focus.ts'
import { recall, remember } from '../../state/location.ts'
import styles from './card-grid.module.css'
import type { TableHandle } from './data-table.tsx'
import { namesOf } from './row-names.ts'
import type { Marks } from './table-row.tsx'
import { useRowFocus, useTabStop } from './use-row-focus.ts'
import { useScrollMemory } from './use-scroll-memory.ts'

/** A function that may expect the rows of one list, as a method may. */
type Taking<Row, Result> = { take(row: Row): Result }['take']

interface CardGridProps {
  label: string
  rows: readonly Row<object>[]
  rowId: Taking<Row<object>, string>
  card: Taking<Row<object>, ReactNode>
  /** The rows are from an earlier answer: shown dimmed. */
  stale: boolean
  /** The rows are those of another page, search or order, until the present ones come. */
  isEarlier: boolean
  marks: Taking<Row<object>, Marks>
  onActive: Taking<Row<object> | null, void>
  ref: Ref<TableHandle>
}

/** Records as cards. The cards have one tab stop; `j` and `k` move between them, Tab goes to the buttons of the card. */
export default function CardGrid(props: CardGridProps) {
  const { label, rows, rowId, card, stale, isEarlier, marks, onActive, ref } = props
  const list = useRef<HTMLUListElement>(null)
  const [active, setActive] = useState(() => recall().row ?? '')
  const names = namesOf(rows.map(rowId))
  const found = names.indexOf(active)
  const { row: tabStop, vacate } = useTabStop(found, names.length)
  const activeRow = rows[found] ?? null
  useEffect(() => {
    onActive(activeRow)
    return () => onActive(null)
  }, [activeRow, onActive])
  useLayoutEffect(() => {
    if (recall().row !== undefined && isFocusLost())
      list.current?.querySelector<HTMLElement>(':scope > [tabindex="0"]')?.focus({ preventScroll: true })
  }, [])
  const noteScroll = useScrollMemory(list, { isFilled: true, isEarlier })
  const focusCard = (index: number) => {
    const element = list.current?.children[Math.min(Math.max(index, 0), rows.length - 1)]
    if (!(element instanceof HTMLElement)) return
    element.focus({ preventScroll: true })
    element.scrollIntoView({ block: 'nearest' })
  }
  useRowFocus(names, { found, isReady: !stale, focus: focusCard, vacate })
  useImperativeHandle(ref, () => ({
    // The first key focuses the marked card; further keys move the focus.
    move: (by) => {
      focusCard(tabStop + (holdsFocus(list.current) ? by : 0))
    },
    open: () => undefined,
    rows: null,
  }))
  return (
    <ul ref={list} className={styles.grid} aria-label={label} data-stale={stale} onScroll={noteScroll}>
      {rows.map((row, index) => {
        const { busy, fault } = marks(row)
        return (
          <li
            key={names[index]}
            className={styles.card}
            tabIndex={index === tabStop ? 0 : -1}
            aria-busy={busy}
            data-active={index === found}
            onFocus={() => {
              setActive(names[index] ?? '')
              remember({ row: names[index] ?? '' })
            }}
          >
            {fault && (
              <span className={styles.fault} role="img" aria-label="The last action on this card failed" />
            )}
            {card(row)}
          </li>
        )
      })}
    </ul>
  )
}
