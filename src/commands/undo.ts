import { atom, getDefaultStore } from 'jotai'
import { isRow } from '../api/loose.ts'
import { sessionAtom } from '../state/session.ts'
import type { Mutation, NamedRef } from './mutation.ts'
import { isKnown } from './mutation.ts'

/** An action that was done, and the mutation that undoes it. */
interface Undoable {
  id: string
  label: string
  mutation: Mutation
}

/** An undoable action that has no answer yet. */
interface UnderWay {
  label: string
  /** The entry that it becomes; null if it failed for all records. Never rejects. */
  entry: Promise<Undoable | null>
}

const most = 50
/** Key in session storage, which lasts as long as the tab, like the session. */
const key = 'oms.undo'
const store = getDefaultStore()
const entriesAtom = atom<readonly Undoable[]>([])

/** The undo list, newest last. It survives reloads of this tab until the session ends. */
export const undoAtom = atom((get) => get(entriesAtom))

/** Undoable actions that have no answer yet, the latest last. */
export const underWayAtom = atom<readonly UnderWay[]>([])

/** Lists an action among those under way until it ends. */
export async function noteUnderWay(label: string, entry: UnderWay['entry']): Promise<void> {
  const action = { label, entry }
  store.set(underWayAtom, (actions) => [...actions, action])
  await entry
  store.set(underWayAtom, (actions) => actions.filter((one) => one !== action))
}

export function keepUndo(entry: Undoable): Undoable {
  write([...store.get(entriesAtom), entry].slice(-most))
  return entry
}

/** Removes an entry from the list and returns it; null if it is no longer in the list. */
export function takeUndo(id: string): Undoable | null {
  const entries = store.get(entriesAtom)
  const entry = entries.find((one) => one.id === id)
  if (!entry) return null
  write(entries.filter((one) => one !== entry))
  return entry
}

export function forgetUndo(): void {
  store.set(underWayAtom, [])
  write([])
}

/** Removes the stored undo list when the session ends. In memory it stays, in case the same person signs in again. */
export function keepNoUndo(): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    return // Blocked storage: there is nothing to remove.
  }
}

/** Loads the undo list that this tab stored before a reload, if the same staff member is signed in. */
export function loadUndo(): void {
  store.set(entriesAtom, read())
}

function write(entries: readonly Undoable[]): void {
  store.set(entriesAtom, entries)
  const email = store.get(sessionAtom)?.email
  try {
    if (entries.length > 0 && email !== undefined)
      sessionStorage.setItem(key, JSON.stringify({ email, entries }))
    else keepNoUndo()
  } catch {
    return // Full or blocked storage: the entries last as long as this page.
  }
}

function read(): Undoable[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    if (!isRow<{ email: unknown; entries: unknown }>(kept)) return []
    if (kept.email !== store.get(sessionAtom)?.email || !Array.isArray(kept.entries)) return []
    return kept.entries.filter(isUndoable)
  } catch {
    return [] // Corrupt or blocked storage.
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'

function isUndoable(value: unknown): value is Undoable {
  return isRow<Undoable>(value) && isText(value.id) && isText(value.label) && isMutation(value.mutation)
}

function isMutation(value: unknown): value is Mutation {
  return (
    isRow<Mutation>(value) &&
    isText(value.command) &&
    isText(value.label) &&
    isRow<object>(value.args) &&
    Array.isArray(value.refs) &&
    value.refs.every(isNamedRef) &&
    isKnown(value.command)
  )
}

const isNamedRef = (value: unknown): value is NamedRef =>
  isRow<NamedRef>(value) && isText(value.noun) && isText(value.id) && isText(value.name)
