import { useAtomValue } from 'jotai'
import { LogOut, X } from 'lucide-react'
import { logout } from '../../commands/app.ts'
import { contextAtom } from '../../commands/context.ts'
import { runCommand } from '../../commands/run-command.ts'
import { Menu } from '../ui/menu.tsx'
import type { Trigger } from '../ui/trigger.ts'
import styles from './shell.module.css'

/** Logout and a close icon (S2.b.3). */
export function AccountMenu({ trigger, staff }: { trigger: Trigger; staff: string }) {
  const context = useAtomValue(contextAtom)
  return (
    <Menu trigger={trigger} className={styles.menu}>
      {({ Item }) => (
        <>
          <div className={styles.who}>
            <span>{staff}</span>
            <Item className={styles.close} aria-label="Close">
              <X size={16} aria-hidden />
            </Item>
          </div>
          <Item
            className={styles.choice}
            data-command={logout.id}
            onSelect={() => runCommand(logout, context, 'mouse')}
          >
            <LogOut size={16} aria-hidden /> {logout.about}
          </Item>
        </>
      )}
    </Menu>
  )
}
