/** What has an identity that stays the same in every answer. */
interface Identified {
  id: string
}

/** A place of the list: a row that is painted in it, or room that is kept for a row to come. */
export type Slot<T> = T | null

interface Filling {
  /** Places to keep for rows to come, where the first of them is to be; none if nothing is to come. */
  room: number
  /** How many of the wanted rows come before the room. */
  before: number
  /** Most places. */
  most: number
}

/**
 * The places of the list after more rows are known. Rows that are painted keep their place, also those that are no
 * longer wanted; wanted rows fill the room that is kept, best first, and then follow at the end. If nothing more is to
 * come, empty room at the end is given up.
 */
export function settle<T extends Identified>(
  painted: readonly Slot<T>[],
  wanted: readonly T[],
  { room, before, most }: Filling,
): Slot<T>[] {
  const byId = new Map(wanted.map((row) => [row.id, row]))
  const isPainted = new Set(painted.flatMap((slot) => slot?.id ?? []))
  const rest = wanted.filter(({ id }) => !isPainted.has(id))
  if (painted.length === 0) {
    const first = rest.slice(0, before)
    const later = room > 0 ? [] : rest.slice(before)
    const kept = Array.from({ length: Math.min(room, most - first.length) }, () => null)
    return [...first, ...kept, ...later].slice(0, most)
  }
  // A row is shown as last known: its title or its reason may have changed.
  const slots = painted.map((slot) => (slot ? (byId.get(slot.id) ?? slot) : (rest.shift() ?? null)))
  if (room > 0) return slots
  const filled = [...slots, ...rest].slice(0, most)
  while (filled.at(-1) === null) filled.pop()
  return filled
}
