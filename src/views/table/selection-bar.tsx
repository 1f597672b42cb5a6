import { useAtomValue } from 'jotai'
import type { Command, Context } from '../../commands/command.ts'
import { isRunnable } from '../../commands/command.ts'
import { contextAtom } from '../../commands/context.ts'
import { noteRun } from '../../commands/runs.ts'
import { count as formatCount } from '../../format.ts'
import styles from './selection-bar.module.css'

interface SelectionBarProps {
  count: number
  /** Of the screen; those that can be done to the selection are offered. */
  commands: readonly Command[]
  targets: Context['targets']
  clear: () => void
}

/** What is selected, and what can be done to all of it. */
export function SelectionBar({ count, commands, targets, clear }: SelectionBarProps) {
  const context = { ...useAtomValue(contextAtom), targets }
  const offered = commands.filter((command) => command.noun && isRunnable(command, context))
  return (
    <div className={styles.bar} role="group" aria-label="Selection">
      <span aria-live="polite">{formatCount(count)} selected</span>
      {offered.map((command) => (
        <button
          key={command.id}
          type="button"
          onClick={() => {
            noteRun(command, 'mouse')
            void command.run(context)
          }}
        >
          {command.title(context)}
        </button>
      ))}
      <button type="button" onClick={clear}>
        Clear selection
      </button>
    </div>
  )
}
