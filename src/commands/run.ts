import { atom, getDefaultStore } from 'jotai'
import { HTTPError } from 'ky'
import { queryClient } from '../api/query-client.ts'
import { text } from '../format.ts'
import { activityAtom } from '../state/activity.ts'
import { showToast } from './toast.tsx'

/** A change on the server, ready to be run. */
export interface Mutation {
  /** `noun.verb`; with `record` it names the intent. */
  id: string
  /** `driver:12`: what is busy meanwhile and marked if it fails. */
  record: string
  /** "Suspend Jo Kamau": for the activity panel and the undo command. */
  label: string
  /** The intent's Idempotency-Key where a draft keeps it; otherwise it is made here. */
  key?: string
  /** Resolves to the server's message. `key` is the same for every retry of one intent (R8). */
  perform(key: string): Promise<string>
  /** The success toast; absent is silent. */
  succeeded?(message: string): string
  /** The failure toast; absent is silent (S8). */
  failed?: string
  /** Told which fields the server refused, and why. */
  refused?(errors: Record<string, string[]>): void
  /** The inverse call (R7). */
  undo?(): Mutation
}

const store = getDefaultStore()

/** Records with a request under way. */
export const busyAtom = atom<ReadonlySet<string>>(new Set<string>())
/** Records whose last action failed, until the next success or reload (R3). */
export const faultsAtom = atom<ReadonlySet<string>>(new Set<string>())
/** What was done, and the inverse call that takes it back. */
interface Undoable {
  label: string
  inverse: Mutation
}

/** What can be undone, newest last. */
export const undoAtom = atom<readonly Undoable[]>([])

/** By record, the intent whose outcome is not known: the reply was lost, so the retry must ask with the same key. */
const openIntents = new Map<string, { id: string; key: string; since: number }>()
const intentLifetime = 5 * 60_000

/**
 * Runs a mutation: busy state, idempotency key, toast, activity, undo entry, reload. Ignored while the record is busy.
 * Resolves to whether it succeeded; never rejects.
 */
export async function runMutation(mutation: Mutation, { undoable = true } = {}): Promise<boolean> {
  const { record, label } = mutation
  if (store.get(busyAtom).has(record)) return false
  toggle(busyAtom, record, true)
  try {
    const message = await mutation.perform(mutation.key ?? keyOf(mutation))
    openIntents.delete(record)
    toggle(faultsAtom, record, false)
    const done = undoable && mutation.undo ? { label, inverse: mutation.undo() } : undefined
    if (done) store.set(undoAtom, [...store.get(undoAtom), done].slice(-50))
    store.set(activityAtom, { what: label, outcome: 'done', detail: message })
    if (mutation.succeeded)
      showToast(mutation.succeeded(message), done && { label: 'Undo', run: () => void undo(done) })
    return true
  } catch (error) {
    // What a person called off did not fail.
    if (error instanceof DOMException && error.name === 'AbortError') return false
    // An answer settles the intent, a lost one does not.
    if (error instanceof HTTPError && error.response.status < 500) openIntents.delete(record)
    toggle(faultsAtom, record, true)
    store.set(activityAtom, { what: label, outcome: 'failed', detail: reasonOf(error) })
    mutation.refused?.(fieldErrorsOf(error))
    if (mutation.failed) showToast(mutation.failed)
    return false
  } finally {
    toggle(busyAtom, record, false)
    // R5: what the server holds now, after failures too.
    void queryClient.invalidateQueries()
  }
}

/** Takes one thing back, once; it can be undone still if that fails. */
export async function undo(done: Undoable): Promise<void> {
  if (!store.get(undoAtom).includes(done)) return
  store.set(
    undoAtom,
    store.get(undoAtom).filter((entry) => entry !== done),
  )
  if (!(await runMutation(done.inverse, { undoable: false })))
    store.set(undoAtom, [...store.get(undoAtom), done])
}

/** The next person at this console starts clean. */
export function forgetRuns(): void {
  openIntents.clear()
  store.set(undoAtom, [])
  store.set(busyAtom, new Set())
  store.set(faultsAtom, new Set())
}

function keyOf({ id, record }: Mutation): string {
  const open = openIntents.get(record)
  // After another action on the record the same one is a new intent: its old key would replay the old answer.
  if (open?.id === id && Date.now() - open.since < intentLifetime) return open.key
  const key = crypto.randomUUID()
  openIntents.set(record, { id, key, since: Date.now() })
  return key
}

function toggle(sets: typeof busyAtom, record: string, on: boolean): void {
  const next = new Set(store.get(sets))
  if (on) next.add(record)
  else next.delete(record)
  store.set(sets, next)
}

function reasonOf(error: unknown): string {
  if (error instanceof HTTPError)
    return `${error.response.status} ${text(bodyOf(error).get('message'))}`.trim()
  return error instanceof Error ? error.message : String(error)
}

function fieldErrorsOf(error: unknown): Record<string, string[]> {
  const errors: unknown = error instanceof HTTPError ? bodyOf(error).get('errors') : null
  return Object.fromEntries(
    [...entriesOf(errors)].map(([field, texts]) => [field, Array.isArray(texts) ? texts.map(text) : []]),
  )
}

/** ky has read the body already. */
const bodyOf = (error: HTTPError) => entriesOf(error.data)

const entriesOf = (value: unknown) =>
  new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : [])
