import { atom, getDefaultStore } from 'jotai'
import { newId } from './id.ts'

/** The address of the page. `key` identifies the history entry, for restoring what it showed. */
interface Place {
  path: string
  /** Without the question mark. */
  search: string
  key: string
}

/** What Back and Forward restore besides the address: scroll position, focused row and column. */
interface Viewed {
  /** Of the list. */
  scroll?: number
  /** Of the whole content. */
  top?: number
  row?: string
  column?: number
}

const readPlace = (): Place => ({
  // `/Riders/` opens the same screen, and everything else knows it as `/riders`.
  path: window.location.pathname.replace(/(.)\/+$/, '$1').replace(/^\/\w+/, (name) => name.toLowerCase()),
  search: window.location.search.replace(/^\?/, ''),
  key: readState().key ?? 'first',
})

const placeAtom = atom(readPlace())
// From the beginning, not when something is rendered: the address may change before that.
window.addEventListener('popstate', () => getDefaultStore().set(placeAtom, readPlace()))
window.addEventListener('pagehide', keepViewed)

/** The only source of the address. Writing goes to the href `to`; with `replace` it replaces the history entry. */
export const locationAtom = atom(
  (get) => get(placeAtom),
  (_get, set, { to, replace = false }: { to: string; replace?: boolean }) => {
    keepViewed()
    const key = replace ? readState().key : newId()
    window.history[replace ? 'replaceState' : 'pushState'](key ? { key } : {}, '', to)
    set(placeAtom, readPlace())
  },
)

/** Changes less often than `locationAtom`: not with the page of a list or its search. */
export const pathAtom = atom((get) => get(placeAtom).path)

export function navigate(to: string, options: { replace?: boolean } = {}): void {
  getDefaultStore().set(locationAtom, { to, ...options })
}

/** Of the entries that were shown last: as many as browsers keep in their history. */
const viewed = new Map<string, Viewed>()
const maxViewed = 50

/** Stores what the current history entry shows, so that Back or Forward can restore it. */
export function remember(part: Viewed): void {
  const { key } = getDefaultStore().get(placeAtom)
  const seen = { ...viewed.get(key), ...part }
  // Also moves it behind the others.
  viewed.delete(key)
  viewed.set(key, seen)
  const [oldest = ''] = viewed.keys()
  if (viewed.size > maxViewed) viewed.delete(oldest)
}

/** What the current history entry showed when it was left. */
export function recall(): Viewed {
  const { key } = getDefaultStore().get(placeAtom)
  return viewed.get(key) ?? readState().viewed ?? {}
}

/** Copies what the entry shows into `history.state`, which survives a reload. */
function keepViewed(): void {
  const state = readState()
  const seen = viewed.get(state.key ?? 'first')
  if (seen) window.history.replaceState({ ...state, viewed: seen }, '')
}

function readState(): { key?: string; viewed?: Viewed } {
  const state: unknown = window.history.state
  if (typeof state !== 'object' || state === null) return {}
  return {
    ...('key' in state && typeof state.key === 'string' && { key: state.key }),
    ...('viewed' in state && typeof state.viewed === 'object' && state.viewed && { viewed: state.viewed }),
  }
}
