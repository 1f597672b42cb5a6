import { Check } from 'lucide-react'
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
  toggle: () => void
}

interface ChoicesProps {
  trigger: Trigger
  of: readonly Choice[]
  /** An item after them that opens something. */
  more?: { label: string; command: string; run: () => void } | false
  /** Keeps the menu open, so that several can be changed. */
  staysOpen?: boolean
  open?: boolean
  onOpenChange?: (open: boolean) => void
}

/** A menu of what can be switched on and off. */
export function Choices({ trigger, of, more = false, staysOpen = false, ...state }: ChoicesProps) {
  return (
    <Menu trigger={trigger} className={styles.menu} {...state}>
      {({ CheckboxItem, Item, ItemIndicator, Separator }) => (
        <>
          {of.map(({ id, label, command, isChosen, isDisabled = false, toggle }) => (
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
            </CheckboxItem>
          ))}
          {more && (
            <>
              {of.length > 0 && <Separator className={styles.separator} />}
              <Item className={styles.choice} data-command={more.command} onSelect={more.run}>
                <span className={styles.mark} />
                {more.label}
              </Item>
            </>
          )}
        </>
      )}
    </Menu>
  )
}
