import { getDefaultStore } from 'jotai'
import { isRow } from '../../api/loose.ts'
import { numberOf } from '../../format.ts'
import { sessionAtom } from '../../state/session.ts'
import { usesKey as key } from './forget.ts'

/** A palette row that was run before. One that opens an address can be shown again without asking the server. */
export interface Used {
  id: string
  title: string
  detail: string
  noun: string
  /** Blank for a command. */
  href: string
  /** How often it was run, halved every week; counted at `at`, in epoch milliseconds. */
  weight: number
  at: number
}

const most = 100
const week = 7 * 24 * 3_600_000
const store = getDefaultStore()

const weightNow = ({ weight, at }: Used) => weight * 0.5 ** (Math.max(Date.now() - at, 0) / week)

/** What this staff member ran in the palette on this device, the last first. */
export function recents(): Used[] {
  return read().toSorted((a, b) => b.at - a.at)
}

/** How often and how lately the row was run: 0 if never. */
export function familiarity(): (id: string) => number {
  const weights = new Map(read().map((used) => [used.id, weightNow(used)]))
  return (id) => weights.get(id) ?? 0
}

export function noteUse(used: Omit<Used, 'weight' | 'at'>): void {
  const kept = read()
  const before = kept.find(({ id }) => id === used.id)
  const now = { ...used, weight: 1 + (before ? weightNow(before) : 0), at: Date.now() }
  write([now, ...kept.filter(({ id }) => id !== used.id)].slice(0, most))
}

function write(uses: readonly Used[]): void {
  try {
    localStorage.setItem(key, JSON.stringify({ email: store.get(sessionAtom)?.email, uses }))
  } catch {
    return // Full or blocked storage: the order of the palette does not learn.
  }
}

function read(): Used[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    if (!isRow<{ email: unknown; uses: unknown }>(kept) || !Array.isArray(kept.uses)) return []
    return kept.email === store.get(sessionAtom)?.email ? kept.uses.filter(isUsed) : []
  } catch {
    return [] // Corrupt or blocked storage.
  }
}

function isUsed(value: unknown): value is Used {
  return (
    isRow<Used>(value) &&
    [value.id, value.title, value.detail, value.noun, value.href].every((one) => typeof one === 'string') &&
    [value.weight, value.at].every((one) => numberOf(one) !== null)
  )
}
