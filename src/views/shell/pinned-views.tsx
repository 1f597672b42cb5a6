import { useQuery } from '@tanstack/react-query'
import { useAtomValue, useSetAtom } from 'jotai'
import { Link } from 'wouter'
import type { SavedView } from '../../commands/views.ts'
import { countsLoad, currentViewAtom, hrefOfView, savedViewsAtom, showColumns } from '../../commands/views.ts'
import { count as formatCount } from '../../format.ts'
import { sidebarOpenAtom } from '../../state/sidebar.ts'
import { hintAtSide } from '../ui/overlays.ts'
import styles from './shell.module.css'

interface PinnedViewsProps {
  /** The path of their list. */
  path: string
  /** Whether the names are visible; otherwise tooltips show them. */
  isNamed: boolean
}

/** The pinned views of a list, under its entry in the side navigation, each with the number of its records. */
export function PinnedViews({ path, isNamed }: PinnedViewsProps) {
  const views = useAtomValue(savedViewsAtom)?.filter(({ noun, isPinned }) => isPinned && noun.path === path)
  // The counts are loaded in one place (use-saved-views.ts).
  const { data: counts = {} } = useQuery({ ...countsLoad, enabled: false })
  const [first] = views ?? []
  if (!views || !first) return null
  return (
    <ul className={styles.views} aria-label={`Views of ${first.noun.plural}`}>
      {views.map((view) => (
        <PinnedView key={view.id} view={view} count={counts[view.id] ?? null} isNamed={isNamed} />
      ))}
    </ul>
  )
}

interface PinnedViewProps {
  view: SavedView
  /** Null while it is not known. */
  count: number | null
  isNamed: boolean
}

function PinnedView({ view, count, isNamed }: PinnedViewProps) {
  const name = count === null ? view.name : `${view.name} ${formatCount(count)}`
  const closeSidebar = useSetAtom(sidebarOpenAtom)
  const isCurrent = useAtomValue(currentViewAtom)?.view.id === view.id
  return (
    <li>
      <Link
        href={hrefOfView(view)}
        aria-label={isNamed ? undefined : name}
        aria-current={isCurrent ? 'true' : undefined}
        data-command={`view.open${view.id}`}
        data-hint={hintAtSide(isNamed)}
        onClick={() => {
          showColumns(view)
          // It also closes when another screen is opened; this may be the one that is on screen.
          closeSidebar(false)
        }}
      >
        {isNamed ? (
          <>
            <span className={styles.label}>{view.name}</span>
            {count !== null && <span className={styles.number}>{formatCount(count)}</span>}
          </>
        ) : (
          <span className={styles.number} aria-hidden>
            {count === null ? [...view.name].slice(0, 2).join('') : shortCount(count)}
          </span>
        )}
      </Link>
    </li>
  )
}

/** For the narrow sidebar. */
const shortCount = (count: number) => (count > 999 ? '999+' : String(count))
