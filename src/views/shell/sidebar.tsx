import { atom, useAtom, useAtomValue } from 'jotai'
import type { LucideIcon } from 'lucide-react'
import { memo, useEffect, useRef } from 'react'
import { useHotkeys } from 'react-hotkeys-hook'
import { Link } from 'wouter'
import { goId } from '../../commands/go.ts'
import type { Load } from '../../commands/loads.ts'
import { prefetch } from '../../commands/loads.ts'
import { focusFirstOf, holdsFocus } from '../../state/focus.ts'
import { pathAtom } from '../../state/location.ts'
import { settingsAtom } from '../../state/settings.ts'
import { narrowAtom, sidebarExpandedAtom, sidebarOpenAtom } from '../../state/sidebar.ts'
import { hintAtSide, overlaysAtom } from '../ui/overlays.ts'
import styles from './shell.module.css'

export interface Entry {
  path: string
  title: string
  icon?: LucideIcon
  keys?: string
  /** What its screen loads first. */
  load: (search: string, id: string) => Load<object> | null
}

/** S2.b.2, S4.10: from 1200 px on docked and collapsible, from 768 px an icon rail that opens, else a sliding panel. */
export function Sidebar({ entries }: { entries: readonly Entry[] }) {
  const narrow = useAtomValue(narrowAtom)
  const expanded = useAtomValue(sidebarExpandedAtom)
  const [open, setOpen] = useAtom(sidebarOpenAtom)
  const path = useAtomValue(pathAtom)
  const panelOpen = narrow && open

  // Close the open rail or panel after navigation, and when the window crosses 1200 px.
  useEffect(() => setOpen(false), [path, narrow, setOpen])
  useHotkeys('escape', () => setOpen(false), { enabled: panelOpen, useKey: true, enableOnFormTags: true })
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!panelOpen) return
    const [panel, before] = [nav.current, document.activeElement]
    // The panel covers the content. When it has closed, its links cannot have the focus any more.
    focusFirstOf(panel?.querySelector('[aria-current]'), panel?.querySelector('a'))
    return () => {
      if (holdsFocus(panel)) focusFirstOf(before)
    }
  }, [panelOpen])

  return (
    <>
      {panelOpen && <div className={styles.backdrop} onClick={() => setOpen(false)} />}
      <nav ref={nav} className={styles.sidebar} aria-label="Main">
        <div className={styles.brand}>
          <img src="/favicon.svg" alt="" />
          <span className={styles.label}>Twende OMS</span>
        </div>
        <ul>
          {entries.map((entry) =>
            entry.icon ? (
              <EntryItem
                key={entry.path}
                {...entry}
                icon={entry.icon}
                current={isCurrent(entry.path, path)}
                named={narrow ? open : expanded}
              />
            ) : null,
          )}
        </ul>
      </nav>
    </>
  )
}

interface EntryItemProps extends Entry {
  icon: LucideIcon
  current: boolean
  /** Whether the name is visible; otherwise a tooltip shows it. */
  named: boolean
}

/** Other settings change without rendering the entries again. */
const pinnedAtom = atom((get) => get(settingsAtom).pinned)

const EntryItem = memo(function EntryItem({ current, named, icon: Icon, path, title, load }: EntryItemProps) {
  const overlays = useAtomValue(overlaysAtom)
  const pinned = useAtomValue(pinnedAtom)[path]
  return (
    // Nothing below moves when the pinned views come. The heights are also in shell.module.css.
    <li style={pinned ? { minBlockSize: 34 + 28 * pinned } : undefined} {...usePrefetch(load)}>
      <Link
        href={path}
        aria-label={title}
        aria-current={current ? 'page' : undefined}
        data-command={goId(path)}
        data-hint={hintAtSide(named)}
      >
        <Icon size={18} aria-hidden />
        <span className={styles.label}>{title}</span>
      </Link>
      {overlays && path === '/sos' && <overlays.NewSos />}
      {overlays && <overlays.PinnedViews path={path} isNamed={named} />}
    </li>
  )
})

/** In milliseconds: a pointer that only crosses a link leaves it earlier. */
const resting = 65

/** Handlers that start a load when the link gets the focus, or the pointer rests on it. */
function usePrefetch(load: Entry['load']) {
  const timer = useRef(0)
  const stop = () => window.clearTimeout(timer.current)
  useEffect(() => stop, [])
  return {
    onFocus: () => void prefetch(load('', '')),
    onPointerEnter: () => {
      timer.current = window.setTimeout(() => void prefetch(load('', '')), resting)
    },
    onPointerLeave: stop,
  }
}

/** A detail screen marks the entry of its list. */
const isCurrent = (entry: string, path: string) =>
  entry === '/' ? path === '/' : path === entry || path.startsWith(`${entry}/`)
