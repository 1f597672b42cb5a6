import { useAtomValue } from 'jotai'
import type { Command, Context } from '../../commands/command.ts'
import { isOffered } from '../../commands/command.ts'
import { contextAtom } from '../../commands/context.ts'
import { busyAtom } from '../../commands/run.ts'
import { draftId, draftKeysAtom } from '../../state/drafts.ts'
import { useCellTabIndex } from './cell.ts'
import styles from './command-button.module.css'

interface CommandButtonProps {
  command: Command
  targets: Context['targets']
  /** The specification's word for it; the accessible name also says what it acts on. */
  label: string
  /** `driver:12`: while it is busy the button ignores repeats; a draft of it shows as a dot on what opens its form. */
  record: string
  /** Shown instead of the label meanwhile. */
  busyLabel?: string
  /** It opens the record's form, which looks after its own business. */
  opensForm?: boolean
  kind?: 'primary'
}

/** The mouse's way to a command: runs the same object as palette and key, on its own row. */
export function CommandButton({
  command,
  targets,
  label,
  record,
  busyLabel = label,
  opensForm = false,
  kind,
}: CommandButtonProps) {
  const here = useAtomValue(contextAtom)
  const busy = useAtomValue(busyAtom).has(record) && !opensForm
  const hasDraft = useAtomValue(draftKeysAtom).has(draftId(record)) && opensForm
  const tabIndex = useCellTabIndex()
  const context = { ...here, targets }
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
