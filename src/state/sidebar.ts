import { atom } from 'jotai'

const cookie = 'sidebar:state'
/** S9.7: 7 days, in seconds. */
const maxAge = 604_800

const expandedBase = atom(readExpanded())

/** S4.10: whether the docked sidebar is expanded. The cookie holds only this, not the state below 1200 px. */
export const sidebarExpandedAtom = atom(
  (get) => get(expandedBase),
  (_get, set, expanded: boolean) => {
    set(expandedBase, expanded)
    try {
      document.cookie = `${cookie}=${String(expanded)}; path=/; max-age=${maxAge}; samesite=lax`
    } catch {
      return // Blocked cookies: the choice lasts as long as this page.
    }
  },
)

/** Below 1200 px: whether the panel is open. Not stored. */
export const sidebarOpenAtom = atom(false)

const narrow = window.matchMedia('(max-width: 1199.98px)')
const narrowBase = atom(narrow.matches)
narrowBase.onMount = (set) => {
  const onChange = () => set(narrow.matches)
  onChange()
  narrow.addEventListener('change', onChange)
  return () => narrow.removeEventListener('change', onChange)
}
/** S9.6 */
export const narrowAtom = atom((get) => get(narrowBase))

/** S2.b.4: expands or collapses the docked sidebar; below 1200 px opens or closes the panel. */
export const toggleSidebarAtom = atom(null, (get, set) => {
  if (narrow.matches) set(sidebarOpenAtom, !get(sidebarOpenAtom))
  else set(sidebarExpandedAtom, !get(sidebarExpandedAtom))
})

/** Any value but "false", no cookie, or blocked cookies count as expanded. */
function readExpanded(): boolean {
  try {
    const value = document.cookie
      .split(';')
      .map((pair) => pair.trim())
      .find((pair) => pair.startsWith(`${cookie}=`))
    return value?.slice(cookie.length + 1) !== 'false'
  } catch {
    return true
  }
}
