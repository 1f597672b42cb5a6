import { atom } from 'jotai'

/** One action of this session that succeeded or failed (R6). */
interface Activity {
  id: number
  at: Date
  what: string
  outcome: 'done' | 'failed'
  /** The server's message, or the reason of the failure with the error code of the file store or Google Maps. */
  detail: string
}

const kept = 500
let last = 0
const entriesAtom = atom<readonly Activity[]>([])

/** Newest first. Writing adds an entry; writing `null` removes all of them, when another person signs in. */
export const activityAtom = atom(
  (get) => get(entriesAtom),
  (get, set, entry: Omit<Activity, 'id' | 'at'> | null) => {
    if (!entry) set(entriesAtom, [])
    else set(entriesAtom, [{ ...entry, id: ++last, at: new Date() }, ...get(entriesAtom)].slice(0, kept))
  },
)
