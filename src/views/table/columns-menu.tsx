import { useAtomValue } from 'jotai'
import { Check, Columns3 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { toggleColumn, toggleId } from '../../commands/list.ts'
import { settingsAtom } from '../../state/settings.ts'
import styles from './columns-menu.module.css'

interface ColumnsMenuProps {
  /** The path of the list. */
  path: string
  columns: readonly { id: string; header: string }[]
}

/** The menu that shows and hides the columns of a list. The last visible one cannot be hidden. */
export function ColumnsMenu({ path, columns }: ColumnsMenuProps) {
  const hidden = useAtomValue(settingsAtom).hidden[path] ?? []
  const shown = columns.filter(({ id }) => !hidden.includes(id))
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <button type="button" className={styles.trigger} aria-label="Columns" title="Columns">
          <Columns3 size={16} aria-hidden />
        </button>
      </DropdownMenu.Trigger>
      {/* No portal, so that the menu stays inside the landmark of its button. */}
      <DropdownMenu.Content className={styles.menu} align="end" sideOffset={6}>
        {columns.map(({ id, header }) => (
          <DropdownMenu.CheckboxItem
            key={id}
            className={styles.choice}
            data-command={toggleId(path, id)}
            checked={!hidden.includes(id)}
            disabled={shown.length === 1 && shown[0]?.id === id}
            onCheckedChange={() => toggleColumn(path, id)}
            // Keep the menu open, so that several columns can be changed.
            onSelect={(event) => event.preventDefault()}
          >
            <span className={styles.mark}>
              <DropdownMenu.ItemIndicator>
                <Check size={14} aria-hidden />
              </DropdownMenu.ItemIndicator>
            </span>
            {header}
          </DropdownMenu.CheckboxItem>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}
