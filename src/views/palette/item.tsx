import { Command as Cmdk } from 'cmdk'
import type { LucideIcon } from 'lucide-react'
import { ArrowRight, Ellipsis } from 'lucide-react'
import type { RefObject } from 'react'
import { memo } from 'react'
import type { NounRow, PaletteRow } from '../../commands/find/row.ts'
import { KeyHint } from '../ui/key-hint.tsx'
import { Marked } from './marked.tsx'
import styles from './palette.module.css'

/** What can be done with a row. */
export interface RowActions {
  run: (row: PaletteRow) => void
  /** Shows the commands of the row's record. */
  enter: (record: NounRow) => void
  /** Highlights it. */
  point: (row: PaletteRow) => void
}

interface ItemProps {
  row: PaletteRow
  /** Of its element. */
  id: string
  words: readonly string[]
  icon: LucideIcon | undefined
  /** In a ref, so that a row is rendered only when it is another one. */
  actions: RefObject<RowActions>
}

// An icon takes longer to render than the texts of its row, and the next query often shows the same one.
const RowIcon = memo(function RowIcon({ icon: Icon }: { icon: LucideIcon }) {
  return <Icon size={16} aria-hidden />
})
const dots = <Ellipsis size={20} />

/** One row of the palette. */
export const Item = memo(function Item({ row, id, words, icon, actions }: ItemProps) {
  const { title, reason, detail, keys, record } = row
  return (
    <Cmdk.Item
      asChild
      value={row.id}
      className={styles.item}
      onSelect={() => actions.current.run(row)}
      disabled={reason !== undefined}
      // Rows that move under a resting mouse do not change the highlight. cmdk overrides onPointerMove.
      onMouseMove={({ movementX, movementY }) => {
        if (movementX || movementY) actions.current.point(row)
      }}
      // Without it the name would be the texts of the row without a space between them.
      data-id={row.id}
      data-reason={reason !== undefined}
    >
      <div id={id}>
        <RowIcon icon={icon ?? ArrowRight} />
        <span className={styles.texts}>
          <span className={styles.title}>
            <Marked text={title} words={words} />
          </span>
          {(reason ?? detail) && (
            <span className={styles.detail}>
              {/* Read out between the two, which are apart on screen. */}
              <span className="visually-hidden">, </span>
              {reason ?? detail}
            </span>
          )}
        </span>
        {keys !== undefined && (
          <span className={styles.keys}>
            <KeyHint keys={keys} />
          </span>
        )}
        {record && (
          // What Tab does, for soft keyboards, which have no Tab. Not in the focus order, and not a control of its own.
          <span
            className={styles.actions}
            aria-hidden
            onClick={(event) => {
              event.stopPropagation()
              actions.current.enter(record)
            }}
          >
            {dots}
          </span>
        )}
      </div>
    </Cmdk.Item>
  )
})
