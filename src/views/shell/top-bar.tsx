import { useAtomValue, useSetAtom } from 'jotai'
import { LogOut, Menu, PanelLeft, Search, X } from 'lucide-react'
import { DropdownMenu, Tooltip } from 'radix-ui'
import type { ReactNode } from 'react'
import { logout, openPalette, toggleSidebar } from '../../commands/app.ts'
import type { Command } from '../../commands/command.ts'
import { contextAtom } from '../../commands/context.ts'
import { keysOfAtom } from '../../commands/keymap.ts'
import { runCommand } from '../../commands/run-command.ts'
import { KeyHint } from '../ui/key-hint.tsx'
import { narrowAtom, sidebarOpenAtom } from '../../state/sidebar.ts'
import { Avatar } from '../ui/avatar.tsx'
import styles from './shell.module.css'

/** S2.b.3 */
export function TopBar({ staff }: { staff: string }) {
  const narrow = useAtomValue(narrowAtom)
  const setOpen = useSetAtom(sidebarOpenAtom)
  const context = useAtomValue(contextAtom)
  const paletteKeys = useAtomValue(keysOfAtom)(openPalette)
  return (
    // S9.8
    <Tooltip.Provider delayDuration={700} skipDelayDuration={300}>
      <header className={styles.bar}>
        {narrow && (
          <button
            type="button"
            className={styles.icon}
            aria-label="Open the sidebar"
            data-command={toggleSidebar.id}
            onClick={() => setOpen(true)}
          >
            <Menu size={18} aria-hidden />
          </button>
        )}
        <Hinted command={toggleSidebar}>
          <button
            type="button"
            className={styles.icon}
            aria-label={toggleSidebar.about}
            data-command={toggleSidebar.id}
            onClick={() => runCommand(toggleSidebar, context, 'mouse')}
          >
            <PanelLeft size={18} aria-hidden />
          </button>
        </Hinted>
        <button
          type="button"
          className={styles.find}
          data-command={openPalette.id}
          onClick={() => runCommand(openPalette, context, 'mouse')}
        >
          <Search size={16} aria-hidden /> Search or run a command
          {paletteKeys && <KeyHint keys={paletteKeys} />}
        </button>
        <Account staff={staff} />
      </header>
    </Tooltip.Provider>
  )
}

function Hinted({ command, children }: { command: Command; children: ReactNode }) {
  const keys = useAtomValue(keysOfAtom)(command)
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className={styles.tooltip} sideOffset={4}>
          {command.about} {keys && <KeyHint keys={keys} />}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}

/** The avatar toggles a menu with Logout and a close icon. */
function Account({ staff }: { staff: string }) {
  const context = useAtomValue(contextAtom)
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <button type="button" className={styles.avatar} aria-label={`Account of ${staff}`} title={staff}>
          <Avatar name={staff} size={32} />
        </button>
      </DropdownMenu.Trigger>
      {/* No portal, so that the menu stays inside the landmark of the top bar. */}
      <DropdownMenu.Content className={styles.menu} align="end" sideOffset={6}>
        <div className={styles.who}>
          <span>{staff}</span>
          <DropdownMenu.Item className={styles.close} aria-label="Close">
            <X size={16} aria-hidden />
          </DropdownMenu.Item>
        </div>
        <DropdownMenu.Item
          className={styles.choice}
          data-command={logout.id}
          onSelect={() => runCommand(logout, context, 'mouse')}
        >
          <LogOut size={16} aria-hidden /> {logout.about}
        </DropdownMenu.Item>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}
