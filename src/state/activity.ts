import { atom } from 'jotai'

/** One thing that was done or failed in this session (R6). */
interface Activity {
  id: number
  at: Date
  what: string
  outcome: 'done' | 'failed'
  /** The server's message, or why it failed, provider codes included. */
  detail: string
}

const kept = 500
let last = 0
const entriesAtom = atom<readonly Activity[]>([])

/** Newest first. Writing adds an entry; `null` empties it (another person signs in). */
export const activityAtom = atom(
  (get) => get(entriesAtom),
  (get, set, entry: Omit<Activity, 'id' | 'at'> | null) => {
    if (!entry) set(entriesAtom, [])
    else set(entriesAtom, [{ ...entry, id: ++last, at: new Date() }, ...get(entriesAtom)].slice(0, kept))
  },
)
