import { useAtomValue } from 'jotai'
import { Columns3 } from 'lucide-react'
import { MenuButton } from '../ui/menu-button.tsx'
import { useTrigger } from '../ui/trigger.ts'
import styles from './columns-menu.module.css'
import type { ColumnsMenuProps } from './late-parts.ts'
import { latePartsAtom } from './late-parts.ts'

/** The menu of the columns of a list. */
export function ColumnsMenu(props: ColumnsMenuProps) {
  const trigger = useTrigger()
  const parts = useAtomValue(latePartsAtom)
  return (
    <>
      <MenuButton trigger={trigger} className={styles.trigger} aria-label="Columns" title="Columns">
        <Columns3 size={16} aria-hidden />
      </MenuButton>
      {parts && <parts.ColumnChoices {...props} trigger={trigger} />}
    </>
  )
}
