import { useAtom, useAtomValue } from 'jotai'
import { Check, ListFilter } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
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
import styles from './columns-menu.module.css'

/** The filters that the server offers for a list; absent without any. */
export function FilterMenu({ noun }: { noun: Pick<Noun, 'path' | 'calls' | 'filters'> }) {
  const [isOpen, setOpen] = useAtom(filterMenuAtom)
  const offered = filtersOf(noun, useAtomValue(capabilitiesAtom).filters)
  const terms = parseFilter(useAtomValue(listQueryAtom).filter)
  if (offered.length === 0) return null
  return (
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={setOpen}>
      <DropdownMenu.Trigger asChild>
        <button
          type="button"
          className={styles.trigger}
          aria-label="Filter"
          title="Filter"
          data-filter
          data-command={openFilters.id}
        >
          <ListFilter size={16} aria-hidden />
        </button>
      </DropdownMenu.Trigger>
      {/* No portal: the menu belongs to the landmark that it opens from. */}
      <DropdownMenu.Content className={styles.menu} align="end" sideOffset={6}>
        {offered.map((name) => (
          <DropdownMenu.CheckboxItem
            key={name}
            className={styles.choice}
            data-command={filterId(noun.path, name)}
            checked={terms.some((term) => term.name === name)}
            onCheckedChange={() => toggleFilter(name)}
          >
            <span className={styles.mark}>
              <DropdownMenu.ItemIndicator>
                <Check size={14} aria-hidden />
              </DropdownMenu.ItemIndicator>
            </span>
            {labelOf(noun, name)}
          </DropdownMenu.CheckboxItem>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}
