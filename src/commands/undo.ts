import { atom, getDefaultStore } from 'jotai'
import { isRow } from '../api/loose.ts'
import { newId } from '../state/id.ts'
import { sessionAtom } from '../state/session.ts'
import type { Mutation, NamedRef } from './mutation.ts'
import { isKnown } from './mutation.ts'

/** An action, and the mutation that undoes what it has changed so far. */
interface Undoable {
  id: string
  label: string
  mutation: Mutation
}

interface Entry extends Undoable {
  state: 'running' | 'done' | 'undoing'
  /** While it is running: resolves when it has ended. */
  ended?: Promise<unknown>
}

/** The undo entry of an action that is running, or that is being undone. */
export interface UndoEntry extends Undoable {
  /** Stores which records are to be undone, and the label of the action on them. Does nothing if another person has signed in. */
  keep: (refs: readonly NamedRef[], label: string) => void
  /** From now on it can be undone. It is removed if it has no records. Returns whether it has. */
  end: () => boolean
}

const most = 50
/** How often the list is stored while an action on many records is running, in milliseconds. */
const interval = 1000
/** Key in session storage, which lasts as long as the tab, like the session. */
const key = 'oms.undo'
const store = getDefaultStore()
const entriesAtom = atom<readonly Entry[]>([])
let storedAt = 0

/** What can be undone, in the order in which it was begun, newest last. It survives reloads of this tab until the session ends. */
export const undoAtom = atom((get) => get(entriesAtom).filter(({ state }) => state === 'done'))

/** Whether the entry with this id can be undone now: the server refuses a call of somebody who is not signed in. */
export const canUndo = (id: string) =>
  atom((get) => get(sessionAtom) !== null && get(undoAtom).some((one) => one.id === id))

/** The action that was begun last, also while it has no answer: to undo an earlier one instead would be a surprise. */
export const lastActionAtom = atom((get) => get(entriesAtom).findLast(({ state }) => state !== 'undoing'))

/** Adds an action that begins. It is stored while it runs, so that what it has done can be undone after a reload. */
export function beginAction(label: string, mutation: Mutation): UndoEntry {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const entry = { id: newId(), label, mutation: { ...mutation, refs: [] } }
  store.set(
    entriesAtom,
    [...store.get(entriesAtom), { ...entry, state: 'running' as const, ended: promise }].slice(-most),
  )
  const kept = handleOf(entry)
  return {
    ...kept,
    end: () => {
      const isKept = kept.end()
      resolve(null)
      return isKept
    },
  }
}

/** Takes an entry out of what can be undone, until it ends; null if it is not in the list, or is being undone. */
export function takeUndo(id: string): UndoEntry | null {
  const entry = store.get(undoAtom).find((one) => one.id === id)
  if (!entry) return null
  change(id, { state: 'undoing' })
  return handleOf(entry)
}

function handleOf({ id, label, mutation }: Undoable): UndoEntry {
  return {
    id,
    label,
    mutation,
    keep: (refs, label) => {
      change(id, { label, mutation: { ...mutation, refs } })
      if (Date.now() - storedAt > interval) write()
    },
    end: () => {
      change(id, { state: 'done' })
      store.set(entriesAtom, (entries) => entries.filter(isOpen))
      write()
      return store.get(undoAtom).some((one) => one.id === id)
    },
  }
}

function change(id: string, part: Partial<Entry>): void {
  store.set(entriesAtom, (entries) => entries.map((one) => (one.id === id ? { ...one, ...part } : one)))
}

/** Whether it can be undone now or later. */
const isOpen = ({ state, mutation }: Entry) => state !== 'done' || mutation.refs.length > 0

export function forgetUndo(): void {
  store.set(entriesAtom, [])
  write()
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
  const entries = store.get(entriesAtom)
  const isNew = ({ id }: Undoable) => entries.every((one) => one.id !== id)
  const earlier = read().filter(isNew)
  store.set(entriesAtom, [...earlier.map((one) => ({ ...one, state: 'done' as const })), ...entries])
  window.addEventListener('pagehide', write)
}

function write(): void {
  const entries = store.get(entriesAtom).filter(({ mutation }) => mutation.refs.length > 0)
  const email = store.get(sessionAtom)?.email
  storedAt = Date.now()
  try {
    if (entries.length > 0 && email !== undefined) {
      const stored = entries.map(({ id, label, mutation }) => ({ id, label, mutation }))
      sessionStorage.setItem(key, JSON.stringify({ email, entries: stored }))
    } else keepNoUndo()
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
