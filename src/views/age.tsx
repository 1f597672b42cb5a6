import { atom, useAtomValue } from 'jotai'
import { momentOf } from '../format.ts'

const minute = 60_000

/** Now, to the minute. One timer for all that show it, while anything does. */
const nowAtom = atom(0)
nowAtom.onMount = (set) => {
  const tick = () => set(Date.now())
  tick()
  const timer = setInterval(tick, minute)
  return () => clearInterval(timer)
}

/** How long ago a moment was: "4 min ago". */
export function Age({ of }: { of: unknown }) {
  const now = useAtomValue(nowAtom)
  const moment = momentOf(of)
  return moment && now > 0 && ageAt(now, moment)
}

/** In the largest unit of which at least one has passed. A moment in the future is now, as clocks differ. */
function ageAt(now: number, moment: Date): string {
  const minutes = Math.floor((now - moment.getTime()) / minute)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${hours} h ago`
  const days = Math.floor(hours / 24)
  return days === 1 ? '1 day ago' : `${days} days ago`
}
