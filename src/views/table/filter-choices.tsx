import { useAtom, useAtomValue, useSetAtom, useStore } from 'jotai'
import { capabilitiesAtom } from '../../api/config.ts'
import {
  chooseFilters,
  filterId,
  filterMenuAtom,
  labelOf,
  toggleFilter,
  valuesOf,
} from '../../commands/filters.ts'
import { listHandleAtom } from '../../commands/list.ts'
import { dialogAtom } from '../../state/dialog.ts'
import { listQueryAtom, parseFilter } from '../../state/list.ts'
import type { Trigger } from '../ui/trigger.ts'
import { Choices } from './choices.tsx'
import { useTermCounts } from './use-term-counts.ts'
import type { FilterMenuProps } from './late-parts.ts'

/** Switches the filters of a list on and off. */
export function FilterChoices({ trigger, noun, offered }: FilterMenuProps & { trigger: Trigger }) {
  const [isOpen, setOpen] = useAtom(filterMenuAtom)
  const store = useStore()
  const setDialog = useSetAtom(dialogAtom)
  const values = valuesOf(noun, useAtomValue(capabilitiesAtom).filters)
  const countOf = useTermCounts(noun)
  const terms = parseFilter(useAtomValue(listQueryAtom).filter)
  return (
    <Choices
      trigger={trigger}
      of={offered.map((name) => ({
        id: name,
        label: labelOf(noun, name),
        command: filterId(noun.path, name),
        isChosen: terms.some((term) => term.name === name),
        count: countOf(name),
        toggle: () => toggleFilter(name),
      }))}
      more={[
        ...(noun.search
          ? []
          : [
              {
                label: 'By text…',
                command: 'list.search',
                // The closed menu gives the focus back to its button first.
                run: () => setTimeout(() => store.get(listHandleAtom)?.search()),
              },
            ]),
        ...(values.length > 0
          ? [
              {
                label: 'By dates or people…',
                command: chooseFilters.id,
                run: () => {
                  // The dialog gives the focus back to the element that has it now, and the item is about to go.
                  store.get(trigger.elementAtom)?.focus()
                  setDialog({ kind: 'filters' })
                },
              },
            ]
          : []),
      ]}
      open={isOpen}
      onOpenChange={setOpen}
    />
  )
}
