import { CornerDownLeft, X } from 'lucide-react'
import type { Context } from '../../commands/command.ts'
import type { PaletteRow } from '../../commands/find/row.ts'
import { written } from '../../commands/keymap.ts'
import { nounOf } from '../../commands/noun.ts'
import styles from './palette.module.css'
import type { FoundRecords } from './use-found.ts'

interface ChipProps {
  context: Context
  /** Of the record that was entered with Tab. */
  name: string | undefined
  id: string
  drop: () => void
}

/** The record or the records that the commands act on. Backspace drops it, as a press does. */
export function Chip({ context, name, id, drop }: ChipProps) {
  const [first, ...others] = context.targets
  if (name === undefined && !first) return null
  const noun = first && nounOf(first.ref.noun)
  const label =
    name ??
    (others.length > 0
      ? `${String(others.length + 1)} ${noun?.plural ?? ''}`
      : noun?.nameOf(first?.row ?? {}))
  return (
    <button type="button" id={id} className={styles.chosen} tabIndex={-1} onClick={drop}>
      <span>{label}</span>
      <X size={12} aria-hidden />
    </button>
  )
}

/** What the search has come to. A failed search shows a retry button, never "Nothing found". */
export function Outcome({ search, count }: { search: FoundRecords; count: number | null }) {
  return (
    <div className={styles.outcome} role="status">
      {search.state === 'searching' && 'Searching…'}
      {search.state === 'failed' && (
        <button type="button" aria-keyshortcuts="Shift+Enter" onClick={search.retry}>
          The search failed. Retry
        </button>
      )}
      {(search.state === 'done' || search.state === 'idle') &&
        count !== null &&
        (count === 0 ? 'Nothing found' : resultsOf(count))}
    </div>
  )
}

const resultsOf = (count: number) => `${String(count)} ${count === 1 ? 'result' : 'results'}`

interface FooterProps {
  /** The highlighted one. */
  row: PaletteRow | undefined
  isChosen: boolean
  /** Whether the search failed. */
  isFailed: boolean
}

const spelled = (keys: string) => written(keys).replace('Enter', '↵')

/** The keys that do something now. */
export function Footer({ row, isChosen, isFailed }: FooterProps) {
  return (
    <div className={styles.footer} aria-hidden>
      {row && row.reason === undefined && (
        <span>
          <CornerDownLeft size={12} />{' '}
          {row.completes !== undefined ? 'choose' : row.href !== undefined ? 'open' : 'run'}
        </span>
      )}
      {row?.record && <span>Tab actions</span>}
      {row?.href !== undefined && <span>{spelled('mod+enter')} new tab</span>}
      {row && <span>{spelled('mod+shift+c')} copy link</span>}
      {isFailed && <span>{spelled('shift+enter')} retry</span>}
      <span>Esc {isChosen ? 'back' : 'close'}</span>
    </div>
  )
}
