import { useAtomValue } from 'jotai'
import type { DropdownMenu } from 'radix-ui'
import { columnCommands, listedColumnsAtom } from '../../commands/columns.ts'
import { isOffered, isRunnable } from '../../commands/command.ts'
import { contextAtom } from '../../commands/context.ts'
import { runCommand } from '../../commands/run-command.ts'
import styles from './columns-menu.module.css'

/** What can be done with the focused column. The menu stays open, so that a column can be moved several places. */
export function ColumnItems({ item: Item }: { item: (typeof DropdownMenu)['Item'] }) {
  const context = useAtomValue(contextAtom)
  // After each change, other titles and other items apply.
  useAtomValue(listedColumnsAtom)
  return columnCommands
    .filter((command) => isOffered(command, context))
    .map((command) => (
      <Item
        key={command.id}
        className={styles.choice}
        data-command={command.id}
        disabled={!isRunnable(command, context)}
        onSelect={(event) => {
          event.preventDefault()
          runCommand(command, context, 'mouse')
        }}
      >
        <span className={styles.mark} />
        {command.title(context)}
      </Item>
    ))
}
