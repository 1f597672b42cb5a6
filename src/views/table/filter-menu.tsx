import { useAtom, useAtomValue } from 'jotai'
import { ListFilter } from 'lucide-react'
import { capabilitiesAtom } from '../../api/config.ts'
import {
  filterId,
  filterMenuAtom,
  filtersOf,
  labelOf,
  openFilters,
  toggleFilter,
} from '../../commands/filters.ts'
import type { Noun } from '../../commands/noun.ts'
import { listQueryAtom, parseFilter } from '../../state/list.ts'
import { MenuButton } from '../ui/menu-button.tsx'
import { useTrigger } from '../ui/trigger.ts'
import styles from './columns-menu.module.css'
import { Choices } from './choices.tsx'

/** The filters that the server offers for a list; absent without any. */
export function FilterMenu({ noun }: { noun: Pick<Noun, 'path' | 'calls' | 'filters'> }) {
  const [isOpen, setOpen] = useAtom(filterMenuAtom)
  const offered = filtersOf(noun, useAtomValue(capabilitiesAtom).filters)
  const terms = parseFilter(useAtomValue(listQueryAtom).filter)
  const trigger = useTrigger()
  if (offered.length === 0) return null
  return (
    <>
      <MenuButton
        trigger={trigger}
        className={styles.trigger}
        aria-label="Filter"
        title="Filter"
        data-filter
        data-command={openFilters.id}
      >
        <ListFilter size={16} aria-hidden />
      </MenuButton>
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
    </>
  )
}
