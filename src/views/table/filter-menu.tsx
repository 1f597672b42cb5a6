import { useAtomValue } from 'jotai'
import { ListFilter } from 'lucide-react'
import { memo } from 'react'
import { capabilitiesAtom } from '../../api/config.ts'
import { filtersOf, openFilters } from '../../commands/filters.ts'
import { MenuButton } from '../ui/menu-button.tsx'
import { useTrigger } from '../ui/trigger.ts'
import styles from './columns-menu.module.css'
import type { FilterMenuProps } from './late-parts.ts'
import { latePartsAtom } from './late-parts.ts'

/** The filters that the server offers for a list; absent without any. */
export const FilterMenu = memo(function FilterMenu({ noun }: Pick<FilterMenuProps, 'noun'>) {
  const offered = filtersOf(noun, useAtomValue(capabilitiesAtom).filters)
  const trigger = useTrigger()
  const parts = useAtomValue(latePartsAtom)
  if (offered.length === 0) return null
  return (
    <>
      <MenuButton
        trigger={trigger}
        className={styles.trigger}
        aria-label="Filter"
        data-command={openFilters.id}
      >
        <ListFilter size={16} aria-hidden />
      </MenuButton>
      {parts && <parts.FilterChoices noun={noun} offered={offered} trigger={trigger} />}
    </>
  )
})
