/** In milliseconds: rows that match badly wait so long for the search, which has better ones. */
export const patience = 300

/** What has an identity that stays the same in every answer. */
interface Identified {
  id: string
}

/** A place of the list: a row that is painted in it, or room that is kept for a row to come. */
export type Slot<T> = T | null

interface Filling {
  /** Places to keep for rows to come; 0 if nothing more is to come. */
  room: number
  /** How many of the wanted rows match at least as well as any row to come. */
  before: number
  /** Whether to wait no longer: the other wanted rows are shown below the room. */
  isLate: boolean
  /** Most places. */
  most: number
}

/**
 * The places of the list after more rows are known. Rows that are painted keep their place, also those that are no
 * longer wanted. The best wanted rows fill the room that is kept; the others follow it when nothing more is to come, or
 * when it is late. If nothing more is to come, they fill the room too, and empty room at the end is given up.
 */
export function settle<T extends Identified>(
  painted: readonly Slot<T>[],
  wanted: readonly T[],
  { room, before, isLate, most }: Filling,
): Slot<T>[] {
  const isWaiting = room > 0
  const byId = new Map(wanted.map((row) => [row.id, row]))
  const isPainted = new Set(painted.flatMap((slot) => slot?.id ?? []))
  const isNew = ({ id }: T) => !isPainted.has(id)
  const best = (isWaiting ? wanted.slice(0, before) : wanted).filter(isNew)
  const others = isWaiting && isLate ? wanted.slice(before).filter(isNew) : []
  const kept: null[] = painted.length === 0 ? Array.from({ length: room }, () => null) : []
  // A row is shown as last known: its title or its reason may have changed.
  const places = painted.map((slot) => (slot ? (byId.get(slot.id) ?? slot) : (best.shift() ?? null)))
  const slots = [...places, ...best, ...kept, ...others].slice(0, most)
  while (!isWaiting && slots.at(-1) === null) slots.pop()
  return slots
}
