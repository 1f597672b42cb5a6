import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { DropdownMenu } from 'radix-ui'
import { count as formatCount } from '../../format.ts'
import { Menu } from '../ui/menu.tsx'
import type { Trigger } from '../ui/trigger.ts'
import styles from './columns-menu.module.css'

interface Choice {
  id: string
  label: string
  /** The id of the command that does the same. */
  command: string
  isChosen: boolean
  isDisabled?: boolean
  /** How many records it is about; null if that is not known. */
  count?: number | null
  toggle: () => void
}

interface ChoicesProps {
  trigger: Trigger
  of: readonly Choice[]
  /** Items after them that open something. */
  more?: readonly { label: string; command: string; run: () => void }[]
  /** Further items at the end. */
  rest?: (item: (typeof DropdownMenu)['Item']) => ReactNode
  /** Keeps the menu open, so that several can be changed. */
  staysOpen?: boolean
  open?: boolean
  onOpenChange?: (open: boolean) => void
}

/** A menu of what can be switched on and off. */
export function Choices({ trigger, of, more = [], rest, staysOpen = false, ...state }: ChoicesProps) {
  return (
    <Menu trigger={trigger} className={styles.menu} {...state}>
      {({ CheckboxItem, Item, ItemIndicator, Separator }) => (
        <>
          {of.map(({ id, label, command, isChosen, isDisabled = false, count = null, toggle }) => (
            <CheckboxItem
              key={id}
              className={styles.choice}
              data-command={command}
              checked={isChosen}
              disabled={isDisabled}
              onCheckedChange={toggle}
              onSelect={(event) => staysOpen && event.preventDefault()}
            >
              <span className={styles.mark}>
                <ItemIndicator>
                  <Check size={14} aria-hidden />
                </ItemIndicator>
              </span>
              {label}
              {count !== null && <span className={styles.count}> {formatCount(count)}</span>}
            </CheckboxItem>
          ))}
          {of.length > 0 && more.length > 0 && <Separator className={styles.separator} />}
          {more.map(({ label, command, run }) => (
            <Item key={command} className={styles.choice} data-command={command} onSelect={run}>
              <span className={styles.mark} />
              {label}
            </Item>
          ))}
          {rest && (
            <>
              <Separator className={styles.separator} />
              {rest(Item)}
            </>
          )}
        </>
      )}
    </Menu>
  )
}
