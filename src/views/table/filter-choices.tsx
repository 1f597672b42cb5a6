import { useAtom, useAtomValue } from 'jotai'
import { filterId, filterMenuAtom, labelOf, toggleFilter } from '../../commands/filters.ts'
import { listQueryAtom, parseFilter } from '../../state/list.ts'
import type { Trigger } from '../ui/trigger.ts'
import { Choices } from './choices.tsx'
import type { FilterMenuProps } from './late-parts.ts'

/** Switches the filters of a list on and off. */
export function FilterChoices({ trigger, noun, offered }: FilterMenuProps & { trigger: Trigger }) {
  const [isOpen, setOpen] = useAtom(filterMenuAtom)
  const terms = parseFilter(useAtomValue(listQueryAtom).filter)
  return (
    <Choices
      trigger={trigger}
      of={offered.map((name) => ({
        id: name,
        label: labelOf(noun, name),
        command: filterId(noun.path, name),
        isChosen: terms.some((term) => term.name === name),
        toggle: () => toggleFilter(name),
      }))}
      open={isOpen}
      onOpenChange={setOpen}
    />
  )
}
