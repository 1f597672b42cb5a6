import { useAtom, useAtomValue } from 'jotai'
import { Menu, PanelLeft, Search } from 'lucide-react'
import { openPalette, toggleSidebar } from '../../commands/app.ts'
import { keysOfAtom } from '../../commands/keymap.ts'
import { runHere } from '../../commands/run-command.ts'
import { KeyHint } from '../ui/key-hint.tsx'
import { narrowAtom, sidebarExpandedAtom, sidebarOpenAtom } from '../../state/sidebar.ts'
import { Avatar } from '../ui/avatar.tsx'
import { MenuButton } from '../ui/menu-button.tsx'
import { overlaysAtom } from '../ui/overlays.ts'
import { useTrigger } from '../ui/trigger.ts'
import styles from './shell.module.css'

/** S2.b.3 */
export function TopBar({ staff }: { staff: string }) {
  const narrow = useAtomValue(narrowAtom)
  const [open, setOpen] = useAtom(sidebarOpenAtom)
  const expanded = useAtomValue(sidebarExpandedAtom)
  const paletteKeys = useAtomValue(keysOfAtom)(openPalette)
  return (
    <header className={styles.bar}>
      {narrow && (
        <button
          type="button"
          className={styles.icon}
          aria-label="Open the sidebar"
          aria-expanded={open}
          data-command={toggleSidebar.id}
          onClick={() => setOpen(true)}
        >
          <Menu size={18} aria-hidden />
        </button>
      )}
      <button
        type="button"
        className={styles.icon}
        aria-label={toggleSidebar.about}
        aria-expanded={narrow ? open : expanded}
        data-command={toggleSidebar.id}
        onClick={() => runHere(toggleSidebar)}
      >
        <PanelLeft size={18} aria-hidden />
      </button>
      <button
        type="button"
        className={styles.find}
        data-command={openPalette.id}
        onClick={() => runHere(openPalette)}
      >
        <Search size={16} aria-hidden /> Search or run a command
        {paletteKeys && <KeyHint keys={paletteKeys} />}
      </button>
      <Account staff={staff} />
    </header>
  )
}

/** The button of a menu with settings, Logout and a close icon. */
function Account({ staff }: { staff: string }) {
  const trigger = useTrigger()
  const overlays = useAtomValue(overlaysAtom)
  return (
    <>
      <MenuButton
        trigger={trigger}
        className={styles.avatar}
        aria-label={`Account of ${staff}`}
        title={staff}
      >
        <Avatar name={staff} size={32} />
      </MenuButton>
      {overlays && <overlays.AccountMenu trigger={trigger} staff={staff} />}
    </>
  )
}
