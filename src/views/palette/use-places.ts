import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import type { PaletteRow } from '../../commands/find/row.ts'
import type { Slot } from '../../commands/find/slots.ts'
import { settle } from '../../commands/find/slots.ts'

/** Most rows of the list. */
const most = 20
/** Rows that are kept free for the records that a search finds. */
const roomForFound = 5

interface Filling {
  isSearching: boolean
  /** Whether the search takes so long that rows which match badly are shown meanwhile. */
  isLate: boolean
  /** The score of the best row that can still come. */
  best: number
}

interface Places {
  query: string
  slots: readonly Slot<PaletteRow>[]
  /** The row that is highlighted until a key or the pointer highlights another: the first one that was painted. */
  lead: string | null
}

/** The places of the list: rows that are painted for a query stay where they are until another is typed. */
export function usePlaces(rows: readonly PaletteRow[], query: string, filling: Filling): Places {
  const [painted, setPainted] = useState<Places>({ query: '', slots: [], lead: null })
  const { isSearching, isLate, best } = filling
  const before = painted.query === query ? painted.slots : []
  const slots = settle(before, rows, {
    room: isSearching ? roomForFound : 0,
    before: rows.filter(({ score }) => score >= best).length,
    isLate,
    most,
  })
  const isSame =
    painted.query === query &&
    slots.length === before.length &&
    slots.every((slot, at) => slot?.id === before[at]?.id)
  // The same array while nothing of it changes, for `useSeenFirst`.
  if (isSame) return slots.every((slot, at) => slot === before[at]) ? painted : { ...painted, slots }
  const lead = (painted.query === query ? painted.lead : null) ?? slots.find((slot) => slot)?.id ?? null
  const next = { query, slots, lead }
  setPainted(next)
  return next
}

/** A place as it is rendered, with the words of the query that its row is marked with. */
export interface Shown {
  slot: Slot<PaletteRow>
  words: readonly string[]
}

/** How many places are in sight: those of the largest list and one that is cut. */
const inSight = 12

const nothing = { slots: [], words: [] }

/**
 * Renders the places in sight at once. Those below stay as they were until the frame is on its way, because a key would take longer
 * with rows that nobody sees. `isWhole` says whether all places are rendered; `complete` renders all of them.
 */
export function useSeenFirst(
  slots: readonly Slot<PaletteRow>[],
  words: readonly string[],
): { places: Shown[]; isWhole: boolean; complete: () => void } {
  const now = useMemo(() => ({ slots, words }), [slots, words])
  const [completed, setCompleted] = useState<typeof now | null>(null)
  const deferred: typeof now = useDeferredValue(now, nothing)
  const later = completed === now ? now : deferred
  const seen = slots.slice(0, inSight)
  const ids = new Set(seen.map((slot) => slot?.id))
  const unseen = later.slots.slice(inSight).map((slot) => (slot && ids.has(slot.id) ? null : slot))
  const places = [
    ...seen.map((slot) => ({ slot, words })),
    ...(seen.length < inSight ? [] : unseen.map((slot) => ({ slot, words: later.words }))),
  ]
  return {
    places,
    isWhole: later === now || slots.length <= inSight,
    complete: () => flushSync(() => setCompleted(now)),
  }
}

/** Whether a query has been unchanged for so many milliseconds. */
export function useLate(query: string, after: number): boolean {
  const [late, setLate] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setLate(query), after)
    return () => {
      clearTimeout(timer)
      // Otherwise, the same query would be late at once when it is typed again.
      setLate(null)
    }
  }, [query, after])
  return late === query
}
