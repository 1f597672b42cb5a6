import { useAtomValue } from 'jotai'
import { Check, LogOut, X } from 'lucide-react'
import type { DropdownMenu } from 'radix-ui'
import { capabilitiesAtom } from '../../api/config.ts'
import { showPassword, showSessions, signOutEverywhere } from '../../commands/account.ts'
import { logout, showActivity, showHelp } from '../../commands/app.ts'
import type { Command } from '../../commands/command.ts'
import { isOffered } from '../../commands/command.ts'
import { contextAtom } from '../../commands/context.ts'
import { keysOfAtom } from '../../commands/keymap.ts'
import { densities, themes } from '../../commands/preferences.ts'
import { runHere } from '../../commands/run-command.ts'
import { settingsAtom } from '../../state/settings.ts'
import { KeyHint } from '../ui/key-hint.tsx'
import { Menu } from '../ui/menu.tsx'
import type { Trigger } from '../ui/trigger.ts'
import styles from './shell.module.css'

/** What the menu opens and does, in its order; sessions and password where the server has them. */
const opening = [showHelp, showActivity, showSessions, showPassword, signOutEverywhere]

/** Theme and density, what opens from here, Logout and a close icon (S2.b.3). */
export function AccountMenu({ trigger, staff }: { trigger: Trigger; staff: string }) {
  return (
    <Menu trigger={trigger} className={styles.menu}>
      {(parts) => <Items staff={staff} parts={parts} />}
    </Menu>
  )
}

interface ItemsProps {
  staff: string
  parts: typeof DropdownMenu
}

function Items({ staff, parts }: ItemsProps) {
  const { theme, density } = useAtomValue(settingsAtom)
  const context = useAtomValue(contextAtom)
  // `isOffered` reads it too.
  useAtomValue(capabilitiesAtom)
  const keysOf = useAtomValue(keysOfAtom)
  return (
    <>
      <div className={styles.who}>
        <span>{staff}</span>
        <parts.Item className={styles.close} aria-label="Close">
          <X size={16} aria-hidden />
        </parts.Item>
      </div>
      <Setting parts={parts} label="Theme" value={theme} choices={themes} />
      <parts.Separator className={styles.separator} />
      <Setting parts={parts} label="Density" value={density} choices={densities} />
      <parts.Separator className={styles.separator} />
      {opening
        .filter((command) => isOffered(command, context))
        .map((command) => {
          const keys = keysOf(command)
          return (
            <parts.Item
              key={command.id}
              className={styles.choice}
              data-command={command.id}
              onSelect={() => runHere(command)}
            >
              <span className={styles.mark} />
              {command.about}{' '}
              {keys && (
                <span aria-hidden>
                  <KeyHint keys={keys} />
                </span>
              )}
            </parts.Item>
          )
        })}
      <parts.Separator className={styles.separator} />
      <parts.Item className={styles.choice} data-command={logout.id} onSelect={() => runHere(logout)}>
        <LogOut size={16} aria-hidden /> {logout.about}
      </parts.Item>
    </>
  )
}

interface SettingProps {
  parts: typeof DropdownMenu
  label: string
  value: string
  choices: readonly { name: string; command: Command }[]
}

/** The choices of one setting. The menu stays open, so that they can be compared. */
function Setting({ parts: { RadioGroup, RadioItem, ItemIndicator }, label, value, choices }: SettingProps) {
  return (
    <RadioGroup aria-label={label} value={value}>
      {choices.map(({ name, command }) => (
        <RadioItem
          key={name}
          value={name}
          className={styles.choice}
          data-command={command.id}
          onSelect={(event) => {
            event.preventDefault()
            if (name !== value) runHere(command)
          }}
        >
          <span className={styles.mark}>
            <ItemIndicator>
              <Check size={14} aria-hidden />
            </ItemIndicator>
          </span>
          {command.about}
        </RadioItem>
      ))}
    </RadioGroup>
  )
}
