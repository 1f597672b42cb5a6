import { atom, getDefaultStore } from 'jotai'
import type { Ref } from '../state/ref.ts'
import { refKey } from '../state/ref.ts'
import type { Context } from './command.ts'

type Selection = ReadonlyMap<string, Context['targets'][number]>

interface Loading {
  /** Records loaded so far. */
  loaded: number
  /** Null if the server does not say how many there are. */
  total: number | null
  cancel: () => void
}

const store = getDefaultStore()
const nothing: Selection = new Map()

/**
 * The selected records of the list on screen, on all its pages, by their `refKey`, each as last received. The list
 * clears it when another search or filter is shown and when it leaves the screen.
 */
export const selectionAtom = atom(nothing)

export function select(targets: Context['targets']): void {
  store.set(selectionAtom, new Map(targets.map((target) => [refKey(target.ref), target])))
}

export function clearSelection(): void {
  if (store.get(selectionAtom).size > 0) store.set(selectionAtom, nothing)
}

/** The loading of all records that match (matching.ts), while it is under way. */
export const loadingAtom = atom<Loading | null>(null)

/** Ends that loading. The selection stays as it was. */
export function cancelLoading(): void {
  store.get(loadingAtom)?.cancel()
}

/** A record that was changed leaves the selection; those that failed stay in it. */
export function deselect(ref: Ref): void {
  const others = new Map(store.get(selectionAtom))
  if (others.delete(refKey(ref))) store.set(selectionAtom, others)
}
