import { useAtomValue } from 'jotai'
import type { Row } from '../../api/loose.ts'
import type { Command } from '../../commands/command.ts'
import { isOffered, refOf, targetsOf } from '../../commands/command.ts'
import { contextAtom } from '../../commands/context.ts'
import type { Noun } from '../../commands/noun.ts'
import { busyAtom } from '../../commands/run.ts'
import { draftId, draftKeysAtom } from '../../state/drafts.ts'
import { refKey } from '../../state/ref.ts'
import { useCellTabIndex } from './cell.ts'
import styles from './command-button.module.css'

interface CommandButtonProps {
  command: Command
  noun: Pick<Noun, 'name'>
  /** The record that it acts on; null where it creates one. */
  row: Row<object> | null
  /** The specification's word for it; the accessible name also says what it acts on. */
  label: string
  /** Shown instead of the label while the record is busy. */
  busyLabel?: string
  /** It opens the record's form: it is never busy, and a dot says that a draft is kept. */
  opensForm?: boolean
  kind?: 'primary'
}

/** The mouse's way to a command: runs the same object as palette and key, on its own row. Repeats are ignored while the record is busy. */
export function CommandButton({
  command,
  noun,
  row,
  label,
  busyLabel = label,
  opensForm = false,
  kind,
}: CommandButtonProps) {
  const here = useAtomValue(contextAtom)
  const ref = refOf(noun, row)
  const busy = useAtomValue(busyAtom).has(refKey(ref)) && !opensForm
  const hasDraft = useAtomValue(draftKeysAtom).has(draftId(ref)) && opensForm
  const tabIndex = useCellTabIndex()
  const context = { ...here, targets: row ? targetsOf(noun, [row]) : [] }
  if (!isOffered(command, context)) return null
  return (
    <button
      type="button"
      className={styles.button}
      tabIndex={tabIndex}
      data-kind={kind}
      aria-disabled={busy}
      aria-label={command.title(context)}
      title={hasDraft ? 'A draft is kept' : undefined}
      onClick={() => void (busy || command.run(context))}
    >
      {busy ? busyLabel : label}
      {hasDraft && <span className={styles.draft} aria-hidden />}
    </button>
  )
}
