import { useAtomValue } from 'jotai'
import type { Command, Context } from '../../commands/command.ts'
import { contextAtom } from '../../commands/context.ts'
import { busyAtom } from '../../commands/run.ts'
import { useCellTabIndex } from './cell.ts'

interface CommandButtonProps {
  command: Command
  targets: Context['targets']
  /** The specification's word for it; the accessible name also says what it acts on. */
  label: string
  /** `driver:12`: while it is busy the button shows `busyLabel` and ignores repeats. */
  record: string
  busyLabel: string
}

/** The mouse's way to a command: runs the same object as palette and key, on its own row. */
export function CommandButton({ command, targets, label, record, busyLabel }: CommandButtonProps) {
  const here = useAtomValue(contextAtom)
  const busy = useAtomValue(busyAtom).has(record)
  const context = { ...here, targets }
  return (
    <button
      type="button"
      tabIndex={useCellTabIndex()}
      aria-disabled={busy}
      aria-label={command.title(context)}
      onClick={() => void (busy || command.run(context))}
    >
      {busy ? busyLabel : label}
    </button>
  )
}
