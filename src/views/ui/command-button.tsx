import { atom, useAtomValue } from 'jotai'
import { capabilitiesAtom } from '../../api/config.ts'
import type { Row } from '../../api/loose.ts'
import type { Command } from '../../commands/command.ts'
import { isOffered, refOf, targetsOf } from '../../commands/command.ts'
import { keysOfAtom, written } from '../../commands/keymap.ts'
import type { Noun } from '../../commands/noun.ts'
import { busyAtom } from '../../commands/run.ts'
import { runCommand } from '../../commands/run-command.ts'
import { draftId, draftKeysAtom } from '../../state/drafts.ts'
import { pathAtom } from '../../state/location.ts'
import { refKey } from '../../state/ref.ts'
import { useCellTabIndex } from './cell.ts'
import styles from './command-button.module.css'

interface CommandButtonProps {
  command: Command
  noun: Pick<Noun, 'name'>
  /** The record that the command acts on; null for a command that creates one. */
  row: Row<object> | null
  /** The visible text, as specified. The accessible name is the command's title, which also names the record. */
  label: string
  /** Shown instead of the label while the record is busy. */
  busyLabel?: string
  /** The command opens a form: the button never shows as busy, and a dot marks a kept draft. */
  opensForm?: boolean
  kind?: 'primary'
}

/** All that a button depends on, as one atom: a table has many buttons, and each atom costs each of them an effect. */
const surroundingsAtom = atom((get) => ({
  path: get(pathAtom),
  busy: get(busyAtom),
  drafts: get(draftKeysAtom),
  keysOf: get(keysOfAtom),
  // Whether a command is offered can depend on them, and they can come after the rows.
  capabilities: get(capabilitiesAtom),
}))

/**
 * Runs the same command as the palette and the key, on its own row. Presses are ignored while the record is busy, and so is the second
 * click of a double click: the server may have answered the first one already, and the button may have the opposite command.
 */
export function CommandButton({
  command,
  noun,
  row,
  label,
  busyLabel = label,
  opensForm = false,
  kind,
}: CommandButtonProps) {
  const around = useAtomValue(surroundingsAtom)
  const ref = refOf(noun, row)
  const busy = around.busy.has(refKey(ref)) && !opensForm
  const hasDraft = around.drafts.has(draftId(ref)) && opensForm
  const tabIndex = useCellTabIndex()
  const keys = around.keysOf(command)
  const context = { path: around.path, targets: row ? targetsOf(noun, [row]) : [] }
  if (!isOffered(command, context)) return null
  return (
    <button
      type="button"
      className={styles.button}
      tabIndex={tabIndex}
      data-command={command.id}
      data-kind={kind}
      aria-disabled={busy}
      aria-label={command.title(context)}
      aria-description={keys && `Key: ${written(keys)}`}
      title={hasDraft ? 'A draft is kept' : undefined}
      // Enter that is held down would press the button that gets the focus when this one has left with its row.
      onKeyDown={(event) => event.repeat && event.key === 'Enter' && event.preventDefault()}
      onClick={({ detail: clicks }) => {
        if (!busy && clicks < 2) runCommand(command, context, 'mouse')
      }}
    >
      {busy ? busyLabel : label}
      {hasDraft && <span className={styles.draft} aria-hidden />}
    </button>
  )
}
