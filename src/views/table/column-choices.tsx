import { useAtomValue } from 'jotai'
import { toggleColumn, toggleId } from '../../commands/list.ts'
import { columnsKeyAtom } from '../../state/list.ts'
import { settingsAtom } from '../../state/settings.ts'
import type { Trigger } from '../ui/trigger.ts'
import { ColumnItems } from './column-items.tsx'
import { Choices } from './choices.tsx'
import type { ColumnsMenuProps } from './late-parts.ts'

/**
 * Shows and hides the columns of a list, and moves and resizes the focused one. The last visible one cannot be hidden.
 */
export function ColumnChoices({ trigger, path, columns }: ColumnsMenuProps & { trigger: Trigger }) {
  const hidden = useAtomValue(settingsAtom).hidden[useAtomValue(columnsKeyAtom)] ?? []
  const shown = columns.filter(({ id }) => !hidden.includes(id))
  return (
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
      rest={(item) => <ColumnItems item={item} />}
      staysOpen
    />
  )
}
