import { getDefaultStore } from 'jotai'
import type { PointerEvent } from 'react'
import { useRef } from 'react'
import { listedColumnsAtom } from '../../commands/columns.ts'
import styles from './column-edge.module.css'

/**
 * The edge of a header: dragging makes the column wider or narrower, a double click fits it to its contents. For the mouse
 * alone: by keyboard, the menu of the columns and the palette do the same.
 */
export function ColumnEdge({ id }: { id: string }) {
  /** Where in the edge it was taken, in pixels from its end. */
  const grip = useRef<number | null>(null)
  const resize = (by: number | 'fit') => getDefaultStore().get(listedColumnsAtom)?.resize(id, by)
  const drag = (event: PointerEvent<HTMLElement>) => {
    if (grip.current === null) return
    // Measured from the edge itself, so that it is under the pointer again after it was held back.
    resize(event.clientX - grip.current - event.currentTarget.getBoundingClientRect().right)
  }
  return (
    <span
      aria-hidden
      className={styles.edge}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        grip.current = event.clientX - event.currentTarget.getBoundingClientRect().right
      }}
      onPointerMove={drag}
      onLostPointerCapture={() => {
        grip.current = null
      }}
      onDoubleClick={() => resize('fit')}
    />
  )
}
