import { useAtomValue } from 'jotai'
import { Columns3 } from 'lucide-react'
import { toggleColumn, toggleId } from '../../commands/list.ts'
import { settingsAtom } from '../../state/settings.ts'
import { MenuButton } from '../ui/menu-button.tsx'
import { useTrigger } from '../ui/trigger.ts'
import styles from './columns-menu.module.css'
import { Choices } from './choices.tsx'

interface ColumnsMenuProps {
  /** The path of the list. */
  path: string
  columns: readonly { id: string; header: string }[]
}

/** The menu that shows and hides the columns of a list. The last visible one cannot be hidden. */
export function ColumnsMenu({ path, columns }: ColumnsMenuProps) {
  const hidden = useAtomValue(settingsAtom).hidden[path] ?? []
  const shown = columns.filter(({ id }) => !hidden.includes(id))
  const trigger = useTrigger()
  return (
    <>
      <MenuButton trigger={trigger} className={styles.trigger} aria-label="Columns" title="Columns">
        <Columns3 size={16} aria-hidden />
      </MenuButton>
      <Choices
        trigger={trigger}
        of={columns.map(({ id, header }) => ({
          id,
          label: header,
          command: toggleId(path, id),
          isChosen: !hidden.includes(id),
          isDisabled: shown.length === 1 && shown[0]?.id === id,
          toggle: () => toggleColumn(path, id),
        }))}
        staysOpen
      />
    </>
  )
}
