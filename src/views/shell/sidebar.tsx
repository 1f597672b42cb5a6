import { useAtom, useAtomValue } from 'jotai'
import type { LucideIcon } from 'lucide-react'
import { Tooltip } from 'radix-ui'
import { useEffect, useState } from 'react'
import { useHotkeys } from 'react-hotkeys-hook'
import { Link, useLocation } from 'wouter'
import { narrowAtom, sidebarExpandedAtom, sidebarOpenAtom } from '../../state/sidebar.ts'
import styles from './shell.module.css'

export interface Entry {
  path: string
  title: string
  icon?: LucideIcon
}

/** S2.b.2, S4.10: from 1200 px on docked and collapsible, from 768 px an icon rail that opens, else a sliding panel. */
export function Sidebar({ entries }: { entries: readonly Entry[] }) {
  const narrow = useAtomValue(narrowAtom)
  const expanded = useAtomValue(sidebarExpandedAtom)
  const [open, setOpen] = useAtom(sidebarOpenAtom)
  const [path] = useLocation()
  const panelOpen = narrow && open

  // Close the open rail or panel after navigation, and when the window crosses 1200 px.
  useEffect(() => setOpen(false), [path, narrow, setOpen])
  useHotkeys('escape', () => setOpen(false), { enabled: panelOpen, useKey: true })

  return (
    <>
      {panelOpen && <div className={styles.backdrop} onClick={() => setOpen(false)} />}
      <nav className={styles.sidebar} aria-label="Main">
        <div className={styles.brand}>
          <img src="/favicon.svg" alt="" />
          <span className={styles.label}>Twende OMS</span>
        </div>
        {/* S9.8: tooltips of the sidebar appear without delay. */}
        <Tooltip.Provider delayDuration={0} skipDelayDuration={300}>
          <ul>
            {entries.map((entry) =>
              entry.icon ? (
                <li key={entry.path}>
                  <EntryLink
                    {...entry}
                    icon={entry.icon}
                    current={isCurrent(entry.path, path)}
                    named={narrow ? open : expanded}
                  />
                </li>
              ) : null,
            )}
          </ul>
        </Tooltip.Provider>
      </nav>
    </>
  )
}

interface EntryLinkProps {
  path: string
  title: string
  icon: LucideIcon
  current: boolean
  /** Whether the name is visible; otherwise a tooltip shows it. */
  named: boolean
}

function EntryLink({ path, title, icon: Icon, current, named }: EntryLinkProps) {
  const [isHinted, setHinted] = useState(false)
  return (
    <Tooltip.Root open={isHinted && !named} onOpenChange={setHinted}>
      <Tooltip.Trigger asChild>
        <Link href={path} aria-label={title} aria-current={current ? 'page' : undefined}>
          <Icon size={18} aria-hidden />
          <span className={styles.label}>{title}</span>
        </Link>
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content side="right" sideOffset={6} className={styles.tooltip}>
          {title}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}

/** A detail screen marks the entry of its list. */
const isCurrent = (entry: string, path: string) =>
  entry === '/' ? path === '/' : path === entry || path.startsWith(`${entry}/`)
