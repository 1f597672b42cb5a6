import { atom, getDefaultStore } from 'jotai'
import { HTTPError } from 'ky'
import { queryClient } from '../api/query-client.ts'
import { text } from '../format.ts'
import { activityAtom } from '../state/activity.ts'
import { newId } from '../state/id.ts'
import { sessionAtom } from '../state/session.ts'
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
  /** The success toast; absent is silent, blank where the server had nothing to say. */
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
/** What was done, and the inverse calls that take it back. */
interface Undoable {
  label: string
  inverses: readonly Mutation[]
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
export function runMutation(mutation: Mutation): Promise<boolean> {
  return runAll([mutation], mutation.label)
}

/** Runs one after the other what is one action to the person: one undo entry, one toast for all that went well. */
export async function runAll(mutations: readonly Mutation[], label: string): Promise<boolean> {
  const left = await attemptAll(mutations, label, true)
  return left.length === 0
}

/** Resolves to what is not done. */
async function attemptAll(
  mutations: readonly Mutation[],
  label: string,
  undoable: boolean,
): Promise<Mutation[]> {
  const session = store.get(sessionAtom)
  const outcomes: Outcome[] = []
  for (const mutation of mutations) {
    // Nothing goes on under the name of the next person at this console.
    if (store.get(sessionAtom) !== session) break
    const outcome = await attempt(mutation)
    if (outcome) outcomes.push(outcome)
  }
  // R5: what the server holds now, after failures too; once, however many records it was.
  if (outcomes.length > 0) void queryClient.invalidateQueries()
  const done = new Set(outcomes.flatMap(({ mutation, isDone }) => (isDone ? mutation : [])))
  const inverses = undoable ? [...done].flatMap((mutation) => mutation.undo?.() ?? []).toReversed() : []
  const entry = inverses.length > 0 ? { label, inverses } : undefined
  if (entry) store.set(undoAtom, [...store.get(undoAtom), entry].slice(-50))
  const toasts = (isDone: boolean) => [
    ...new Set(
      outcomes.flatMap((one) => (one.isDone === isDone && one.toast !== undefined ? one.toast : [])),
    ),
  ]
  const successes = toasts(true)
  if (successes.length > 0)
    showToast(firstOf(successes), entry && { label: 'Undo', run: () => void undo(entry) })
  for (const failure of toasts(false)) showToast(failure)
  return mutations.filter((mutation) => !done.has(mutation))
}

interface Outcome {
  mutation: Mutation
  isDone: boolean
  toast?: string | undefined
}

/** Null where the record is busy with another one. */
async function attempt(mutation: Mutation): Promise<Outcome | null> {
  const { record, label } = mutation
  if (store.get(busyAtom).has(record)) return null
  toggle(busyAtom, record, true)
  try {
    const message = await mutation.perform(mutation.key ?? keyOf(mutation))
    openIntents.delete(record)
    toggle(faultsAtom, record, false)
    store.set(activityAtom, { what: label, outcome: 'done', detail: message })
    const toast = mutation.succeeded && (mutation.succeeded(message) || `Done: ${label}`)
    return { mutation, isDone: true, toast }
  } catch (error) {
    // What a person called off did not fail.
    if (error instanceof DOMException && error.name === 'AbortError') return { mutation, isDone: false }
    // An answer settles the intent, a lost one does not.
    if (error instanceof HTTPError && error.response.status < 500) openIntents.delete(record)
    toggle(faultsAtom, record, true)
    store.set(activityAtom, { what: label, outcome: 'failed', detail: reasonOf(error) })
    mutation.refused?.(fieldErrorsOf(error))
    return { mutation, isDone: false, toast: mutation.failed }
  } finally {
    toggle(busyAtom, record, false)
  }
}

/** Some of many texts, one a line. */
function firstOf(texts: readonly string[]): string {
  const more = texts.length - 3
  return (more > 0 ? [...texts.slice(0, 3), `and ${more} more`] : texts).join('\n')
}

/** Takes one thing back, once; what could not be taken back can be undone still. */
export async function undo(done: Undoable): Promise<void> {
  if (!store.get(undoAtom).includes(done)) return
  store.set(
    undoAtom,
    store.get(undoAtom).filter((entry) => entry !== done),
  )
  const inverses = await attemptAll(done.inverses, done.label, false)
  if (inverses.length > 0) store.set(undoAtom, [...store.get(undoAtom), { ...done, inverses }])
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
  const key = newId()
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
