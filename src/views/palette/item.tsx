import { Command as Cmdk } from 'cmdk'
import type { LucideIcon } from 'lucide-react'
import { ArrowRight, Ellipsis } from 'lucide-react'
import type { NounRow, PaletteRow } from '../../commands/find/row.ts'
import { KeyHint } from '../ui/key-hint.tsx'
import { Marked } from './marked.tsx'
import styles from './palette.module.css'

interface ItemProps {
  row: PaletteRow
  /** Of its element. */
  id: string
  words: readonly string[]
  icon: LucideIcon | undefined
  run: () => void
  /** Shows the commands of the row's record, if it has one. */
  enter: ((record: NounRow) => void) | undefined
  point: () => void
}

/** One row of the palette. */
export function Item({ row, id, words, icon: Icon, run, enter, point }: ItemProps) {
  const { title, reason, detail, keys, record } = row
  return (
    <Cmdk.Item
      asChild
      value={row.id}
      className={styles.item}
      onSelect={run}
      disabled={reason !== undefined}
      // Rows that move under a resting mouse do not change the highlight. cmdk overrides onPointerMove.
      onMouseMove={({ movementX, movementY }) => {
        if (movementX || movementY) point()
      }}
      // Without it the name would be the texts of the row without a space between them.
      data-id={row.id}
      data-reason={reason !== undefined}
    >
      <div id={id}>
        {Icon ? <Icon size={16} aria-hidden /> : <ArrowRight size={16} aria-hidden />}
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
        {keys !== undefined && (
          <span className={styles.keys}>
            <KeyHint keys={keys} />
          </span>
        )}
        {record && enter && (
          // What Tab does, for soft keyboards, which have no Tab. Not in the focus order, and not a control of its own.
          <span
            className={styles.actions}
            aria-hidden
            onClick={(event) => {
              event.stopPropagation()
              enter(record)
            }}
          >
            <Ellipsis size={20} />
          </span>
        )}
      </div>
    </Cmdk.Item>
  )
}
