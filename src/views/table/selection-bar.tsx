import { useAtomValue } from 'jotai'
import type { Command, Context } from '../../commands/command.ts'
import { isRunnable } from '../../commands/command.ts'
import { contextAtom } from '../../commands/context.ts'
import { count as formatCount } from '../../format.ts'
import styles from './selection-bar.module.css'

interface SelectionBarProps {
  count: number
  /** The commands of the screen. Those that apply to the selection are shown. */
  commands: readonly Command[]
  targets: Context['targets']
  clear: () => void
}

/** The number of selected rows, and the commands for all of them. */
export function SelectionBar({ count, commands, targets, clear }: SelectionBarProps) {
  const context = { ...useAtomValue(contextAtom), targets }
  const offered = commands.filter((command) => command.noun && isRunnable(command, context))
  return (
    <div className={styles.bar} role="group" aria-label="Selection">
      <span aria-live="polite">{formatCount(count)} selected</span>
      {offered.map((command) => (
        <button key={command.id} type="button" onClick={() => void command.run(context)}>
          {command.title(context)}
        </button>
      ))}
      <button type="button" onClick={clear}>
        Clear selection
      </button>
    </div>
  )
}
