import { atom, getDefaultStore } from 'jotai'
import { newId } from './id.ts'

/** Where the browser is. `key` names the history entry, so that what was seen there can be found again. */
interface Place {
  path: string
  /** Without the question mark. */
  search: string
  key: string
}

/** What Back brings back beside the address itself. */
interface Viewed {
  scroll?: number
  row?: string
  column?: number
}

const readPlace = (): Place => ({
  path: window.location.pathname,
  search: window.location.search.replace(/^\?/, ''),
  key: readState().key ?? 'first',
})

const placeAtom = atom(readPlace())
placeAtom.onMount = (set) => {
  const onPop = () => set(readPlace())
  window.addEventListener('popstate', onPop)
  window.addEventListener('pagehide', keepViewed)
  set(readPlace())
  return () => {
    window.removeEventListener('popstate', onPop)
    window.removeEventListener('pagehide', keepViewed)
  }
}

/** The one source of the address. Set it with `to` an href; `replace` keeps the history entry. */
export const locationAtom = atom(
  (get) => get(placeAtom),
  (_get, set, { to, replace = false }: { to: string; replace?: boolean }) => {
    keepViewed()
    const key = replace ? readState().key : newId()
    window.history[replace ? 'replaceState' : 'pushState'](key ? { key } : {}, '', to)
    set(placeAtom, readPlace())
  },
)

export function navigate(to: string, options: { replace?: boolean } = {}): void {
  getDefaultStore().set(locationAtom, { to, ...options })
}

const viewed = new Map<string, Viewed>()

/** Notes what the current entry shows, for when Back or Forward returns to it. */
export function remember(part: Viewed): void {
  const { key } = getDefaultStore().get(placeAtom)
  viewed.set(key, { ...viewed.get(key), ...part })
}

/** What the current entry showed when it was left. */
export function recall(): Viewed {
  const { key } = getDefaultStore().get(placeAtom)
  return viewed.get(key) ?? readState().viewed ?? {}
}

/** The history keeps it across a reload. */
function keepViewed(): void {
  const state = readState()
  const seen = viewed.get(state.key ?? 'first')
  if (seen) window.history.replaceState({ ...state, viewed: seen }, '')
}

function readState(): { key?: string; viewed?: Viewed } {
  const state: unknown = window.history.state
  if (typeof state !== 'object' || state === null) return {}
  const key = 'key' in state && typeof state.key === 'string' ? { key: state.key } : {}
  const saved = 'viewed' in state && typeof state.viewed === 'object' ? state.viewed : null
  return saved ? { ...key, viewed: saved } : key
}
